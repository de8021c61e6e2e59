// A simple fair scheduler: every CPU serves its own tasks in turn, a slice each; a woken task goes to the end of the turn.
#include <algorithm>

#include "base/check.h"
#include "world/timed/world.h"

namespace tollgate::world {

using evidence::Account;
using evidence::Event;

namespace {
constexpr int kSliceTicks = 1;
}

/// Gives an empty CPU something to do. False when it waits.
bool World::next_routine(Cpu& cpu) {
  if (cpu.must_yield && cpu.locks == 0) {
    if (task(cpu.running).vcpu) {
      give_way(cpu);
      return true;
    }
    switch_out(cpu, After::runnable);
  }
  if (cpu.running.valid()) {
    Routine& routine = cpu.push();
    Task& current = task(cpu.running);
    current.program->next(*this, current.id, routine.actions);
    CHECK(!routine.actions.empty(), "a program's routine has at least one action");
    return true;
  }
  if (!cpu.runnable.empty()) {
    const TaskId next = cpu.runnable.front();
    cpu.runnable.pop_front();
    switch_in(cpu, next);
    return true;
  }
  if (!cpu.idle) {
    cpu.idle = true;
    cpu.tlb.is_lazy = cpu.tlb.loaded_mm != kernel::kInitMm;
    Routine& routine = cpu.push();
    routine.actions.push_back({.kind = Action::Kind::path, .path = own_paths_[cpu.id.value].schedule});
    return true;
  }
  wait(cpu, Account::idle);
  return false;
}

void World::switch_out(Cpu& cpu, After after) {
  Task& current = task(cpu.running);
  current.mode = cpu.mode;
  current.entered_from = cpu.entered_from;
  current.routines.clear();
  while (cpu.depth() > 0) {
    current.routines.insert(current.routines.begin(), std::move(cpu.top()));
    cpu.pop();
  }
  cpu.entered_from.clear();
  cpu.mode = Mode::kernel;
  cpu.running = TaskId::none();
  cpu.must_yield = false;
  if (after == After::runnable) cpu.runnable.push_back(current.id);
  if (after == After::blocked) current.blocked = true;
}

void World::switch_in(Cpu& cpu, TaskId next) {
  Task& task_in = task(next);
  cpu.idle = false;
  cpu.running = next;
  cpu.mode = task_in.mode;
  cpu.entered_from = task_in.entered_from;
  cpu.slice_end = cpu.now + (tick_period_ == kNever ? Cycles(0) : tick_period_ * kSliceTicks);
  if (cpu.next_tick < cpu.now && tick_period_ != kNever)
    cpu.next_tick += tick_period_ * ((cpu.now - cpu.next_tick).value / tick_period_.value + 1);
  cpu.events.add(Event::context_switches);
  for (Routine& routine : task_in.routines) cpu.push() = std::move(routine);
  task_in.routines.clear();
  Routine& switching = cpu.push();
  switching.actions.push_back({.kind = Action::Kind::path, .path = own_paths_[cpu.id.value].schedule});
  switching.actions.push_back({.kind = Action::Kind::switch_mm});
  if (task_in.vcpu) switching.actions.push_back({.kind = Action::Kind::load_vcpu});
  place_task(cpu, task_in);
}

void World::place_task(Cpu& cpu, const Task& of) {
  const auto put = [&](kernel::Place place, hw::Vpn base) { cpu.bases[static_cast<std::size_t>(place)] = base; };
  put(kernel::Place::task_stack, kernel_map_.task_stack(of.id.value));
  put(kernel::Place::task_objects, kernel_map_.direct_map() + hw::Vpn{512} * (1 + of.id.value % 1024));
  put(kernel::Place::user_code, of.code);
  put(kernel::Place::user_stack, of.stack);
  put(kernel::Place::user_data, of.data);
}

void World::wake(Cpu& cpu, TaskId id) {
  const CpuId target = task(id).cpu;
  const Cycles latency(std::int64_t(price(hw::FigureId::ipi_latency) >> kFineBits));
  if (target == cpu.id)
    make_runnable(cpu, id);
  else
    post(target, {cpu.now + latency, Message::Kind::wake, cpu.id.value, id.value});
}

void World::make_runnable(Cpu& cpu, TaskId id) {
  Task& woken = task(id);
  if (woken.exited) return;
  if (!woken.blocked) {
    woken.wake_pending = true;
    return;
  }
  woken.blocked = false;
  cpu.runnable.push_back(id);
  if (cpu.waiting && cpu.idle) resume(cpu, cpu.now);
}

void World::wait(Cpu& cpu, Account account) {
  cpu.waiting = true;
  cpu.waiting_for = account;
  resume_for_message(cpu);
}

void World::resume_for_message(Cpu& cpu) {
  if (cpu.messages.empty() || !cpu.interrupts_allowed()) return;
  resume(cpu, std::max(cpu.now, cpu.messages.front().arrival));
}

/// A waiting CPU goes on at `time`, or earlier where it was already due.
void World::resume(Cpu& cpu, Cycles time) {
  if (time < cpu.queued_for) enqueue(cpu, time);
}

}  // namespace tollgate::world
