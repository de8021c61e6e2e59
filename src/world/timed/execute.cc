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
    case Action::Kind::block: return true;
    default: return false;
  }
}

bool World::execute(Cpu& cpu, Routine& routine) {
  const Action action = routine.actions[routine.at];
  switch (action.kind) {
    case Action::Kind::enter: enter(cpu, routine, action); return true;
    case Action::Kind::leave: leave(cpu, routine, action); return true;
    case Action::Kind::path: return run_path(cpu, routine, action);
    case Action::Kind::replay: return run_replay(cpu, routine, action);
    case Action::Kind::unprotect:
    case Action::Kind::edit: return run_edit(cpu, routine, action);
    case Action::Kind::handle_flush:
    case Action::Kind::switch_mm: return run_protocol(cpu, routine);
    case Action::Kind::lock:
      if (!take_lock(cpu, locks_[action.number])) return false;
      break;
    case Action::Kind::populate: {
      kernel::AddressSpace& space = mm(task(cpu.running).mm).space;
      CHECK(space.area_of(action.value) != nullptr, "a program touches only its own areas");
      space.populate(action.value);  // nothing to do where another thread was first
      break;
    }
    case Action::Kind::acknowledge: acknowledge(cpu, action.number); break;
    case Action::Kind::begin_interrupt: cpu.charge(Account::ipi_handling, price(FigureId::ipi_handler)); break;
    case Action::Kind::line: touch_line(cpu, lines_[action.number]); break;
    case Action::Kind::unlock: release_lock(cpu, locks_[action.number]); break;
    case Action::Kind::work: {
      const bool user = cpu.mode == Mode::user;
      cpu.events.add(user ? Event::instructions_user : Event::instructions_kernel, action.value);
      cpu.charge(user ? Account::user_work : Account::kernel_work,
                 action.value * (user ? prices_.user_cpi : prices_.kernel_cpi));
      break;
    }
    case Action::Kind::wake: {
      const CpuId target = task(TaskId(action.number)).cpu;
      const Cycles latency(std::int64_t(price(FigureId::ipi_latency) >> kFineBits));
      if (target == cpu.id)
        make_runnable(cpu, TaskId(action.number));
      else
        post(target, {cpu.now + latency, Message::Kind::wake, cpu.id.value, action.number});
      break;
    }
    case Action::Kind::block: {
      routine.next();
      Task& current = task(cpu.running);
      if (!std::exchange(current.wake_pending, false)) switch_out(cpu, After::blocked);
      return true;
    }
    case Action::Kind::yield:
      routine.next();
      switch_out(cpu, After::runnable);
      return true;
    case Action::Kind::finish_operation: cpu.events.add(Event::operations); break;
    case Action::Kind::exit_task:
      task(cpu.running).exited = true;
      --live_tasks_;
      switch_out(cpu, After::exited);
      return true;
  }
  routine.next();
  return true;
}

void World::enter(Cpu& cpu, Routine& routine, const Action& action) {
  static const std::string kNames[3][2] = {{"syscall.plain", "syscall.pti"},
                                           {"exception.plain", "exception.pti"},
                                           {"interrupt.plain", "interrupt.pti"}};
  static constexpr FigureId kPrices[3] = {FigureId::entry_syscall, FigureId::entry_exception, FigureId::entry_interrupt};
  const auto kind = static_cast<std::size_t>(action.entry);
  cpu.charge(Account::entry_exit, price(kPrices[kind]));
  cpu.entered_from.push_back(cpu.mode);
  if (cpu.mode == Mode::user) {
    cpu.events.add(Event::kernel_entries);
    run_sequence(cpu, era().sequence(kNames[kind][setup_.policy.pti == kernel::Pti::on]));
  }
  cpu.mode = Mode::kernel;
  routine.next();
}

void World::leave(Cpu& cpu, Routine& routine, const Action& action) {
  static const std::string kNames[2][2] = {{"iret.plain", "iret.pti"}, {"sysret.plain", "sysret.pti"}};
  const bool sysret = action.entry == Entry::syscall;
  const Mode back = cpu.entered_from.back();
  cpu.entered_from.pop_back();
  if (back == Mode::user) run_sequence(cpu, era().sequence(kNames[sysret][setup_.policy.pti == kernel::Pti::on]));
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
      default: break;
    }
    const hw::Vpn vpn = cpu.bases[static_cast<std::size_t>(step.place)] + step.offset;
    CHECK(reference(cpu, static_cast<hw::Reference>(step.op), vpn), "entry code does not fault");
    cpu.events.add(Event::instructions_kernel, step.instructions);
    cpu.charge(Account::entry_exit, step.instructions * prices_.kernel_cpi);
  }
}

bool World::run_path(Cpu& cpu, Routine& routine, const Action& action) {
  const kernel::Path& path = *action.path;
  const bool user = cpu.mode == Mode::user;
  const Account work = user ? Account::user_work : Account::kernel_work;
  const Event instructions = user ? Event::instructions_user : Event::instructions_kernel;
  const FineCycles cpi = user ? prices_.user_cpi : prices_.kernel_cpi;
  const Cycles until = std::min(horizon_, next_interrupt(cpu));
  if (user && cpu.now >= cpu.next_observation) observe(cpu);
  while (routine.cursor < path.size()) {
    const PathStep& step = path[routine.cursor];
    const hw::Vpn vpn = cpu.bases[static_cast<std::size_t>(step.place)] + step.offset;
    if (!reference(cpu, static_cast<hw::Reference>(step.op), vpn)) return true;
    ++routine.cursor;
    if (step.instructions != 0) {
      cpu.events.add(instructions, step.instructions);
      cpu.charge(work, step.instructions * cpi);
    }
    if (cpu.now >= until) break;
  }
  if (routine.cursor == path.size()) routine.next();
  return true;
}

bool World::run_replay(Cpu& cpu, Routine& routine, const Action& action) {
  const Cycles until = std::min(horizon_, next_interrupt(cpu));
  if (cpu.now >= cpu.next_observation) observe(cpu);
  while (routine.cursor < action.replay.size()) {
    const ReplayStep step = action.replay[routine.cursor];
    if (!reference(cpu, step.reference(), step.vpn())) return true;
    ++routine.cursor;
    if (step.instructions() != 0) {
      cpu.events.add(Event::instructions_user, step.instructions());
      cpu.charge(Account::user_work, step.instructions() * prices_.user_cpi);
      if (cpu.now >= until) break;
    }
  }
  if (routine.cursor == action.replay.size()) routine.next();
  return true;
}

/// Page-table edits: the edit itself, then its shootdown one labelled step at a time.
bool World::run_edit(Cpu& cpu, Routine& routine, const Action& action) {
  auto* shootdown = std::get_if<kernel::Shootdown<CpuSet>>(&routine.protocol);
  if (shootdown == nullptr) {
    Task& current = task(cpu.running);
    kernel::FlushDebt debt = action.kind == Action::Kind::edit
                                 ? current.program->edit(*this, current.id, action.number)
                                 : mm(current.mm).space.make_writable(action.value);
    if (debt.empty()) {
      settle(std::move(debt).into_state());
      routine.next();
      return true;
    }
    routine.protocol = kernel::Shootdown<CpuSet>{.debt = std::move(debt).into_state()};
    return true;
  }
  TimedEnvironment environment(*this, cpu);
  switch (shootdown->step(environment)) {
    case kernel::Step::ran: return true;
    case kernel::Step::blocked: wait(cpu, Account::ipi_wait); return false;
    case kernel::Step::done: break;
  }
  if (shootdown->sent) cpu.wait_until(cpu.last_acknowledgement, Account::ipi_wait);
  settle(shootdown->debt);
  routine.next();
  return true;
}

bool World::run_protocol(Cpu& cpu, Routine& routine) {
  const Action& action = routine.actions[routine.at];
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
