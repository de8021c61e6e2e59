// Shootdowns in time: what each part costs, who waits for whom, who is asked at all.
#include <gtest/gtest.h>

#include "world/timed/test_support/rig.h"

namespace tollgate::world {
namespace {

using evidence::Account;
using evidence::Event;
using hw::FigureId;
using kernel::ShootdownMode;
using test::kData;
using test::Stage;
using Kind = Action::Kind;

const kernel::Path& touch() {
  static const kernel::Path kTouch = test::writes(kData);
  return kTouch;
}
/// Touches a page, then drops it at cycle 30,000.
std::vector<Stage> drops_at_30000() { return {{10000, {test::run(touch())}}, {30000, {test::act(Kind::edit)}}}; }
std::vector<Stage> works_until(std::int64_t end) { return {{10000, {test::work(std::uint64_t(end - 10000))}}}; }

constexpr std::int64_t kEntry = 40;  // instructions of interrupt entry without PTI, at one cycle each

kernel::Policy shootdown_policy(ShootdownMode mode) {
  kernel::Policy policy;
  policy.shootdown = mode;
  return policy;
}

TEST(Shootdown, OfOneOtherCpuIsTheSumOfItsPrices) {
  const auto machine = test::free_machine({{FigureId::ipi_send, 11},
                                           {FigureId::ipi_latency, 1000},
                                           {FigureId::entry_interrupt, 130},
                                           {FigureId::ipi_handler, 400},
                                           {FigureId::line_transfer_near, 60},
                                           {FigureId::line_local, 7},
                                           {FigureId::flush_invlpg, 170}});
  for (const ShootdownMode mode : {ShootdownMode::serial, ShootdownMode::concurrent}) {
    World world(test::setup_of(machine, 2, shootdown_policy(mode)));
    const MmId mm = test::mm_with_data(world);
    test::start(world, mm, 0, test::staged(drops_at_30000()), test::drop_page());
    test::start(world, mm, 1, test::staged(works_until(100000)));
    world.run_to_completion();
    // Sent, taken, the generation's line read, one page flushed, acknowledged, and the acknowledgement's line read.
    const std::int64_t until_acknowledged = 1000 + 130 + kEntry + 400 + 60 + 170 + 7 + 60;
    const std::int64_t meanwhile = mode == ShootdownMode::concurrent ? 170 : 0;
    const evidence::Ledger sender = test::ledger_of(world, 0);
    EXPECT_EQ(sender[Account::ipi_send], 11);
    EXPECT_EQ(sender[Account::local_flush], 170);
    EXPECT_EQ(sender[Account::ipi_wait], until_acknowledged - meanwhile);
    const evidence::Ledger target = test::ledger_of(world, 1);
    EXPECT_EQ(target[Account::ipi_handling], 400 + 7);
    EXPECT_EQ(target[Account::local_flush], 170);
    EXPECT_EQ(target[Account::ipi_wait], 0);
    EXPECT_EQ(world.events()[Event::ipis], 1u);
    EXPECT_EQ(world.events()[Event::flushes_page], 2u);
  }
}

TEST(Shootdown, WaitsForTheSlowestOfItsTargets) {
  const auto machine = test::free_machine({{FigureId::ipi_send, 10}});
  World world(test::setup_of(machine, 20));
  const MmId mm = test::mm_with_data(world);
  const std::uint32_t lock = world.create_lock(LockKind::interrupts_off);
  test::start(world, mm, 0, test::staged(drops_at_30000()), test::drop_page());
  for (std::uint32_t cpu = 1; cpu < 20; ++cpu) {
    const std::vector<Stage> busy = {
        {20000, {test::act(Kind::lock, lock), test::work(25000), test::act(Kind::unlock, lock)}}};
    test::start(world, mm, cpu, test::staged(cpu == 13 ? busy : works_until(100000)));
  }
  world.run_to_completion();
  EXPECT_EQ(world.events()[Event::ipis], 19u);
  EXPECT_EQ(test::ledger_of(world, 0)[Account::ipi_send], 19 * 10);
  EXPECT_EQ(test::ledger_of(world, 0)[Account::ipi_wait], 45000 + kEntry - 30000 - 19 * 10);
}

TEST(Shootdown, OfARangeBeyondTheCeilingFlushesTheAddressSpaceOnEveryCpu) {
  for (const int pages : {33, 34}) {
    const auto machine = test::free_machine();
    World world(test::setup_of(machine, 3));
    const MmId mm = test::mm_with_data(world);
    const auto drop_range = [pages](World& running, TaskId task, std::uint32_t) {
      auto& space = running.mm(running.task(task).mm).space;
      for (int page = 0; page < pages; ++page) space.populate(kData + hw::Vpn(page));
      return space.unmap(kData, hw::Vpn(pages));
    };
    test::start(world, mm, 0, test::staged(drops_at_30000()), drop_range);
    for (std::uint32_t cpu = 1; cpu < 3; ++cpu) test::start(world, mm, cpu, test::staged(works_until(100000)));
    world.run_to_completion();
    EXPECT_EQ(world.events()[Event::flushes_page], pages == 33 ? 3u * 33 : 0u);
    EXPECT_EQ(world.events()[Event::flushes_full], pages == 33 ? 0u : 3u);
  }
}

// Each of two CPUs asks the other all the time; both wait with interrupts on, so both get on.
TEST(Shootdown, TwoCpusThatFlushEachOtherDoNotWaitForever) {
  for (const ShootdownMode mode : {ShootdownMode::serial, ShootdownMode::concurrent}) {
    const auto machine = test::free_machine({{FigureId::ipi_handler, 300}, {FigureId::ipi_send, 50}});
    World world(test::setup_of(machine, 2, shootdown_policy(mode)));
    const MmId mm = test::mm_with_data(world);
    const kernel::Path other = test::writes(kData + 1);
    for (std::uint32_t cpu = 0; cpu < 2; ++cpu)
      test::start(world, mm, cpu,
                  test::forever({test::run(cpu == 0 ? touch() : other), test::act(Kind::edit, cpu),
                                 test::act(Kind::finish_operation)}),
                  test::drop_page());
    world.run_window(Cycles(100000), Cycles(1100000));
    EXPECT_GT(world.events()[Event::operations], 400u);
    EXPECT_GT(test::ledger_of(world, 0)[Account::ipi_handling], 0) << "it served the other while it waited";
    EXPECT_NEAR(double(world.events()[Event::ipis]), double(world.events()[Event::operations]), 3);
  }
}

TEST(Shootdown, AsksOnlyTheCpusThatRunTheAddressSpace) {
  const auto machine = test::free_machine();
  World world(test::setup_of(machine, 4));
  const MmId mm = test::mm_with_data(world);
  const MmId other = test::mm_with_data(world);
  test::start(world, mm, 0, test::staged(drops_at_30000()), test::drop_page());
  test::start(world, mm, 1, test::staged(works_until(100000)));
  test::start(world, other, 2, test::staged(works_until(100000)));
  world.run_to_completion();
  EXPECT_EQ(world.events()[Event::ipis], 1u);
}

/// What CPU 1 does with a page that CPU 0 takes away, when the kernel forgets to ask CPU 1, or does not.
std::vector<hw::StaleViolation> violations_when(bool forgotten) {
  const auto machine = test::free_machine();
  World world(test::setup_of(machine, 2));
  const MmId mm = test::mm_with_data(world);
  const auto drop = [=](World& running, TaskId task, std::uint32_t what) {
    if (forgotten) running.mm(mm).mask.remove(CpuId(1));
    return test::drop_page()(running, task, what);
  };
  test::start(world, mm, 0, test::staged(drops_at_30000()), drop);
  test::start(world, mm, 1, test::staged({{12000, {test::run(touch())}}, {60000, {test::run(touch())}}}));
  world.run_to_completion();
  return world.staleness().violations();
}

TEST(Shootdown, ThatMissesACpuIsSeenWhenThatCpuUsesWhatItKept) {
  const auto seen = violations_when(true);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].cpu, CpuId(1));
  EXPECT_EQ(seen[0].vpn, kData);
  EXPECT_EQ(seen[0].rule, hw::StaleRule::use_of_reused_frame);
  EXPECT_GE(seen[0].time, Cycles(60000));
  EXPECT_TRUE(violations_when(false).empty());
}

TEST(Shootdown, ALazyCpuLeavesTheAddressSpaceAndIsNotAskedAgain) {
  const auto machine = test::free_machine();
  World world(test::setup_of(machine, 2));
  const MmId mm = test::mm_with_data(world);
  std::vector<Stage> drops = drops_at_30000();
  drops.push_back({60000, {test::run(touch())}});
  drops.push_back({90000, {test::act(Kind::edit)}});
  test::start(world, mm, 0, test::staged(drops), test::drop_page());
  test::start(world, mm, 1, test::staged({{12000, {test::run(touch())}}}));  // and exits: idle on a borrowed mm
  world.run_to_completion();
  EXPECT_EQ(world.events()[Event::ipis], 1u);
  EXPECT_EQ(world.cpu(CpuId(1)).tlb.loaded_mm, kernel::kInitMm);
  EXPECT_FALSE(world.cpu(CpuId(1)).tlb.is_lazy);
  EXPECT_FALSE(world.mm(mm).mask.contains(CpuId(1)));
  EXPECT_TRUE(world.mm(mm).mask.contains(CpuId(0)));
}

TEST(Shootdown, AnIdleCpuThatWasNotAskedStaysLazyAndComesBackWithoutASwitch) {
  const auto machine = test::free_machine();
  World world(test::setup_of(machine, 2));
  const MmId mm = world.create_mm();
  const TaskId sleeper = test::start(world, mm, 0, test::staged({{20000, {test::act(Kind::block)}}}));
  test::start(world, mm, 1, test::staged({{50000, {test::act(Kind::wake, sleeper.value)}}}));
  world.run_to_completion();
  EXPECT_EQ(world.events()[Event::mm_switches], 2u) << "the first of each CPU";
}

TEST(Shootdown, ATargetInTheMiddleOfALongStretchOfWorkIsInterruptedThere) {
  const auto machine = test::free_machine();
  World world(test::setup_of(machine, 2));
  const MmId mm = test::mm_with_data(world);
  const kernel::Path long_step = {{kernel::PathStep::Op::fetch, kernel::Place::absolute, kData + 9, 1000000}};
  test::start(world, mm, 0, test::staged(drops_at_30000()), test::drop_page());
  test::start(world, mm, 1, test::staged({{10000, {test::run(long_step)}}}));
  world.run_to_completion();
  EXPECT_EQ(test::ledger_of(world, 0)[Account::ipi_wait], 1000 + kEntry);
  EXPECT_EQ(test::ledger_of(world, 1)[Account::user_work] / 1000000, 1);
}

TEST(Shootdown, PreemptionInTheMiddleOfAFlushIsPutOff) {
  auto era = test::era();
  era.hz = 20000;  // a tick every 50,000 cycles
  const auto machine = test::free_machine({{FigureId::ipi_handler, 70000}});
  WorldSetup setup = test::setup_of(machine, 2);
  setup.era = &era;
  World world(setup);
  const MmId mm = test::mm_with_data(world);
  const kernel::Path other = test::writes(kData + 1);
  for (std::uint32_t page = 0; page < 2; ++page)
    test::start(world, mm, 0,
                test::forever({test::run(page == 0 ? touch() : other), test::act(Kind::edit, page),
                               test::act(Kind::finish_operation)}),
                test::drop_page());
  test::start(world, mm, 1, test::forever({test::work(1000)}));
  world.run_window(Cycles(0), Cycles(20000000));
  EXPECT_GT(world.events()[Event::operations], 100u);
  EXPECT_GT(world.events()[Event::context_switches], 10u);
}

TEST(Order, SharedActionsHappenInTheOrderOfTheirClocks) {
  const auto machine = test::free_machine();
  World world(test::setup_of(machine, 16));
  const MmId mm = test::mm_with_data(world);
  std::vector<Cycles> times;
  const auto note = [&times](World& running, TaskId task, std::uint32_t) {
    times.push_back(running.cpu(running.task(task).cpu).now);
    return kernel::FlushDebt({});
  };
  for (std::uint32_t cpu = 0; cpu < 16; ++cpu) {
    const auto next = [stream = RandomStream(cpu)](World&, TaskId, std::vector<Action>& actions) mutable {
      actions = {test::work(1 + stream.below(5000)), test::act(Kind::edit)};
    };
    test::start(world, mm, cpu, next, note);
  }
  world.run_window(Cycles(0), Cycles(1000000));
  EXPECT_GT(times.size(), 5000u);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
}

}  // namespace
}  // namespace tollgate::world
