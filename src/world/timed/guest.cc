// Guests: VMs and their vCPUs. A vCPU is a task whose program goes round KVM's run loop: bring the VMID up to date, enter, run,
// exit, handle. Models arch/arm64/kvm/arm.c and virt/kvm/kvm_main.c of 5.14, with VHE.
#include "base/check.h"
#include "world/timed/tag_environment.h"
#include "world/timed/world.h"

namespace tollgate::world {

using evidence::Account;
using evidence::Event;
using hw::FigureId;
using kernel::Step;
using kernel::VmidAllocator;

VmId World::create_vm(const GuestLayout& layout) {
  CHECK(vmids_, "the caller checks that the machine has VMIDs");
  CHECK(vms_.size() < kMostVms && layout.processes <= kMostGuestProcesses,
        "the caller checks how many guests there are");
  const VmId id(std::uint32_t(vms_.size()));
  Vm& vm = vms_.emplace_back(Vm{create_mm(), layout, {}});
  for (std::uint32_t process = 0; process < layout.processes; ++process)
    vm.processes.push_back(std::make_unique<GuestRoot>(id, process, vm.layout));
  vmids_->contexts.emplace_back();
  return id;
}

TaskId World::create_vcpu(VmId vm, CpuId cpu, std::unique_ptr<Program> program) {
  const TaskId id = create_task(vms_[vm.value].mm, cpu, std::move(program));
  Task& created = task(id);
  created.vcpu = Vcpu{.vm = vm};
  created.entered_from.clear();  // it is in the kernel for good: the ioctl never returns
  created.routines.clear();
  return id;
}

/// The host's own switch of address spaces: its ASID allocator, then the base register.
bool World::load_tagged_mm(Cpu& cpu, Routine& routine) {
  const MmId next = task(cpu.running).mm;
  if (cpu.tlb.loaded_mm == next) {
    routine.next();
    return true;
  }
  using Update = kernel::BitmapUpdate<CpuRange>;
  if (std::holds_alternative<std::monostate>(routine.protocol)) routine.protocol = Update{};
  TimedTagEnvironment environment(*this, cpu, TimedTagEnvironment::Whose::host, next.value);
  const Step step = std::get<Update>(routine.protocol).step(environment);
  if (step != Step::done) return step == Step::ran;
  cpu.events.add(Event::mm_switches);
  cpu.events.add(Event::cr3_writes);
  cpu.mmu.write_cr3(root_of(next, kernel::View::kernel), asids_->contexts[next.value].tag.index, hw::NoFlush::set,
                    evidence::FlushCause::mm_switch);
  cpu.charge(Account::cr3_write, price(FigureId::cr3_write));
  cpu.tlb.loaded_mm = next;
  routine.next();
  return true;
}

bool World::enter_guest(Cpu& cpu, Routine& routine) {
  const Vcpu& vcpu = *task(cpu.running).vcpu;
  const bool counter = setup_.policy.vmid == VmidAllocator::v5_14;
  if (std::holds_alternative<std::monostate>(routine.protocol)) {
    if (cpu.must_yield) {
      give_way(cpu);
      return true;
    }
    if (counter)
      routine.protocol = kernel::CounterUpdate{};
    else
      routine.protocol = kernel::BitmapUpdate<CpuRange>{};
  }
  TimedTagEnvironment environment(*this, cpu, TimedTagEnvironment::Whose::guests, vcpu.vm.value);
  const Step step = counter ? std::get<kernel::CounterUpdate>(routine.protocol).step(environment)
                            : std::get<kernel::BitmapUpdate<CpuRange>>(routine.protocol).step(environment);
  if (step != Step::done) return step == Step::ran;
  cpu.charge(Account::vm_exit, price(FigureId::vm_entry));
  const std::uint32_t process = routine.actions[routine.at].number;
  cpu.mmu.enter_guest(*vms_[vcpu.vm.value].processes[process], vmids_->contexts[vcpu.vm.value].tag.index, process + 1);
  cpu.mode = Mode::guest;
  task(cpu.running).vcpu->process = process;
  if (counter) environment.enable_interrupts();
  routine.next();
  return true;
}

// The guest's references first, then its work in one piece: an interrupt finds it wherever it is in that.
bool World::run_guest(Cpu& cpu, Routine& routine, const Action& action) {
  note_guest_time(cpu);
  const Cycles until = next_stop(cpu);
  while (routine.cursor < action.path->size()) {
    if (cpu.now >= until) return true;
    const kernel::PathStep& step = (*action.path)[routine.cursor++];
    cpu.step_began = cpu.now;
    cpu.events.add(Event::references);
    CHECK(reference(cpu, static_cast<hw::Reference>(step.op), step.offset), "guests touch their own pages only");
  }
  const auto left = std::int64_t(action.value) - std::int64_t(routine.spent);
  if (left <= 0) {
    routine.next();
    return true;
  }
  cpu.guest_since = cpu.now;
  cpu.waiting = true;
  cpu.waiting_for = Account::guest_work;
  enqueue(cpu, std::max(cpu.now, std::min(cpu.now + Cycles(left), next_interrupt(cpu))));
  return false;
}

/// The work that the guest has done since it went on undisturbed.
void World::note_guest_time(Cpu& cpu) {
  if (cpu.guest_since == kNever) return;
  cpu.top().spent += std::uint64_t((cpu.now - cpu.guest_since).value);
  cpu.guest_since = kNever;
}

void World::leave_guest(Cpu& cpu) {
  cpu.mmu.leave_guest();
  cpu.mode = Mode::kernel;
  cpu.events.add(Event::vm_exits);
  cpu.charge(Account::vm_exit, price(FigureId::vm_exit));
}

/// An interrupt of the host's ends the guest's run; the guest goes on where it was, once it is entered again.
void World::interrupt_guest(Cpu& cpu) {
  note_guest_time(cpu);
  leave_guest(cpu);
  cpu.push().actions.push_back({.kind = Action::Kind::enter_guest, .number = task(cpu.running).vcpu->process});
}

void World::load_vcpu(Cpu& cpu) {
  cpu.events.add(Event::vcpu_loads);
  cpu.charge(Account::vcpu_load, price(FigureId::vcpu_load));
}

void World::put_vcpu(Cpu& cpu) {
  using Out = kernel::TagPolicy::ScheduleOut;
  cpu.charge(Account::vcpu_load, price(FigureId::vcpu_put));
  TimedTagEnvironment environment(*this, cpu, TimedTagEnvironment::Whose::guests, task(cpu.running).vcpu->vm.value);
  if (vmids_->policy.schedule_out == Out::clear) environment.store_active(kernel::kNoTag);
  if (vmids_->policy.schedule_out == Out::mark_invalid) environment.store_active(kernel::kInvalidTag);
}

/// The scheduler wants the CPU for another task.
void World::give_way(Cpu& cpu) {
  Routine& away = cpu.push();
  away.actions.push_back({.kind = Action::Kind::put_vcpu});
  away.actions.push_back({.kind = Action::Kind::yield});
}

// The cursor says how far a wait is: 0 begins, 1 polls, 2 was blocked. Nobody polls while another task wants the CPU.
bool World::wait_vcpu(Cpu& cpu, Routine& routine) {
  Task& current = task(cpu.running);
  Vcpu& vcpu = *current.vcpu;
  const double ghz = setup_.machine->value(FigureId::clock_ghz);
  if (routine.cursor == 0) {
    cpu.events.add(Event::vcpu_waits);
    vcpu.waits_since = cpu.now;
  }
  if (routine.cursor == 2 || std::exchange(current.wake_pending, false)) {
    if (routine.cursor != 2) cpu.events.add(Event::vcpu_waits_polled);
    const auto waited = std::int64_t(double((cpu.now - vcpu.waits_since).value) / ghz);
    vcpu.poll_limit = polling_.adapted(vcpu.poll_limit, waited);
    vcpu.waits_since = Cycles(-1);
    routine.next();
    return true;
  }
  const Cycles poll_end = vcpu.waits_since + Cycles(std::int64_t(double(vcpu.poll_limit) * ghz));
  if (cpu.runnable.empty() && cpu.now < poll_end) {
    routine.cursor = 1;
    cpu.waiting = true;
    cpu.waiting_for = Account::halt_poll;
    enqueue(cpu, std::max(cpu.now, std::min(poll_end, next_interrupt(cpu))));
    return false;
  }
  routine.cursor = 2;
  put_vcpu(cpu);
  switch_out(cpu, After::blocked);
  return true;
}

}  // namespace tollgate::world
