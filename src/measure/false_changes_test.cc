// How often is one thing against itself called changed, in the order that a measurement takes, under what machines do to it?
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/random.h"
#include "evidence/test_support/study.h"
#include "measure/schedule.h"

namespace tollgate::measure {
namespace {

using namespace evidence;

/// What a machine adds to the runs of a session, by their positions, in shares of the value.
using Disturb = std::vector<double> (*)(std::size_t runs, RandomStream& random);
struct Disturbance {
  const char* name;
  Disturb disturb;
};
template <typename OfPosition>
std::vector<double> by_position(std::size_t runs, OfPosition of_position) {
  std::vector<double> out;
  for (std::size_t i = 0; i < runs; ++i) out.push_back(of_position(double(i)));
  return out;
}
std::vector<double> period_of_four(double amplitude, std::size_t runs, RandomStream& random) {
  const double phase = double(random.below(4));
  return by_position(runs, [&](double i) { return amplitude * std::sin(std::numbers::pi / 2 * (i + phase) + 0.4); });
}

constexpr Disturbance kDisturbances[] = {
    {"none", [](std::size_t runs, RandomStream&) { return std::vector<double>(runs); }},
    {"linear 2 %",
     [](std::size_t runs, RandomStream&) {
       return by_position(runs, [&](double i) { return 0.02 * i / double(runs - 1); });
     }},
    {"step 1 %",
     [](std::size_t runs, RandomStream& random) {
       const double at = double(1 + random.below(runs - 1));
       return by_position(runs, [&](double i) { return i < at ? 0 : 0.01; });
     }},
    {"warm-up 3 %", [](std::size_t runs,
                       RandomStream&) { return by_position(runs, [&](double i) { return 0.03 * std::exp(-i / 4); }); }},
    {"random walk",
     [](std::size_t runs, RandomStream& random) {
       double level = 0;
       return by_position(runs, [&](double) { return level += 0.003 * normal(random); });
     }},
    {"period 4, 1 %", [](std::size_t runs, RandomStream& random) { return period_of_four(0.01, runs, random); }},
    {"period 4, 10 %", [](std::size_t runs, RandomStream& random) { return period_of_four(0.1, runs, random); }},
};

/// Percent of sessions of one thing against itself, in the order of schedule(), that are called changed.
double false_changes(const Disturbance& disturbance, std::uint32_t blocks, int replicates) {
  RandomStream random = RandomStream::named(2, disturbance.name, {blocks});
  int changed = 0;
  for (int i = 0; i < replicates; ++i) {
    const auto added = disturbance.disturb(2 * blocks, random);
    Measurement measurement = two_variants(Order::random_blocks);
    for (const Slot& slot : schedule(2, blocks, Order::random_blocks, random.next(), "runs"))
      add_run(measurement, slot.variant, 10 * (1 + added[slot.position] + 0.005 * normal(random)), slot.block,
              slot.position);
    changed += estimate_of(measurement).finding == Finding::changed;
  }
  return 100.0 * changed / replicates;
}

void study_false_changes(int replicates, double most) {
  fmt::print("one thing against itself called changed, percent of {} sessions\n{:14}", replicates, "disturbance");
  for (std::uint32_t blocks : {3, 5, 10, 20}) fmt::print("{:>9}", fmt::format("n = {}", blocks));
  fmt::print("\n");
  for (const auto& disturbance : kDisturbances) {
    fmt::print("{:14}", disturbance.name);
    for (std::uint32_t blocks : {3, 5, 10, 20}) {
      const double percent = false_changes(disturbance, blocks, replicates);
      fmt::print("{:9.2f}", percent);
      EXPECT_LE(percent, most) << disturbance.name << " " << blocks;
    }
    fmt::print("\n");
  }
}

// With 200 replicates a true 5 % shows as up to 9 in 99 of 100 cells.
TEST(FalseChanges, SmallOneThingAgainstItselfIsSeldomCalledChanged) { study_false_changes(kSmall, 10); }
TEST(FalseChanges, DISABLED_OneThingAgainstItselfIsSeldomCalledChanged) { study_false_changes(kWhole, 6); }

}  // namespace
}  // namespace tollgate::measure
