// Executing actions. Each returns true when the CPU may go on at once.
#include "base/check.h"
#include "world/timed/tlb_environment.h"
#include "world/timed/world.h"

namespace tollgate::world {

using evidence::Account;
using evidence::Event;
using hw::FigureId;
using kernel::PathStep;

kernel::FlushDebt Program::edit(World&, TaskId, std::uint32_t) {
  CHECK(false, "this program edits nothing");
  return kernel::FlushDebt({});
}

bool World::is_shared(const Action& action) {
  switch (action.kind) {
    case Action::Kind::populate:
    case Action::Kind::unprotect:
    case Action::Kind::edit:
    case Action::Kind::handle_flush:
    case Action::Kind::acknowledge:
    case Action::Kind::switch_mm:
    case Action::Kind::line:
    case Action::Kind::lock:
    case Action::Kind::unlock:
    case Action::Kind::wake:
    case Action::Kind::block:
    case Action::Kind::synchronise:
    case Action::Kind::enter_guest:
    case Action::Kind::put_vcpu:
    case Action::Kind::wait_vcpu:
      return true;
    default:
      return false;
  }
}

bool World::execute(Cpu& cpu, Routine& routine) {
  const Action& action = routine.actions[routine.at];
  switch (action.kind) {
    case Action::Kind::enter:
      enter(cpu, routine, action);
      return true;
    case Action::Kind::leave:
      leave(cpu, routine, action);
      return true;
    case Action::Kind::path:
      return run_path(cpu, routine, action);
    case Action::Kind::replay:
      return run_replay(cpu, routine, action);
    case Action::Kind::unprotect:
    case Action::Kind::edit:
      return run_edit(cpu, routine, action);
    case Action::Kind::handle_flush:
    case Action::Kind::switch_mm:
      return run_protocol(cpu, routine);
    case Action::Kind::enter_guest:
      return enter_guest(cpu, routine);
    case Action::Kind::run_guest:
      return run_guest(cpu, routine, action);
    case Action::Kind::wait_vcpu:
      return wait_vcpu(cpu, routine);
    case Action::Kind::lock:
      if (!take_lock(cpu, locks_[action.number])) return false;
      break;
    case Action::Kind::work:
      if (cpu.mode == Mode::user) observe_if_due(cpu);
      if (!spend(cpu, routine, work_in(cpu.mode), action.value, next_stop(cpu))) return true;
      break;
    case Action::Kind::block:
    case Action::Kind::yield:
    case Action::Kind::exit_task:
      give_up_cpu(cpu, routine, action.kind);
      return true;
    default:
      execute_at_once(cpu, action);
  }
  routine.next();
  return true;
}

/// Actions that are over as soon as they begin.
void World::execute_at_once(Cpu& cpu, const Action& action) {
  switch (action.kind) {
    case Action::Kind::populate: {
      kernel::AddressSpace& space = mm(task(cpu.running).mm).space;
      CHECK(space.area_of(action.value) != nullptr, "a program touches only its own areas");
      space.populate(action.value);  // nothing to do where another thread was first
      return;
    }
    case Action::Kind::acknowledge:
      return acknowledge(cpu, action.number);
    case Action::Kind::begin_interrupt:
      return cpu.charge(Account::ipi_handling, price(FigureId::ipi_handler));
    case Action::Kind::line:
      return touch_line(cpu, lines_[action.number]);
    case Action::Kind::unlock:
      return release_lock(cpu, locks_[action.number]);
    case Action::Kind::wake:
      return wake(cpu, TaskId(action.number));
    case Action::Kind::finish_operation:
      return cpu.events.add(Event::operations);
    case Action::Kind::synchronise:
      return;
    case Action::Kind::leave_guest:
      return leave_guest(cpu);
    case Action::Kind::load_vcpu:
      return load_vcpu(cpu);
    case Action::Kind::put_vcpu:
      cpu.events.add(Event::vcpu_preemptions);
      return put_vcpu(cpu);
    default:
      CHECK(false, "execute() serves the other kinds");
  }
}

/// The running task stops running: it waits for a wake, lets others go first, or is at its end.
void World::give_up_cpu(Cpu& cpu, Routine& routine, Action::Kind how) {
  if (how == Action::Kind::exit_task) {
    task(cpu.running).exited = true;
    --live_tasks_;
    switch_out(cpu, After::exited);
    return;
  }
  routine.next();
  if (how == Action::Kind::yield) {
    routine.interrupt = false;  // the scheduler turns interrupts on again
    switch_out(cpu, After::runnable);
  } else if (!std::exchange(task(cpu.running).wake_pending, false)) {
    switch_out(cpu, After::blocked);
  }
}

void World::enter(Cpu& cpu, Routine& routine, const Action& action) {
  static constexpr FigureId kPrices[3] = {FigureId::entry_syscall, FigureId::entry_exception,
                                          FigureId::entry_interrupt};
  const auto kind = static_cast<std::size_t>(action.entry);
  const Mode from = cpu.mode;
  cpu.entered_from.push_back(from);
  cpu.mode = Mode::kernel;  // the instruction that enters already counts as kernel time
  cpu.charge(Account::entry_exit, price(kPrices[kind]));
  if (from == Mode::user) {
    cpu.events.add(Event::kernel_entries);
    run_sequence(cpu, *sequences_.enter[kind]);
  }
  routine.next();
}

void World::leave(Cpu& cpu, Routine& routine, const Action& action) {
  const bool sysret = action.entry == Entry::syscall;
  const Mode back = cpu.entered_from.back();
  cpu.entered_from.pop_back();
  if (back == Mode::user) run_sequence(cpu, *(sysret ? sequences_.sysret : sequences_.iret));
  cpu.charge(Account::entry_exit, price(sysret ? FigureId::entry_sysret : FigureId::entry_iret));
  cpu.mode = back;
  routine.next();
}

/// Entry and exit code: short, with interrupts off, on pages that are always present.
void World::run_sequence(Cpu& cpu, const kernel::Path& path) {
  for (const PathStep& step : path) {
    switch (step.op) {
      case PathStep::Op::load_kernel_root:
        load_root(cpu, cpu.tlb.loaded_mm, kernel::View::kernel, cpu.tlb.loaded_slot, hw::NoFlush::set,
                  evidence::FlushCause::entry_cr3);
        continue;
      case PathStep::Op::load_user_root: {
        TimedEnvironment environment(*this, cpu);
        kernel::ExitToUser exit;
        while (exit.step(environment) != kernel::Step::done) {
        }
        continue;
      }
      default:
        break;
    }
    const hw::Vpn vpn = cpu.bases[static_cast<std::size_t>(step.place)] + step.offset;
    cpu.events.add(Event::references);
    CHECK(reference(cpu, static_cast<hw::Reference>(step.op), vpn), "entry code does not fault");
    cpu.events.add(Event::instructions_kernel, step.instructions);
    cpu.charge(Account::entry_exit, step.instructions * prices_.kernel_cpi);
  }
}

World::Work World::work_in(Mode mode) const {
  if (mode == Mode::user) return {Account::user_work, Event::instructions_user, prices_.user_cpi};
  return {Account::kernel_work, Event::instructions_kernel, prices_.kernel_cpi};
}

/// Charges what is left of `instructions`, but stops at `until`, since an interrupt may come in the middle. True when all
/// is charged.
bool World::spend(Cpu& cpu, Routine& routine, const Work& work, std::uint64_t instructions, Cycles until) {
  std::uint64_t now = instructions - routine.spent;
  const std::int64_t room = (until - cpu.now).value;
  const bool all = std::int64_t(now * work.cpi >> kFineBits) <= room;
  if (!all) [[unlikely]] {
    const std::uint64_t fitting = room > 0 && work.cpi > 0 ? (std::uint64_t(room) << kFineBits) / work.cpi : 0;
    now = std::min(now, std::max<std::uint64_t>(1, fitting));
  }
  cpu.events.add(work.instructions, now);
  cpu.charge(work.account, now * work.cpi);
  routine.spent += now;
  if (routine.spent < instructions) return false;
  routine.spent = 0;
  return true;
}

bool World::run_path(Cpu& cpu, Routine& routine, const Action& action) {
  const kernel::Path& path = *action.path;
  if (cpu.mode == Mode::user) observe_if_due(cpu);
  const Work work = work_in(cpu.mode);
  const Cycles until = next_stop(cpu);
  while (routine.cursor < path.size()) {
    const PathStep& step = path[routine.cursor];
    const hw::Vpn vpn = cpu.bases[static_cast<std::size_t>(step.place)] + step.offset;
    cpu.step_began = cpu.now;
    if (routine.spent == 0) cpu.events.add(Event::references);  // else it goes on where an interrupt stopped it
    if (!reference(cpu, static_cast<hw::Reference>(step.op), vpn)) return true;
    if (step.instructions != 0 && !spend(cpu, routine, work, step.instructions, until)) return true;
    ++routine.cursor;
    if (cpu.now >= until) break;
  }
  if (routine.cursor == path.size()) routine.next();
  return true;
}

bool World::run_replay(Cpu& cpu, Routine& routine, const Action& action) {
  observe_if_due(cpu);
  const Work work = work_in(Mode::user);
  const Cycles until = next_stop(cpu);
  while (routine.cursor < action.replay.size()) {
    const ReplayStep step = action.replay[routine.cursor];
    cpu.step_began = cpu.now;
    if (routine.spent == 0) cpu.events.add(Event::references);  // else it goes on where an interrupt stopped it
    if (!reference(cpu, step.reference(), step.vpn())) return true;
    if (step.instructions() != 0 && !spend(cpu, routine, work, step.instructions(), until)) return true;
    ++routine.cursor;
    if (cpu.now >= until) break;
  }
  if (routine.cursor == action.replay.size()) routine.next();
  return true;
}

/// Page-table edits: the edit itself, then its shootdown one labelled step at a time.
bool World::run_edit(Cpu& cpu, Routine& routine, const Action& action) {
  auto* shootdown = std::get_if<kernel::Shootdown<CpuSet>>(&routine.protocol);
  if (shootdown == nullptr) {
    Task& current = task(cpu.running);
    kernel::FlushDebt debt = action.kind == Action::Kind::edit ? current.program->edit(*this, current.id, action.number)
                                                               : mm(current.mm).space.make_writable(action.value);
    if (debt.empty()) {
      settle(std::move(debt).into_state(), cpu.now);
      routine.next();
      return true;
    }
    kernel::FlushDebtState owed = std::move(debt).into_state();
    routine.edit = announce(owed, cpu.now);
    routine.protocol = kernel::Shootdown<CpuSet>{.debt = std::move(owed)};
    return true;
  }
  TimedEnvironment environment(*this, cpu);
  switch (shootdown->step(environment)) {
    case kernel::Step::ran:
      return true;
    case kernel::Step::blocked:
      wait(cpu, Account::ipi_wait);
      return false;
    case kernel::Step::done:
      break;
  }
  if (shootdown->sent) cpu.wait_until(cpu.last_acknowledgement, Account::ipi_wait);
  staleness_.on_flush_finished(routine.edit, cpu.now);
  settle(shootdown->debt, cpu.now);
  routine.next();
  return true;
}

bool World::run_protocol(Cpu& cpu, Routine& routine) {
  const Action& action = routine.actions[routine.at];
  if (action.kind == Action::Kind::switch_mm && has_tags()) return load_tagged_mm(cpu, routine);
  if (std::holds_alternative<std::monostate>(routine.protocol)) {
    if (action.kind == Action::Kind::switch_mm)
      routine.protocol = kernel::SwitchMm{.next = task(cpu.running).mm};
    else
      routine.protocol = kernel::FlushHandler{.request = flushes_[action.number].request};
  }
  TimedEnvironment environment(*this, cpu);
  kernel::Step step = kernel::Step::ran;
  if (auto* switching = std::get_if<kernel::SwitchMm>(&routine.protocol)) step = switching->step(environment);
  if (auto* handler = std::get_if<kernel::FlushHandler>(&routine.protocol)) step = handler->step(environment);
  if (step != kernel::Step::done) return true;
  if (action.kind == Action::Kind::handle_flush && --flushes_[action.number].users == 0)
    free_flushes_.push_back(action.number);
  routine.next();
  return true;
}

}  // namespace tollgate::world
