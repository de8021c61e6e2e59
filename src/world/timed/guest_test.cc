// Guests in the timed world: what is an exit, what a rollover does to others, who comes to the lock, how a vCPU waits.
#include <gtest/gtest.h>

#include "world/timed/test_support/rig.h"

namespace tollgate::world {
namespace {

using evidence::Account;
using evidence::Event;
using hw::FigureId;
using kernel::VmidAllocator;
using test::act;
using test::Script;

kernel::Era arm_era(int hz) {
  kernel::Era era = *kernel::load_era(TOLLGATE_SOURCE_DIR "/kernels/linux-5.14-arm64.toml");
  era.hz = hz;
  return era;
}

/// An arm64 machine of 1 GHz where everything is free but what `prices` says.
hw::DrawnMachine free_machine(int vmid_bits, test::Prices prices = {}) {
  hw::DrawnMachine machine = hw::typical_machine(test::machine_file("d06"));
  for (const auto& info : hw::kFigures)
    if (info.dimension == config::Dimension::time) machine.values[std::size_t(info.id)] = 0;
  machine.values[std::size_t(FigureId::clock_ghz)] = 1;
  machine.values[std::size_t(FigureId::ipi_latency)] = 100;
  for (const auto& [id, value] : prices) machine.values[std::size_t(id)] = value;
  machine.features.vmid_bits = vmid_bits;
  machine.topology.sockets = 1;
  return machine;
}

/// Guests of one process and a handful of pages, in a kernel whose own work is free too.
struct Guests {
  Guests(int cpus, VmidAllocator allocator, const hw::DrawnMachine& its_machine, int hz = 1)
      : machine(its_machine), era(arm_era(hz)), world(setup(cpus, allocator)) {
    for (hw::Vpn page = 0; page < 4; ++page)
      pages.push_back({kernel::PathStep::Op::read, kernel::Place::absolute, kGuestUser + page, 0});
  }
  WorldSetup setup(int cpus, VmidAllocator allocator) {
    WorldSetup setup = test::setup_of(machine, cpus, {.vmid = allocator});
    setup.era = &era;
    setup.kernel_cpi = 0;
    return setup;
  }
  VmId vm() { return world.create_vm({.kernel_pages = 4, .user_pages = 4}); }
  TaskId start(VmId vm, std::uint32_t cpu, Script::Next next) {
    return world.create_vcpu(vm, CpuId(cpu), std::make_unique<Script>(std::move(next)));
  }
  Action guest(std::uint64_t cycles) { return {.kind = Action::Kind::run_guest, .value = cycles, .path = &pages}; }
  /// One turn of the run loop, with `cycles` in the guest.
  std::vector<Action> turn(std::uint64_t cycles, std::vector<Action> then = {}) {
    std::vector<Action> actions = {act(Action::Kind::enter_guest), guest(cycles), act(Action::Kind::leave_guest),
                                   act(Action::Kind::finish_operation)};
    actions.insert(actions.end(), then.begin(), then.end());
    return actions;
  }
  void run(std::int64_t cycles) { world.run_window(Cycles(0), Cycles(cycles)); }
  std::uint64_t count(Event event) const { return world.events()[event]; }

  hw::DrawnMachine machine;
  kernel::Era era;
  kernel::Path pages;
  World world;
};

const std::vector<Action> kGiveWay = {act(Action::Kind::put_vcpu), act(Action::Kind::yield)};

TEST(Guest, TheWorldSwitchCostsWhatTheMachineSays) {
  Guests guests(1, VmidAllocator::merged, free_machine(16, {{FigureId::vm_exit, 30}, {FigureId::vm_entry, 20}}));
  guests.start(guests.vm(), 0, test::forever(guests.turn(950)));
  guests.run(1'000'000);
  const auto ledger = guests.world.ledger();
  EXPECT_NEAR(double(guests.count(Event::operations)), 1000, 6) << "the CPU starts up to 4,096 cycles late";
  EXPECT_NEAR(double(ledger[Account::guest_work]), 950.0 * double(guests.count(Event::operations)), 950);
  EXPECT_NEAR(double(ledger[Account::vm_exit]), 50.0 * double(guests.count(Event::vm_exits)), 50);
  EXPECT_EQ(guests.count(Event::vm_exits_forced), 0u);
}

TEST(Guest, ATickIsAnExitAndTheGuestGoesOnWhereItWas) {
  Guests guests(1, VmidAllocator::merged, free_machine(16), 10'000);  // a tick every 100,000 cycles
  guests.start(guests.vm(), 0, test::forever(guests.turn(450'000)));
  guests.run(4'600'000);
  EXPECT_EQ(guests.count(Event::operations), 10u);
  EXPECT_NEAR(double(guests.count(Event::vm_exits)), 10 + 46, 1);
}

/// Four VMs and three VMIDs: one runs undisturbed on the second CPU while the first CPU takes the others in turn.
Guests& four_vms(Guests& guests) {
  guests.start(guests.vm(), 1, test::forever(guests.turn(1'000'000)));
  for (int i = 0; i < 3; ++i) guests.start(guests.vm(), 0, test::once(guests.turn(10'000, kGiveWay)));
  return guests;
}

TEST(Guest, ARolloverOfTheCounterThrowsRunningGuestsOut) {
  Guests guests(2, VmidAllocator::v5_14, free_machine(2));
  four_vms(guests).run(60'000);
  EXPECT_EQ(guests.count(Event::vmid_rollovers), 2u) << "the first is the start";
  EXPECT_EQ(guests.count(Event::flushes_broadcast), 2u);
  EXPECT_EQ(guests.count(Event::vm_exits_forced), 1u);
  EXPECT_EQ(guests.count(Event::vmid_allocations), 5u) << "the guest thrown out needs a new one";
}

TEST(Guest, ARolloverOfTheBitmapLeavesThemAlone) {
  for (const auto allocator : {VmidAllocator::v3_noclear, VmidAllocator::v3_clear, VmidAllocator::merged}) {
    Guests guests(2, allocator, free_machine(2));
    four_vms(guests).run(60'000);
    EXPECT_EQ(guests.count(Event::vmid_rollovers), 1u);
    EXPECT_EQ(guests.count(Event::flushes_broadcast), 1u);
    EXPECT_EQ(guests.count(Event::vm_exits_forced), 0u);
    EXPECT_EQ(guests.count(Event::vmid_allocations), 4u);
  }
}

TEST(Guest, AfterARolloverWalksAreItsRefills) {
  Guests guests(2, VmidAllocator::merged, free_machine(2, {{FigureId::walk_setup, 10}}));
  guests.start(guests.vm(), 1, test::forever(guests.turn(5'000)));
  for (int i = 0; i < 3; ++i) guests.start(guests.vm(), 0, test::once(guests.turn(10'000, kGiveWay)));
  guests.run(60'000);
  EXPECT_GT(guests.world.ledger()[evidence::refill_account(evidence::FlushCause::vmid_rollover)], 0);
}

/// Two vCPUs of two VMs that take turns on one CPU: how many loads came to the allocator's lock.
std::pair<std::uint64_t, std::uint64_t> loads_and_slow_paths(VmidAllocator allocator) {
  Guests guests(1, allocator, free_machine(8));
  for (int i = 0; i < 2; ++i) guests.start(guests.vm(), 0, test::forever(guests.turn(1'000, kGiveWay)));
  guests.run(100'000);
  return {guests.count(Event::vcpu_loads), guests.count(Event::vmid_slow_paths)};
}

TEST(Guest, AZeroedSlotSendsEveryLoadToTheLock) {
  const auto [loads, slow_paths] = loads_and_slow_paths(VmidAllocator::v3_clear);
  EXPECT_GT(loads, 90u);
  EXPECT_EQ(slow_paths, loads);
}

TEST(Guest, TheInvalidMarkerAndTheKeptSlotLeaveTheFastPathOpen) {
  for (const auto allocator : {VmidAllocator::v5_14, VmidAllocator::v3_noclear, VmidAllocator::merged}) {
    const auto [loads, slow_paths] = loads_and_slow_paths(allocator);
    EXPECT_GT(loads, 90u);
    EXPECT_EQ(slow_paths, 2u) << "one for each VM's first VMID";
  }
}

/// Transfers of lines between two CPUs that each take turns between two VMs, at 100 cycles a transfer.
std::uint64_t transfers(VmidAllocator allocator) {
  Guests guests(2, allocator, free_machine(8, {{FigureId::line_transfer_near, 100}}));
  for (std::uint32_t i = 0; i < 4; ++i) guests.start(guests.vm(), i % 2, test::forever(guests.turn(1'000, kGiveWay)));
  guests.world.run_window(Cycles(100'000), Cycles(200'000));
  EXPECT_EQ(guests.world.ledger()[Account::line_transfer] > 0, guests.count(Event::line_transfers_near) > 0);
  return guests.count(Event::line_transfers_near);
}

TEST(Guest, ALockedGenerationMovesBetweenReadersWhoWouldOtherwiseShareIt) {
  EXPECT_EQ(transfers(VmidAllocator::merged), 0u);
  EXPECT_EQ(transfers(VmidAllocator::v5_14), 0u);
  EXPECT_GT(transfers(VmidAllocator::v3_clear), 150u)
      << "each of some 200 loads takes the line, and the other's next look";
}

/// A vCPU that waits twice, and a sibling that wakes it `after` cycles into each wait.
struct Waiter : Guests {
  explicit Waiter(std::uint64_t after) : Guests(2, VmidAllocator::merged, free_machine(16)) {
    const VmId both = vm();
    const TaskId waiter =
        start(both, 0,
              test::once(turn(100'000, {act(Action::Kind::wait_vcpu), act(Action::Kind::finish_operation),
                                        act(Action::Kind::wait_vcpu), act(Action::Kind::finish_operation)})));
    auto wakes = turn(100'000 + after, {act(Action::Kind::wake, waiter.value)});
    for (const Action& action : turn(after, {act(Action::Kind::wake, waiter.value)})) wakes.push_back(action);
    start(both, 1, test::once(wakes));
  }
};

TEST(Guest, AVcpuPollsOnceItsWaitsHaveBeenShort) {
  Waiter short_waits(8'000);  // 8 us: the limit starts at 0 and grows to 10 us
  short_waits.run(1'000'000);
  EXPECT_EQ(short_waits.count(Event::vcpu_waits), 2u);
  EXPECT_EQ(short_waits.count(Event::vcpu_waits_polled), 1u);
  EXPECT_GT(short_waits.world.ledger()[Account::halt_poll], 3'000);
  EXPECT_EQ(short_waits.count(Event::operations), 5u) << "it was woken both times";
}

TEST(Guest, AVcpuWhoseWaitsAreLongBlocks) {
  Waiter long_waits(600'000);
  long_waits.run(3'000'000);
  EXPECT_EQ(long_waits.count(Event::vcpu_waits), 2u);
  EXPECT_EQ(long_waits.count(Event::vcpu_waits_polled), 0u);
  EXPECT_EQ(long_waits.world.ledger()[Account::halt_poll], 0);
  EXPECT_EQ(long_waits.count(Event::operations), 5u);
}

static_assert(kernel::HaltPolling{}.adapted(0, 5'000) == 10'000, "grows from its start");
static_assert(kernel::HaltPolling{}.adapted(10'000, 9'000) == 10'000, "long enough");
static_assert(kernel::HaltPolling{}.adapted(320'000, 400'000) == 500'000, "doubles up to the most");
static_assert(kernel::HaltPolling{}.adapted(320'000, 600'000) == 0, "given up");

}  // namespace
}  // namespace tollgate::world
