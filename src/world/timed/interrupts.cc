// Interrupts: messages between CPUs, the timer tick, acknowledgements.
#include <algorithm>

#include "base/check.h"
#include "world/timed/world.h"

namespace tollgate::world {

using evidence::Account;
using evidence::Event;
using hw::FigureId;

void World::post(CpuId target_id, Message message) {
  Cpu& target = cpu(target_id);
  const auto at = std::upper_bound(target.messages.begin(), target.messages.end(), message,
                                   [](const Message& a, const Message& b) { return a.arrival < b.arrival; });
  target.messages.insert(at, message);
  CHECK(target.step_began <= message.arrival, "no message reaches a CPU's past");
  if (target.waiting) resume_for_message(target);
}

Cycles World::next_interrupt(const Cpu& cpu) const {
  const Cycles message = cpu.messages.empty() ? kNever : cpu.messages.front().arrival;
  return cpu.idle ? message : std::min(message, cpu.next_tick);
}

/// How far a CPU may go in one stretch of instructions.
Cycles World::next_stop(const Cpu& cpu) const {
  Cycles stop = horizon_;
  if (cpu.interrupts_allowed()) stop = std::min(stop, next_interrupt(cpu));
  if (cpu.mode == Mode::user) stop = std::min(stop, cpu.in_kernel + cpu.next_observation);
  return stop;
}

bool World::interrupt_due(const Cpu& cpu) const { return next_interrupt(cpu) <= cpu.now && cpu.interrupts_allowed(); }

void World::take_message(Cpu& cpu) {
  const Message message = cpu.messages.front();
  cpu.messages.erase(cpu.messages.begin());
  if (message.kind == Message::Kind::wake) {
    make_runnable(cpu, TaskId(message.number));
    return;
  }
  if (cpu.mode == Mode::guest) {
    if (message.kind == Message::Kind::force_exit) cpu.events.add(Event::vm_exits_forced);
    interrupt_guest(cpu);
  }
  Routine& handler = cpu.push();
  handler.interrupt = true;
  handler.actions.push_back({.kind = Action::Kind::enter, .entry = Entry::interrupt});
  handler.actions.push_back({.kind = Action::Kind::begin_interrupt});
  if (message.kind == Message::Kind::flush)
    handler.actions.push_back({.kind = Action::Kind::handle_flush, .number = message.number});
  handler.actions.push_back({.kind = Action::Kind::acknowledge, .number = message.from});
  handler.actions.push_back({.kind = Action::Kind::leave, .entry = Entry::interrupt});
}

void World::take_tick(Cpu& cpu) {
  cpu.next_tick += tick_period_;
  const bool slice_over = cpu.running.valid() && !cpu.runnable.empty() && cpu.now >= cpu.slice_end;
  const bool in_guest = cpu.mode == Mode::guest;  // yields on the way back to it
  const bool yields = slice_over && !in_guest && cpu.preemptible();
  cpu.must_yield = slice_over && !yields;
  if (in_guest) interrupt_guest(cpu);
  Routine& tick = cpu.push();
  tick.interrupt = true;
  tick.actions.push_back({.kind = Action::Kind::enter, .entry = Entry::interrupt});
  tick.actions.push_back({.kind = Action::Kind::path, .path = own_paths_[cpu.id.value].tick});
  if (yields && task(cpu.running).vcpu) tick.actions.push_back({.kind = Action::Kind::put_vcpu});
  if (yields) tick.actions.push_back({.kind = Action::Kind::yield});
  tick.actions.push_back({.kind = Action::Kind::leave, .entry = Entry::interrupt});
}

void World::acknowledge(Cpu& cpu, std::uint32_t initiator_number) {
  Cpu& initiator = *cpus_[initiator_number];
  CHECK(initiator.acknowledgements_due > 0, "nobody waits for this acknowledgement");
  cpu.charge(Account::ipi_handling, price(FigureId::line_local));
  const Distance distance = topology_.distance(cpu.id, initiator.id);
  const FineCycles seen_after =
      price(distance == Distance::far ? FigureId::line_transfer_far : FigureId::line_transfer_near);
  initiator.last_acknowledgement =
      std::max(initiator.last_acknowledgement, cpu.now + Cycles(std::int64_t(seen_after >> kFineBits)));
  if (--initiator.acknowledgements_due == 0 && initiator.waiting) resume(initiator, initiator.last_acknowledgement);
}

hw::EditId World::announce(const kernel::FlushDebtState& debt, Cycles now) {
  watches_uses_ = cpus() > 1;
  const kernel::AddressSpace& space = mm(debt.mm).space;
  const std::uint32_t tables = root_of(debt.mm, kernel::View::kernel).table_identity(debt.first);
  return staleness_.on_table_write(
      {tables, debt.first, debt.pages << hw::pages_shift(debt.stride), space.next_version()}, now);
}

void World::settle(const kernel::FlushDebtState& debt, Cycles now) {
  frames_.give_back(debt.frames);
  if (watches_uses_)
    for (const std::uint64_t frame : debt.frames) staleness_.on_frame_reused(frame, now);
}

}  // namespace tollgate::world
