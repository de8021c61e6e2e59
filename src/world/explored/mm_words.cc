// What must hold of the x86 TLB protocols, each with its reason; and their steps in words.
#include <fmt/format.h>

#include "base/text.h"
#include "world/explored/mm_model.h"

namespace tollgate::explored {
namespace {

/// Whether code on the CPU may use user addresses now. Not while it runs a kernel thread or is in the middle of a switch.
bool may_use(const MmCpu& cpu) {
  const bool leaving = cpu.handling != 0 && cpu.handler.label == kernel::FlushHandler::Label::leave_lazy;
  return cpu.tlb.loaded_mm != kernel::kInitMm && !cpu.tlb.is_lazy && cpu.doing != Doing::switching && !leaving;
}

template <typename Predicate>
bool all_usable(const MmModel& model, const MmState& state, Predicate good) {
  for (std::uint32_t number = 0; number < model.setting().cpus; ++number) {
    const MmCpu& cpu = state.cpus[number];
    if (!may_use(cpu)) continue;
    const auto& entries = cpu.cached[cpu.tlb.loaded_slot][std::size_t(cpu.half)];
    for (std::size_t page = 0; page < kPages; ++page)
      if (entries[page].version != 0 && !good(cpu, entries[page], page)) return false;
  }
  return true;
}

bool no_stale_use(const MmModel& model, const MmState& state) {
  return all_usable(model, state, [&](const MmCpu&, const CachedPage& entry, std::size_t page) {
    return entry.version >= state.mms[entry.mm].settled[page];
  });
}

bool own_translations(const MmModel& model, const MmState& state) {
  return all_usable(model, state, [](const MmCpu& cpu, const CachedPage& entry, std::size_t) {
    return entry.mm == cpu.tlb.loaded_mm.value;
  });
}

bool slot_not_ahead(const MmModel& model, const MmState& state) {
  for (std::uint32_t number = 0; number < model.setting().cpus; ++number)
    for (const kernel::TlbSlot& slot : state.cpus[number].tlb.slots)
      if (slot.context_id != 0 && slot.tlb_gen > state.mms[slot.context_id - 1].tlb_gen) return false;
  return true;
}

std::string step_words(const MmCpu& cpu) {
  using S = kernel::SwitchMm::Label;
  using F = kernel::Shootdown<SmallCpuSet>::Label;
  if (cpu.doing == Doing::exiting)
    return cpu.exiting.label == kernel::ExitToUser::Label::test_mask ? "looks whether its user PCID must be flushed"
           : cpu.exiting.label == kernel::ExitToUser::Label::write_flushing ? "loads the user root, flushing its PCID"
                                                                            : "loads the user root, keeping its PCID";
  if (cpu.doing == Doing::switching) switch (cpu.switching.label) {
      case S::compare:
        return fmt::format("compares mm {} with the loaded one", cpu.switching.next.value);
      case S::barrier:
        return "does a branch barrier";
      case S::leave_old:
        return fmt::format("leaves the mask of mm {}", cpu.tlb.loaded_mm.value);
      case S::join_new:
        return fmt::format("joins the mask of mm {}", cpu.switching.next.value);
      case S::read_gen:
        return fmt::format("reads the generation of mm {}", cpu.switching.next.value);
      case S::recheck_gen:
        return "reads the generation it may have missed while lazy";
      case S::load_root:
        return fmt::format("loads the root of mm {}", cpu.switching.next.value);
      case S::done:
        return "has switched";
    }
  switch (cpu.flushing.label) {
    case F::bump_gen:
      return fmt::format("bumps the generation of mm {}", cpu.flushing.debt.mm.value);
    case F::read_mask:
      return "reads the mask";
    case F::local:
      return "does its own part of the flush";
    case F::send:
      return "sends the request";
    case F::broadcast:
      return "broadcasts the flush";
    case F::sync:
      return "waits for the broadcast";
    case F::wait:
      return "sees that every CPU has answered: the flush returns";
    case F::done:
      return "has flushed";
  }
  return "?";
}

std::string action_words(const MmState& before, const MmAction& action) {
  using Kind = MmAction::Kind;
  const MmCpu& cpu = before.cpus[action.cpu];
  const int page = action.choice;
  switch (action.kind) {
    case Kind::step:
      return step_words(cpu);
    case Kind::handle:
      return fmt::format("goes on with the request of CPU {}", cpu.handling - 1);
    case Kind::take_request:
      return fmt::format("takes the IPI of CPU {}", page);
    case Kind::switch_to:
      return fmt::format("begins to switch to mm {}", page);
    case Kind::go_lazy:
      return "runs a kernel thread on the mm it has";
    case Kind::edit:
      return fmt::format("edits page {} of mm {}", page, cpu.tlb.loaded_mm.value);
    case Kind::exit_to_user:
      return "begins to return to user mode";
    case Kind::enter_kernel:
      return "enters the kernel";
  }
  return "?";
}

std::string cpu_text(const MmCpu& cpu) {
  std::vector<std::string> slots;
  for (std::size_t slot = 0; slot < kernel::kDynamicSlots; ++slot) {
    const kernel::TlbSlot& held = cpu.tlb.slots[slot];
    if (held.context_id < 2) continue;
    const auto& cached = cpu.cached[slot];
    slots.push_back(fmt::format("slot {}: mm {} to generation {}, pages as of {}.{} and {}.{}", slot,
                                held.context_id - 1, held.tlb_gen, cached[0][0].version, cached[0][1].version,
                                cached[1][0].version, cached[1][1].version));
  }
  return fmt::format("mm {}{}{}, {}", cpu.tlb.loaded_mm.value, cpu.tlb.is_lazy ? " lazily" : "",
                     cpu.half == Half::user ? " in user mode" : "", slots.empty() ? "no slots" : join(slots, ", "));
}

std::string mm_text(const Mm& mm) {
  return fmt::format("generation {}, mask {:b}, pages at {}.{}, settled {}.{}", mm.tlb_gen, mm.mask.bits, mm.version[0],
                     mm.version[1], mm.settled[0], mm.settled[1]);
}

}  // namespace

std::span<const Invariant<MmModel>> MmModel::invariants() const {
  static constexpr std::array<Invariant<MmModel>, 3> kAll{{
      {"NoStaleUse", "after a flush has returned, no CPU that may use the page has a translation from before the edit",
       no_stale_use},
      {"OwnTranslations", "what a CPU may use under its slot belongs to the mm it runs", own_translations},
      {"SlotNotAhead", "a slot never claims to be fresher than the mm's newest flush; else a later one is skipped",
       slot_not_ahead},
  }};
  return kAll;
}

std::string MmModel::describe(const State& before, const Action& action, const State& after) const {
  std::vector<std::string> changes;
  const auto note = [&](const std::string& name, const std::string& was, const std::string& is) {
    if (was != is) changes.push_back(fmt::format("{}: {} -> {}", name, was, is));
  };
  for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu)
    note(fmt::format("CPU {}", cpu), cpu_text(before.cpus[cpu]), cpu_text(after.cpus[cpu]));
  for (std::uint32_t mm = 1; mm <= setting_.mms; ++mm)
    note(fmt::format("mm {}", mm), mm_text(before.mms[mm]), mm_text(after.mms[mm]));
  return fmt::format("CPU {} {}{}", action.cpu, action_words(before, action),
                     changes.empty() ? "" : "  [" + join(changes, "; ") + "]");
}

}  // namespace tollgate::explored
