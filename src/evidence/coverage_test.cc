// Do the intervals hold the truth as often as they say? Series are drawn from known distributions, analysed, and counted.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "evidence/test_support/study.h"

namespace tollgate::evidence {
namespace {

constexpr double kTrueRatio = 1.05;

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

// With 200 replicates a true 95 % shows as 91.4 or more in 99 of 100 cells.
TEST(CoverageStudy, SmallIntervalsHoldTheTruthAboutAsOftenAsTheySay) { study_coverage(kSmall, 90, 100); }
TEST(CoverageStudy, SmallIntervalsOverBootsHoldTheTruthToo) { study_boots(kSmall, 90, 100); }
TEST(CoverageStudy, DISABLED_IntervalsHoldTheTruthAsOftenAsTheySay) { study_coverage(kWhole, 93, 99); }
TEST(CoverageStudy, DISABLED_IntervalsOverBootsHoldTheTruthToo) { study_boots(kWhole, 93, 99); }

}  // namespace
}  // namespace tollgate::evidence
