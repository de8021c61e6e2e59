#include "world/timed/interconnect.h"

#include <gtest/gtest.h>

#include <cmath>

#include "world/timed/test_support/rig.h"

namespace tollgate::world {
namespace {

using evidence::Account;
using evidence::Event;
using hw::FigureId;
using Kind = Action::Kind;

TEST(Topology, AllThreadsOfTheMachineShareItsCores) {
  const Topology topology(8, {8, 2, 1});
  EXPECT_EQ(topology.cores(), 4u);
  EXPECT_EQ(topology.core_of(CpuId(1)), topology.core_of(CpuId(5)));
  EXPECT_EQ(topology.thread_of(CpuId(1)), 0u);
  EXPECT_EQ(topology.thread_of(CpuId(5)), 1u);
}

TEST(Topology, TwoCpusOfABigMachineDoNotShareACore) {
  const Topology topology(2, {48, 2, 2});
  EXPECT_NE(topology.core_of(CpuId(0)), topology.core_of(CpuId(1)));
  EXPECT_EQ(topology.distance(CpuId(0), CpuId(1)), Distance::near) << "the first socket fills first";
}

TEST(Topology, MoreCpusThanTheMachineHasKeepItsThreadsAndSockets) {
  const Topology topology(64, {16, 2, 2});
  EXPECT_EQ(topology.cores(), 32u);
  EXPECT_EQ(topology.distance(CpuId(0), CpuId(15)), Distance::near);
  EXPECT_EQ(topology.distance(CpuId(0), CpuId(16)), Distance::far);
  EXPECT_EQ(topology.distance(CpuId(0), CpuId(32)), Distance::near) << "its own sibling";
}

TEST(Topology, OneCpuIsOneCore) {
  const Topology topology(1, {8, 2, 1});
  EXPECT_EQ(topology.cores(), 1u);
  EXPECT_EQ(topology.thread_of(CpuId(0)), 0u);
}

/// Arrivals of a Poisson process, dealt to the CPUs in turn: each is served long before its CPU's next one.
class OpenLoop {
 public:
  static constexpr std::uint32_t kCpus = 64;
  OpenLoop(int arrivals, double mean_gap) {
    RandomStream stream(42);
    double time = 10000;
    for (int i = 0; i < arrivals; ++i) {
      time -= mean_gap * std::log(1 - stream.unit());
      arrivals_[std::size_t(i) % kCpus].push_back(std::int64_t(time));
    }
  }
  test::Script::Next program(std::uint32_t cpu, const std::vector<Action>& request) {
    return [this, cpu, request, at = std::size_t(0)](World& world, TaskId, std::vector<Action>& actions) mutable {
      if (at == arrivals_[cpu].size()) {
        actions.push_back({.kind = Kind::exit_task});
        return;
      }
      const std::int64_t gap = arrivals_[cpu][at++] - world.cpu(CpuId(cpu)).now.value;
      if (gap < 0) ++late_;
      if (gap > 0) actions.push_back(test::work(std::uint64_t(gap)));
      actions.insert(actions.end(), request.begin(), request.end());
    };
  }
  int late() const { return late_; }

 private:
  std::vector<std::int64_t> arrivals_[kCpus];
  int late_ = 0;
};

/// The mean wait of an M/D/1 queue: Poisson arrivals, one server, every service as long.
double mean_wait(double load, double service) { return load * service / (2 * (1 - load)); }

TEST(Line, IsASingleServerQueue) {
  constexpr double kService = 100;
  constexpr int kArrivals = 100000;
  for (const double load : {0.3, 0.7}) {
    const auto machine = test::free_machine({{FigureId::line_transfer_near, kService}});
    World world(test::setup_of(machine, int(OpenLoop::kCpus)));
    const std::uint32_t line = world.create_line();
    OpenLoop requests(kArrivals, kService / load);
    const MmId mm = world.create_mm();
    for (std::uint32_t cpu = 0; cpu < OpenLoop::kCpus; ++cpu)
      test::start(world, mm, cpu, requests.program(cpu, {test::act(Kind::line, line)}));
    world.run_to_completion();
    const double waited = double(world.ledger()[Account::line_transfer]) / kArrivals - kService;
    EXPECT_NEAR(waited, mean_wait(load, kService), 0.05 * mean_wait(load, kService)) << "load " << load;
    EXPECT_LT(requests.late(), kArrivals / 1000);
  }
}

TEST(Lock, IsASingleServerQueue) {
  constexpr int kService = 100;
  constexpr int kArrivals = 100000;
  for (const double load : {0.3, 0.7}) {
    const auto machine = test::free_machine();
    World world(test::setup_of(machine, int(OpenLoop::kCpus)));
    const std::uint32_t lock = world.create_lock();
    OpenLoop requests(kArrivals, kService / load);
    const MmId mm = world.create_mm();
    for (std::uint32_t cpu = 0; cpu < OpenLoop::kCpus; ++cpu)
      test::start(
          world, mm, cpu,
          requests.program(cpu, {test::act(Kind::lock, lock), test::work(kService), test::act(Kind::unlock, lock)}));
    world.run_to_completion();
    const double waited = double(world.ledger()[Account::lock_wait]) / kArrivals;
    EXPECT_NEAR(waited, mean_wait(load, kService), 0.05 * mean_wait(load, kService)) << "load " << load;
    EXPECT_NEAR(double(world.events()[Event::lock_contended]) / kArrivals, load, 0.02) << "arrivals see time averages";
  }
}

TEST(Line, ARepeatedOperationOfItsOwnerIsLocal) {
  const auto machine = test::free_machine({{FigureId::line_local, 20}, {FigureId::line_transfer_near, 100}});
  World world(test::setup_of(machine, 2));
  const std::uint32_t line = world.create_line();
  const MmId mm = world.create_mm();
  test::start(world, mm, 0, test::once({test::act(Kind::line, line), test::act(Kind::line, line)}));
  test::start(world, mm, 1, test::once({test::work(100000), test::act(Kind::line, line), test::act(Kind::line, line)}));
  world.run_to_completion();
  EXPECT_EQ(world.events()[Event::line_transfers_near], 1u + 1) << "the mm's mask, and the line";
}

/// Each CPU takes the lock once; who got it when, by the order of their unlocking edits.
std::vector<std::uint32_t> order_of_service(const std::vector<std::uint64_t>& arrivals) {
  const auto machine = test::free_machine();
  World world(test::setup_of(machine, int(arrivals.size())));
  const std::uint32_t lock = world.create_lock();
  const MmId mm = test::mm_with_data(world);
  std::vector<std::uint32_t> served;
  for (std::uint32_t cpu = 0; cpu < arrivals.size(); ++cpu) {
    const auto note = [&served](World& running, TaskId task, std::uint32_t) {
      served.push_back(running.task(task).cpu.value);
      return kernel::FlushDebt({});
    };
    test::start(world, mm, cpu,
                test::once({test::work(20000 + arrivals[cpu]), test::act(Kind::lock, lock), test::work(5000),
                            test::act(Kind::edit), test::act(Kind::unlock, lock)}),
                note);
  }
  world.run_to_completion();
  return served;
}

TEST(Lock, ServesItsWaitersInTheOrderTheyCame) {
  EXPECT_EQ(order_of_service({0, 20000, 10000, 40000, 30000}), (std::vector<std::uint32_t>{0, 2, 1, 4, 3}));
}

// The waiter's handler ends 300 cycles after the release, 400 before the lock's line can have reached it.
TEST(Lock, AWaiterThatServesAnInterruptGetsTheLockNoEarlierThanItsLineCanTravel) {
  constexpr double kTransfer = 700;
  constexpr double kHandler =
      60300 - 31000 - 40 - kTransfer - 28;  // 40 and 28: instructions of interrupt entry and exit
  const auto machine =
      test::free_machine({{FigureId::ipi_handler, kHandler}, {FigureId::line_transfer_near, kTransfer}});
  World world(test::setup_of(machine, 3));
  const std::uint32_t lock = world.create_lock();
  const MmId mm = test::mm_with_data(world);
  const kernel::Path touch = test::writes(test::kData);
  test::start(world, world.create_mm(), 0,
              test::staged({{10000, {test::act(Kind::lock, lock), test::work(50000), test::act(Kind::unlock, lock)}}}));
  test::start(world, mm, 1, test::staged({{20000, {test::act(Kind::lock, lock), test::act(Kind::unlock, lock)}}}));
  test::start(world, mm, 2, test::staged({{10000, {test::run(touch)}}, {30000, {test::act(Kind::edit)}}}),
              test::drop_page());
  world.run_to_completion();
  EXPECT_EQ(test::ledger_of(world, 1)[Account::lock_wait], (31000 - 20700) + (60700 - 60300));
}

TEST(Lock, HeldWithInterruptsOffItMakesAShootdownWait) {
  const auto wait_of_the_flusher = [](LockKind kind) {
    const auto machine = test::free_machine();
    World world(test::setup_of(machine, 2));
    const std::uint32_t lock = world.create_lock(kind);
    const MmId mm = test::mm_with_data(world);
    const kernel::Path touch = test::writes(test::kData);
    test::start(world, mm, 0, test::staged({{10000, {test::run(touch)}}, {30000, {test::act(Kind::edit)}}}),
                test::drop_page());
    test::start(
        world, mm, 1,
        test::staged({{20000, {test::act(Kind::lock, lock), test::work(50000), test::act(Kind::unlock, lock)}}}));
    world.run_to_completion();
    return test::ledger_of(world, 0)[Account::ipi_wait];
  };
  EXPECT_EQ(wait_of_the_flusher(LockKind::interrupts_on), 1000 + 40);
  EXPECT_EQ(wait_of_the_flusher(LockKind::interrupts_off), 70000 + 40 - 30000);
}

TEST(Lock, AWaiterWithInterruptsOffServesThemOnceItHasReleased) {
  const auto machine = test::free_machine();
  World world(test::setup_of(machine, 3));
  const std::uint32_t lock = world.create_lock(LockKind::interrupts_off);
  const MmId mm = test::mm_with_data(world);
  const kernel::Path touch = test::writes(test::kData);
  const std::vector<Action> locked = {test::act(Kind::lock, lock), test::work(50000), test::act(Kind::unlock, lock)};
  test::start(world, mm, 0, test::staged({{10000, {test::run(touch)}}, {30000, {test::act(Kind::edit)}}}),
              test::drop_page());
  test::start(world, mm, 1, test::staged({{20000, locked}}));
  test::start(world, mm, 2, test::staged({{25000, locked}}));
  world.run_to_completion();
  EXPECT_EQ(test::ledger_of(world, 0)[Account::ipi_wait], 120000 + 40 - 30000);
}

}  // namespace
}  // namespace tollgate::world
