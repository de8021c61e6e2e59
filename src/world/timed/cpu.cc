#include "world/timed/cpu.h"

#include "base/check.h"

namespace tollgate::world {

// Charges what lies before the window's edge, takes the snapshot there, and returns what is left to charge.
Cycles Cpu::split_at_edge(evidence::Account account, Cycles amount) {
  while (now + amount >= window_edge) {
    const Cycles before = window_edge > now ? window_edge - now : Cycles(0);
    ledger.charge(account, before);
    now += before;
    if (mode == Mode::kernel) in_kernel += before;
    amount -= before;
    snapshots.push_back({ledger, events, in_kernel});
    window_edge = window_edge == window_end_ ? kNever : window_end_;
  }
  return amount;
}

bool Cpu::interrupts_allowed() const {
  if (interrupts_off > 0) return false;
  for (std::size_t i = 0; i < depth_; ++i)
    if (routines_[i].interrupt) return false;
  if (depth_ == 0) return true;
  const Routine& routine = top();
  if (routine.at >= routine.actions.size()) return true;
  switch (routine.actions[routine.at].kind) {
    case Action::Kind::enter:
    case Action::Kind::leave:
    case Action::Kind::switch_mm:
    case Action::Kind::handle_flush:
    case Action::Kind::acknowledge:
    case Action::Kind::begin_interrupt:
      return false;
    case Action::Kind::unprotect:
    case Action::Kind::edit: {
      const auto* shootdown = std::get_if<kernel::Shootdown<CpuSet>>(&routine.protocol);
      return shootdown == nullptr || !shootdown->interrupts_off();
    }
    default:
      return true;
  }
}

bool Cpu::preemptible() const {
  return depth_ == 1 && locks == 0 && std::holds_alternative<std::monostate>(top().protocol);
}

Routine& Cpu::push() {
  CHECK(depth_ < routines_.size(), "routines nest: task, fault, interrupt and switch at most");
  Routine& routine = routines_[depth_++];
  routine.clear();
  return routine;
}

}  // namespace tollgate::world
