// The scheduler: shares, blocking and waking, idle CPUs, one CPU and as many as there may be.
#include <gtest/gtest.h>

#include "world/timed/test_support/rig.h"

namespace tollgate::world {
namespace {

using evidence::Account;
using evidence::Event;
using test::Stage;
using Kind = Action::Kind;

TEST(Scheduler, ThreeTasksOnOneCpuGetEqualSharesWithinASlice) {
  auto era = test::era();
  era.hz = 10000;  // a tick every 100,000 cycles
  const auto machine = test::free_machine();
  WorldSetup setup = test::setup_of(machine, 1);
  setup.era = &era;
  World world(setup);
  const MmId mm = world.create_mm();
  std::vector<std::int64_t> done(3);
  for (std::size_t i = 0; i < 3; ++i)
    test::start(world, mm, 0, [&done, i](World&, TaskId, std::vector<Action>& actions) {
      done[i] += 100;
      actions = {test::work(100)};
    });
  world.run_window(Cycles(0), Cycles(50000000));
  const auto [least, most] = std::minmax_element(done.begin(), done.end());
  EXPECT_LE(*most - *least, 200000) << "a slice ends at the second tick at the latest";
  EXPECT_GT(world.events()[Event::context_switches], 200u);
}

TEST(Scheduler, ATaskAloneOnItsCpuIsNeverSwitched) {
  auto era = test::era();
  era.hz = 10000;
  const auto machine = test::free_machine();
  WorldSetup setup = test::setup_of(machine, 1);
  setup.era = &era;
  World world(setup);
  test::start(world, world.create_mm(), 0, test::forever({test::work(100)}));
  world.run_window(Cycles(0), Cycles(50000000));
  EXPECT_EQ(world.events()[Event::context_switches], 1u) << "its first";
}

TEST(Scheduler, AHolderOfALockIsNotPreempted) {
  auto era = test::era();
  era.hz = 10000;
  const auto machine = test::free_machine();
  WorldSetup setup = test::setup_of(machine, 1);
  setup.era = &era;
  World world(setup);
  const std::uint32_t lock = world.create_lock();
  const MmId mm = world.create_mm();
  for (int i = 0; i < 2; ++i)
    test::start(world, mm, 0,
                test::forever({test::act(Kind::lock, lock), test::work(300000), test::act(Kind::unlock, lock),
                               test::act(Kind::finish_operation)}));
  world.run_window(Cycles(0), Cycles(50000000));
  EXPECT_GT(world.events()[Event::operations], 100u);
  EXPECT_EQ(world.events()[Event::lock_contended], 0u);
}

TEST(Scheduler, ABlockedTaskRunsAgainWhenWokenAndNotBefore) {
  const auto machine = test::free_machine();
  World world(test::setup_of(machine, 2));
  const MmId mm = world.create_mm();
  std::int64_t resumed = 0;
  int calls = 0;
  const TaskId sleeper = test::start(world, mm, 0, [&](World& running, TaskId, std::vector<Action>& actions) {
    resumed = running.cpu(CpuId(0)).now.value;
    actions = {calls++ == 0 ? test::act(Kind::block) : test::act(Kind::exit_task)};
  });
  test::start(world, mm, 1, test::staged({{50000, {test::act(Kind::wake, sleeper.value)}}}));
  world.run_to_completion();
  EXPECT_EQ(calls, 2);
  EXPECT_GE(resumed, 51000) << "the wake-up travels as an interrupt";
  EXPECT_LT(resumed, 53000) << "and the scheduler's path";
  EXPECT_GT(test::ledger_of(world, 0)[Account::idle], 40000);
}

TEST(Scheduler, AWakeUpThatComesBeforeTheBlockIsNotLost) {
  const auto machine = test::free_machine();
  World world(test::setup_of(machine, 2));
  const MmId mm = world.create_mm();
  const TaskId sleeper = test::start(world, mm, 0, test::staged({{50000, {test::act(Kind::block)}}}));
  test::start(world, mm, 1, test::staged({{20000, {test::act(Kind::wake, sleeper.value)}}}));
  world.run_to_completion();
  EXPECT_LT(world.elapsed(), Cycles(60000));
}

TEST(Scheduler, TwoTasksOfOneCpuWakeEachOther) {
  const auto machine = test::free_machine();
  World world(test::setup_of(machine, 1));
  std::vector<TaskId> tasks(2);
  for (std::size_t i = 0; i < 2; ++i)
    tasks[i] = test::start(world, world.create_mm(), 0,
                           [&tasks, i, waits = i == 1](World&, TaskId, std::vector<Action>& actions) mutable {
                             if (std::exchange(waits, false)) actions.push_back(test::act(Kind::block));
                             actions.insert(actions.end(), {test::work(100), test::act(Kind::wake, tasks[1 - i].value),
                                                            test::act(Kind::finish_operation), test::act(Kind::block)});
                           });
  world.run_window(Cycles(100000), Cycles(10000000));
  EXPECT_GT(world.events()[Event::operations], 1000u);
  EXPECT_NEAR(double(world.events()[Event::context_switches]), double(world.events()[Event::operations]), 2);
  EXPECT_NEAR(double(world.events()[Event::mm_switches]), double(world.events()[Event::context_switches]), 1);
}

TEST(Scheduler, ACpuWithoutTasksIsIdleThroughout) {
  const auto machine = test::free_machine();
  World world(test::setup_of(machine, 2));
  test::start(world, world.create_mm(), 0, test::forever({test::work(100)}));
  world.run_window(Cycles(10000), Cycles(1010000));
  EXPECT_EQ(test::ledger_of(world, 1)[Account::idle], 1000000);
}

TEST(Scheduler, OneCpuAndAThousandAndTwentyFourRun) {
  for (const int cpus : {1, int(kMaxCpus)}) {
    const auto machine = test::free_machine();
    World world(test::setup_of(machine, cpus));
    const MmId mm = test::mm_with_data(world);
    const kernel::Path touch = test::writes(test::kData);
    test::start(world, mm, 0,
                test::forever({test::run(touch), test::act(Kind::edit), test::act(Kind::finish_operation)}),
                test::drop_page());
    for (std::uint32_t cpu = 1; cpu < std::uint32_t(cpus); ++cpu)
      test::start(world, mm, cpu, test::forever({test::work(500)}));
    world.run_window(Cycles(20000), Cycles(60000));
    const auto operations = world.events()[Event::operations];
    EXPECT_GT(operations, 2u);
    EXPECT_NEAR(double(world.events()[Event::ipis]), double(operations) * (cpus - 1), 1.5 * (cpus - 1));
    EXPECT_EQ(world.ledger().total(), 40000 * std::int64_t(cpus));
  }
}

TEST(World, EveryCpuOfAWindowIsChargedExactlyItsLength) {
  const auto machine = hw::typical_machine(test::machine_file("skylake-desktop"));
  WorldSetup setup = test::setup_of(machine, 8);
  setup.user_cpi = 0.37;
  setup.kernel_cpi = 1.21;
  World world(setup);
  const MmId mm = test::mm_with_data(world);
  const kernel::Path touch = test::writes(test::kData);
  for (std::uint32_t cpu = 0; cpu < 7; ++cpu)
    test::start(world, mm, cpu,
                test::forever({test::run(touch), test::work(77), test::enter_syscall(), test::act(Kind::edit),
                               test::leave_syscall()}),
                test::drop_page());
  world.run_window(Cycles(12345), Cycles(234567));
  for (std::uint32_t cpu = 0; cpu < 8; ++cpu) {
    EXPECT_EQ(test::ledger_of(world, cpu).total(), 234567 - 12345) << "CPU " << cpu;
    const auto& snapshots = world.cpu(CpuId(cpu)).snapshots;
    const Cycles in_kernel = snapshots[1].in_kernel - snapshots[0].in_kernel;
    const evidence::Ledger ledger = test::ledger_of(world, cpu);
    EXPECT_GE(in_kernel.value, ledger[Account::kernel_work] + ledger[Account::ipi_wait] + ledger[Account::idle]);
    EXPECT_LE(in_kernel.value, ledger.total() - ledger[Account::user_work]);
  }
}

TEST(World, TheSameSetupGivesTheSameLedgerToTheCycle) {
  const auto run = [] {
    const auto machine = hw::typical_machine(test::machine_file("haswell-server"));
    World world(test::setup_of(machine, 12));
    const MmId mm = test::mm_with_data(world);
    const kernel::Path touch = test::writes(test::kData);
    for (std::uint32_t cpu = 0; cpu < 12; ++cpu)
      test::start(world, mm, cpu, test::forever({test::work(50), test::run(touch), test::act(Kind::edit)}),
                  test::drop_page());
    world.run_window(Cycles(1000), Cycles(1000000));
    return std::pair(world.ledger().cycles, world.events().counts);
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace tollgate::world
