#include "world/explored/mm_model.h"

#include <algorithm>

#include "base/check.h"

namespace tollgate::explored {

using kernel::Step;

MmModel::State MmModel::initial() const {
  State state;
  // Slots start as the kernel's own: init_mm's context, as after boot.
  for (MmCpu& cpu : state.cpus) cpu.tlb.slots[0] = {1, 1};
  return state;
}

std::size_t MmModel::enabled(const State& state, std::uint8_t number, std::array<Action, 16>& actions) const {
  using Kind = MmAction::Kind;
  const MmCpu& cpu = state.cpus[number];
  std::size_t count = 0;
  const auto add = [&](Kind kind, std::uint32_t choice = 0) {
    actions[count++] = {number, kind, std::uint8_t(choice)};
  };
  if (cpu.handling != 0) {
    add(Kind::handle);
    return count;
  }
  // Interrupts are off while an mm is switched, a root written or the own TLB flushed.
  const bool open = cpu.doing == Doing::nothing ||
                    (cpu.doing == Doing::flushing && cpu.flushing.label != decltype(cpu.flushing)::Label::local);
  if (open)
    for (std::uint32_t sender = 0; sender < setting_.cpus; ++sender)
      if (cpu.senders.contains(sender)) add(Kind::take_request, sender);
  if (cpu.doing != Doing::nothing) {
    add(Kind::step);
    return count;
  }
  if (cpu.half == Half::user) {
    add(Kind::enter_kernel);
    return count;
  }
  for (std::uint32_t mm = 1; mm <= setting_.mms; ++mm) add(Kind::switch_to, mm);
  if (cpu.tlb.loaded_mm == kernel::kInitMm || cpu.tlb.is_lazy) return count;
  add(Kind::go_lazy);
  if (state.edits < setting_.edits)
    for (std::uint32_t page = 0; page < kPages; ++page) add(Kind::edit, page);
  if (setting_.policy.pti == kernel::Pti::on) add(Kind::exit_to_user);
  return count;
}

bool MmModel::step(State& state, MmCpu& cpu, MmWorld& world) const {
  Step step = Step::done;
  switch (cpu.doing) {
    case Doing::nothing:
      return false;
    case Doing::switching:
      step = cpu.switching.step(world);
      break;
    case Doing::exiting:
      step = cpu.exiting.step(world);
      break;
    case Doing::flushing:
      step = cpu.flushing.step(world);
      break;
  }
  if (step == Step::blocked) return false;
  if (step == Step::ran) return true;
  if (cpu.doing == Doing::flushing) {
    std::uint8_t& settled = state.mms[cpu.flushing.debt.mm.value].settled[cpu.edited_page];
    settled = std::max(settled, cpu.edited_version);
  }
  cpu.doing = Doing::nothing;
  cpu.switching = {};
  cpu.exiting = {};
  cpu.flushing = {};
  cpu.edited_page = cpu.edited_version = 0;
  return true;
}

void MmModel::handle(State& state, MmCpu& cpu, std::uint8_t number, MmWorld& world) const {
  if (cpu.handler.step(world) != Step::done) return;
  state.cpus[cpu.handling - 1u].acknowledgements_due.remove(number);
  cpu.handling = 0;
  cpu.handler = {};
}

void MmModel::start_edit(State& state, MmCpu& cpu, std::uint8_t page) const {
  ++state.edits;
  cpu.edited_page = page;
  cpu.edited_version = ++state.mms[cpu.tlb.loaded_mm.value].version[page];
  cpu.doing = Doing::flushing;
  cpu.flushing = {};
  cpu.flushing.debt.mm = cpu.tlb.loaded_mm;
  cpu.flushing.debt.first = page;
  cpu.flushing.debt.pages = 1;
}

bool MmModel::apply(State& state, const Action& action) const {
  using Kind = MmAction::Kind;
  MmWorld world(setting_, state, action.cpu);
  MmCpu& cpu = state.cpus[action.cpu];
  State before;
  if (hooks_.after != nullptr) before = state;
  switch (action.kind) {
    case Kind::step:
      if (!step(state, cpu, world)) return false;
      break;
    case Kind::handle:
      handle(state, cpu, action.cpu, world);
      break;
    case Kind::take_request:
      cpu.half =
          Half::kernel;  // an interrupt from user mode: the entry code loads the kernel's root and flushes nothing
      cpu.handling = std::uint8_t(action.choice + 1);
      cpu.handler = {};
      cpu.handler.request = cpu.inbox[action.choice];
      cpu.inbox[action.choice] = {};
      cpu.senders.remove(action.choice);
      break;
    case Kind::switch_to:
      cpu.doing = Doing::switching;
      cpu.switching = {MmId(action.choice)};
      break;
    case Kind::go_lazy:
      cpu.tlb.is_lazy = true;
      break;
    case Kind::edit:
      start_edit(state, cpu, action.choice);
      break;
    case Kind::exit_to_user:
      cpu.doing = Doing::exiting;
      break;
    case Kind::enter_kernel:
      cpu.half = Half::kernel;
      break;
  }
  if (hooks_.after != nullptr) hooks_.after(before, state, action);
  fill(state);
  return true;
}

bool MmModel::somebody_waits(const State& state) const {
  return std::any_of(state.cpus.begin(), state.cpus.begin() + setting_.cpus, [](const MmCpu& cpu) {
    return cpu.doing != Doing::nothing || cpu.handling != 0 || !cpu.senders.empty();
  });
}

bool MmModel::help(State& state) const {
  using Kind = MmAction::Kind;
  std::array<Action, 16> actions;
  for (const bool requests : {true, false})
    for (std::uint8_t cpu = 0; cpu < setting_.cpus; ++cpu) {
      const std::size_t count = enabled(state, cpu, actions);
      for (std::size_t at = 0; at < count; ++at) {
        const Kind kind = actions[at].kind;
        const bool helps = requests ? kind == Kind::handle || kind == Kind::take_request : kind == Kind::step;
        if (helps && apply(state, actions[at])) return true;
      }
    }
  return false;
}

void MmModel::fill(State& state) const {
  for (std::uint32_t number = 0; number < setting_.cpus; ++number) {
    MmCpu& cpu = state.cpus[number];
    const MmId mm = cpu.tlb.loaded_mm;
    if (mm == kernel::kInitMm) continue;
    auto& entries = cpu.cached[cpu.tlb.loaded_slot][std::size_t(cpu.half)];
    for (std::size_t page = 0; page < kPages; ++page)
      if (entries[page].version == 0) entries[page] = {std::uint8_t(mm.value), state.mms[mm.value].version[page]};
  }
}

}  // namespace tollgate::explored
