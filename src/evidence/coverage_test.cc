// Does what analyse() says hold as often as it says? Series are drawn from known distributions, analysed, and counted. Each
// study runs small with every test, and whole under ./dev nightly (the DISABLED_ ones), where it prints its table.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "evidence/analysis.h"

namespace tollgate::evidence {
namespace {

constexpr int kWhole = 10000;
constexpr int kSmall = 200;
constexpr std::uint32_t kLeastForRanks = 6;
// With 3 to 5 pairs only Student's t has an interval, and it supposes normal noise. Noise of two values (period 4) agrees in
// sign over three pairs once in four sessions: 8.3 % are called changed with 3 pairs, 6.3 % with 5.
constexpr double kBeyondOfStudent = 3;
constexpr double kTrueRatio = 1.05;
const MetricInfo kWall{"wall_s", "s", Better::lower};

double normal(RandomStream& random) {
  const double unit = random.unit() + 0x1.0p-54;
  return std::numbers::sqrt2 * boost::math::erf_inv(2 * unit - 1);
}

using Draw = double (*)(RandomStream& random);
struct Distribution {
  const char* name;
  Draw draw;
};
constexpr Distribution kDistributions[] = {
    {"normal", [](RandomStream& random) { return 10 * (1 + 0.02 * normal(random)); }},
    {"contaminated",  // every tenth run is 10 to 50 % slower
     [](RandomStream& random) {
       const double slow = random.unit() < 0.1 ? 1.1 + 0.4 * random.unit() : 1;
       return 10 * slow * (1 + 0.02 * normal(random));
     }},
    {"bimodal",  // three runs of ten are 10 % slower
     [](RandomStream& random) { return (random.unit() < 0.3 ? 11 : 10) * (1 + 0.02 * normal(random)); }},
};

Measurement two_variants(Order order) {
  Measurement measurement;
  measurement.title = "study";
  measurement.variants = {"a", "b"};
  measurement.terms.primary = "wall_s";
  measurement.terms.order = order;
  for (const auto& variant : measurement.variants) {
    Series& series = measurement.series.emplace_back();
    series.metric = kWall;
    series.variant = variant;
  }
  return measurement;
}

void add_run(Measurement& measurement, std::size_t variant, double value, std::uint32_t block, std::uint32_t position) {
  measurement.series[variant].samples.push_back(
      {.value = value, .run = block, .position = position, .block = block, .boot = "", .start = {}});
}

RealEstimate estimate_of(const Measurement& measurement) {
  const auto comparison = analyse(measurement);
  EXPECT_TRUE(comparison) << comparison.error().text();
  return *comparison->variants[1].metrics[0].estimate;
}

/// Percent of intervals that hold the true shift.
double coverage(const Distribution& distribution, Order order, std::uint32_t runs, int replicates) {
  RandomStream random = RandomStream::named(1, distribution.name, {std::uint64_t(order), runs});
  int held = 0;
  for (int i = 0; i < replicates; ++i) {
    Measurement measurement = two_variants(order);
    for (std::uint32_t block = 0; block < runs; ++block) {
      add_run(measurement, 0, distribution.draw(random), block, 2 * block);
      add_run(measurement, 1, distribution.draw(random) * kTrueRatio, block, 2 * block + 1);
    }
    held += estimate_of(measurement).interval_percent->contains(100 * (kTrueRatio - 1));
  }
  return 100.0 * held / replicates;
}

void study_coverage(int replicates, double least, double most) {
  fmt::print("coverage of nominal 95 % intervals, {} replicates\n{:14}{:10}", replicates, "data", "design");
  for (std::uint32_t runs : {3, 5, 10, 20}) fmt::print("{:>9}", fmt::format("n = {}", runs));
  fmt::print("\n");
  for (const auto& distribution : kDistributions)
    for (Order order : {Order::random_blocks, Order::unknown}) {
      fmt::print("{:14}{:10}", distribution.name, order == Order::unknown ? "unpaired" : "paired");
      for (std::uint32_t runs : {3, 5, 10, 20}) {
        const double percent = coverage(distribution, order, runs, replicates);
        fmt::print("{:9.2f}", percent);
        EXPECT_GE(percent, least) << distribution.name << " " << runs;
        EXPECT_LE(percent, most) << distribution.name << " " << runs;
      }
      fmt::print("\n");
    }
}

/// As above for variants that are boots: five runs each, and boots that differ as much as the runs of one do.
double boot_coverage(std::uint32_t boots, int replicates) {
  RandomStream random = RandomStream::named(3, "boots", {boots});
  int held = 0;
  for (int i = 0; i < replicates; ++i) {
    Measurement measurement = two_variants(Order::unknown);
    for (std::size_t variant : {0u, 1u})
      for (std::uint32_t boot = 0; boot < boots; ++boot) {
        const double level = (variant ? 10 * kTrueRatio : 10) * (1 + 0.02 * normal(random));
        for (std::uint32_t run = 0; run < 5; ++run) {
          add_run(measurement, variant, level * (1 + 0.02 * normal(random)), 5 * boot + run, 5 * boot + run);
          measurement.series[variant].samples.back().boot = fmt::format("{}-{}", variant, boot);
        }
      }
    held += estimate_of(measurement).interval_percent->contains(100 * (kTrueRatio - 1));
  }
  return 100.0 * held / replicates;
}

void study_boots(int replicates, double least, double most) {
  fmt::print("coverage of nominal 95 % intervals over boots of five runs, {} replicates\n", replicates);
  for (std::uint32_t boots : {3, 5, 10}) {
    const double percent = boot_coverage(boots, replicates);
    fmt::print("{:4} boots a variant {:9.2f}\n", boots, percent);
    EXPECT_GE(percent, least) << boots;
    EXPECT_LE(percent, most) << boots;
  }
}

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
    {"period 4",
     [](std::size_t runs, RandomStream& random) {
       const double phase = double(random.below(4));
       return by_position(runs, [&](double i) { return 0.01 * std::sin(std::numbers::pi / 2 * (i + phase) + 0.4); });
     }},
};

/// Percent of sessions of one thing against itself, in random blocks, that are called changed.
double false_changes(const Disturbance& disturbance, std::uint32_t blocks, int replicates) {
  RandomStream random = RandomStream::named(2, disturbance.name, {blocks});
  int changed = 0;
  for (int i = 0; i < replicates; ++i) {
    const auto added = disturbance.disturb(2 * blocks, random);
    Measurement measurement = two_variants(Order::random_blocks);
    for (std::uint32_t block = 0; block < blocks; ++block) {
      const std::size_t first = random.below(2);
      for (std::uint32_t place : {0u, 1u}) {
        const std::uint32_t position = 2 * block + place;
        add_run(measurement, place ? 1 - first : first, 10 * (1 + added[position] + 0.005 * normal(random)), block,
                position);
      }
    }
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
      EXPECT_LE(percent, blocks < kLeastForRanks ? most + kBeyondOfStudent : most) << disturbance.name << " " << blocks;
    }
    fmt::print("\n");
  }
}

// With 200 replicates a true 95 % shows as 91.4 or more in 99 of 100 cells, and a true 5 % as up to 9.
TEST(CoverageStudy, SmallIntervalsHoldTheTruthAboutAsOftenAsTheySay) { study_coverage(kSmall, 90, 100); }
TEST(CoverageStudy, SmallIntervalsOverBootsHoldTheTruthToo) { study_boots(kSmall, 90, 100); }
TEST(CoverageStudy, SmallOneThingAgainstItselfIsSeldomCalledChanged) { study_false_changes(kSmall, 10); }
TEST(CoverageStudy, DISABLED_IntervalsHoldTheTruthAsOftenAsTheySay) { study_coverage(kWhole, 93, 99); }
TEST(CoverageStudy, DISABLED_IntervalsOverBootsHoldTheTruthToo) { study_boots(kWhole, 93, 99); }
TEST(CoverageStudy, DISABLED_OneThingAgainstItselfIsSeldomCalledChanged) { study_false_changes(kWhole, 6); }

}  // namespace
}  // namespace tollgate::evidence
