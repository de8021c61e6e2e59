// A SmallWorld's schedule: everything a CPU may do next, and doing it. A test or a random stream picks; nothing here decides.
//
// What runs with interrupts off is what does in Linux: the mm switch, the way out to user mode, a handler, and the flusher's
// own part. A task that flushes stays on its CPU until the flush has returned.
#pragma once

#include "kernel/test_support/small_environment.h"

namespace tollgate::kernel::testing {

enum class Move : std::uint8_t {
  step,  // the running protocol's next labelled step
  take_interrupt,
  touch,         // a reference to user page `number`
  touch_kernel,  // a reference to kernel page `number`
  speculate,     // the walker runs ahead on user page `number`
  speculate_kernel,
  enter_kernel,
  leave_kernel,
  switch_mm,  // to mm `number`; 0 is init_mm
  go_lazy,    // a kernel thread borrows the loaded mm
  edit,       // write the entries of pages from `number` on, `pages` of them, and flush
  edit_kernel,
  count,
};

struct Choice {
  CpuId cpu;
  Move move = Move::step;
  std::uint32_t number = 0;
  std::uint32_t pages = 0;

  std::string text() const {
    static constexpr const char* kNames[] = {"step",         "take interrupt",   "touch",        "touch kernel",
                                             "speculate",    "speculate kernel", "enter kernel", "leave kernel",
                                             "switch to mm", "go lazy",          "edit",         "edit kernel"};
    return "CPU " + std::to_string(cpu.value) + ": " + kNames[std::size_t(move)] + " " + std::to_string(number) +
           (pages > 0 ? " + " + std::to_string(pages) : "");
  }
};

/// What a CPU in kernel mode may start; it runs no protocol.
inline void add_kernel_moves(const SmallWorld& world, CpuId id, std::vector<Choice>& out) {
  const SmallCpu& cpu = world.cpu(id);
  const bool has_user = cpu.tlb.loaded_mm != kInitMm && !cpu.tlb.is_lazy;
  for (std::uint32_t mm = 0; mm <= std::uint32_t(world.setup().mms); ++mm)
    if (MmId(mm) != cpu.tlb.loaded_mm || cpu.tlb.is_lazy) out.push_back({id, Move::switch_mm, mm});
  if (has_user) {
    out.push_back({id, Move::leave_kernel});
    out.push_back({id, Move::go_lazy});
    for (std::uint32_t first = 0; first < kUserPages; ++first)
      for (std::uint32_t pages = 1; first + pages <= kUserPages; ++pages) out.push_back({id, Move::edit, first, pages});
  }
  for (std::uint32_t first = 0; first < kKernelPages; first += 2)
    for (std::uint32_t pages = 1; first + pages <= kKernelPages; pages += 2)
      out.push_back({id, Move::edit_kernel, first, pages});
}

/// Everything this CPU may do next. A blocked step is among them: it changes nothing.
inline std::vector<Choice> enabled(const SmallWorld& world, CpuId id) {
  const SmallCpu& cpu = world.cpu(id);
  std::vector<Choice> out;
  if (cpu.busy() || cpu.flushing) out.push_back({id, Move::step});
  if (cpu.interrupts_on() && !cpu.inbox.empty()) out.push_back({id, Move::take_interrupt});
  for (std::uint32_t page = 0; page < kUserPages; ++page) out.push_back({id, Move::speculate, page});
  for (std::uint32_t page = 0; page < kKernelPages; ++page) out.push_back({id, Move::speculate_kernel, page});
  if (cpu.busy() || cpu.flushing) return out;
  if (cpu.tlb.loaded_mm != kInitMm && !cpu.tlb.is_lazy)
    for (std::uint32_t page = 0; page < kUserPages; ++page) out.push_back({id, Move::touch, page});
  if (cpu.in_user_mode) {
    out.push_back({id, Move::enter_kernel});
    return out;
  }
  for (std::uint32_t page = 0; page < kKernelPages; ++page) out.push_back({id, Move::touch_kernel, page});
  add_kernel_moves(world, id, out);
  return out;
}

/// Into the kernel: under PTI its root, and what its PCID holds stays.
inline void enter_kernel(const SmallWorld& world, SmallCpu& cpu) {
  cpu.in_user_mode = false;
  if (world.isolated()) write_cr3(world, cpu, cpu.tlb.loaded_mm, false, cpu.tlb.loaded_slot, hw::NoFlush::set);
}

inline void leave_kernel(const SmallWorld& world, SmallCpu& cpu) {
  if (world.isolated())
    cpu.leaving = ExitToUser{};
  else
    cpu.in_user_mode = true;
}

inline void start_edit(SmallWorld& world, SmallCpu& cpu, FlushRequest::Scope scope, hw::Vpn first, hw::Vpn pages) {
  const bool user = scope == FlushRequest::Scope::user;
  const MmId owner = user ? cpu.tlb.loaded_mm : kInitMm;
  cpu.edited_to.clear();
  for (hw::Vpn vpn = first; vpn < first + pages; ++vpn) cpu.edited_to.push_back(++world.page(owner, vpn).version);
  cpu.flushing = Shootdown<CpuSet>{.debt = {owner, first, pages, hw::PageSize::k4K, {}}, .scope = scope};
}

/// A flush has returned: from here on nobody may use what it took away.
inline void settle(SmallWorld& world, SmallCpu& cpu) {
  const Shootdown<CpuSet>& done = *cpu.flushing;
  for (std::size_t i = 0; i < cpu.edited_to.size(); ++i)
    world.page(done.debt.mm, done.debt.first + i).settled.push_back({cpu.edited_to[i], done.request.new_tlb_gen});
  ++world.counts.settled;
  cpu.flushing.reset();
}

inline void finish_handler(SmallWorld& world, SmallCpu& cpu) {
  cpu.handling.reset();
  SmallCpu& initiator = world.cpu(cpu.served.from);
  if (initiator.acknowledgements_due > 0) --initiator.acknowledgements_due;
  if (cpu.back_to_user_mode) leave_kernel(world, cpu);
  cpu.back_to_user_mode = false;
}

/// A handler's step, its own or one asked for, with the mutations that lie in what it does to its CPU's variables.
template <typename Run>
Step step_handler(SmallWorld& world, SmallCpu& cpu, const FlushHandler& handler, Run run) {
  const CpuTlbState before = cpu.tlb;
  const FlushHandler::Label label = handler.label;
  const int full_before = world.counts.full;
  const MmId mm = handler.request.mm;
  if (label == FlushHandler::Label::check && cpu.tlb.is_lazy && cpu.tlb.loaded_mm == mm) ++world.counts.lazy_leaves;
  const Step result = run();
  const bool full = world.counts.full > full_before;
  if (label == FlushHandler::Label::flush) {
    if (world.is(full ? Mutation::user_pcid_not_queued_at_full_flush : Mutation::user_pcid_not_queued_at_page_flush))
      cpu.tlb.user_flush_mask = before.user_flush_mask;
  }
  if (label == FlushHandler::Label::publish && world.is(Mutation::gen_read_again_at_publish))
    cpu.tlb.slots[cpu.tlb.loaded_slot].tlb_gen = world.mm(mm).tlb_gen;
  if (label == FlushHandler::Label::flush_kernel && world.is(Mutation::other_slots_kept_after_kernel_flush))
    cpu.tlb.invalidate_other = before.invalidate_other;
  return result;
}

inline void step_switch(SmallWorld& world, SmallCpu& cpu, SmallEnvironment& environment) {
  const std::uint8_t mask = cpu.tlb.user_flush_mask;
  const Step result = cpu.switching->step(environment);
  if (world.is(Mutation::user_pcid_not_queued_at_switch)) cpu.tlb.user_flush_mask = mask;
  if (result == Step::done) cpu.switching.reset();
}

inline void step_shootdown(SmallWorld& world, SmallCpu& cpu, SmallEnvironment& environment) {
  Shootdown<CpuSet>& flushing = *cpu.flushing;
  if (cpu.late_bump.valid() && flushing.label != Shootdown<CpuSet>::Label::read_mask)
    ++world.mm(std::exchange(cpu.late_bump, MmId::none())).tlb_gen;
  const auto run = [&] { return flushing.step(environment); };
  const bool own = flushing.label == Shootdown<CpuSet>::Label::local;
  if ((own ? step_handler(world, cpu, flushing.own, run) : run()) == Step::done) settle(world, cpu);
}

/// The next labelled step of what runs on top.
inline void step(SmallWorld& world, CpuId id) {
  SmallCpu& cpu = world.cpu(id);
  SmallEnvironment environment(world, id);
  if (cpu.handling) {
    const auto run = [&] { return cpu.handling->step(environment); };
    if (step_handler(world, cpu, *cpu.handling, run) == Step::done) finish_handler(world, cpu);
  } else if (cpu.switching) {
    step_switch(world, cpu, environment);
  } else if (cpu.leaving) {
    if (cpu.leaving->step(environment) == Step::done) {
      cpu.leaving.reset();
      cpu.in_user_mode = true;
    }
  } else if (cpu.flushing) {
    step_shootdown(world, cpu, environment);
  }
}

inline void take_interrupt(SmallWorld& world, SmallCpu& cpu) {
  cpu.served = cpu.inbox.front();
  cpu.inbox.erase(cpu.inbox.begin());
  cpu.back_to_user_mode = cpu.in_user_mode;
  if (cpu.in_user_mode) enter_kernel(world, cpu);
  cpu.handling = FlushHandler{.request = cpu.served.request};
}

inline void perform(SmallWorld& world, const Choice& choice) {
  SmallCpu& cpu = world.cpu(choice.cpu);
  switch (choice.move) {
    case Move::step:
      step(world, choice.cpu);
      break;
    case Move::take_interrupt:
      take_interrupt(world, cpu);
      break;
    case Move::touch:
      touch(world, choice.cpu, choice.number);
      break;
    case Move::touch_kernel:
      touch(world, choice.cpu, hw::kKernelHalf + choice.number);
      break;
    case Move::speculate:
      fill(world, cpu, choice.number);
      break;
    case Move::speculate_kernel:
      fill(world, cpu, hw::kKernelHalf + choice.number);
      break;
    case Move::enter_kernel:
      enter_kernel(world, cpu);
      break;
    case Move::leave_kernel:
      leave_kernel(world, cpu);
      break;
    case Move::switch_mm:
      cpu.switching = SwitchMm{.next = MmId(choice.number)};
      break;
    case Move::go_lazy:
      cpu.tlb.is_lazy = true;
      break;
    case Move::edit:
      start_edit(world, cpu, FlushRequest::Scope::user, choice.number, choice.pages);
      break;
    case Move::edit_kernel:
      start_edit(world, cpu, FlushRequest::Scope::kernel, hw::kKernelHalf + choice.number, choice.pages);
      break;
    case Move::count:
      break;
  }
}

}  // namespace tollgate::kernel::testing
