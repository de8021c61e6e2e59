#include "evidence/analysis.h"

#include <gtest/gtest.h>

namespace tollgate::evidence {
namespace {

const MetricInfo kWall{"wall_s", "s", Better::lower};

/// Blocks of one run a variant: sample i of each series is of block i.
Series blocks_of(const std::string& variant, const std::vector<double>& values) {
  Series series{.metric = kWall, .variant = variant, .samples = {}, .summary = {}, .source = ""};
  for (std::uint32_t i = 0; i < values.size(); ++i)
    series.samples.push_back(
        {.value = values[i], .run = i, .position = 2 * i + (variant == "on"), .block = i, .boot = "", .start = {}});
  return series;
}

Measurement two_variants(const std::vector<double>& off, const std::vector<double>& on) {
  Measurement measurement;
  measurement.title = "off and on";
  measurement.variants = {"off", "on"};
  measurement.terms.order = Order::random_blocks;
  measurement.series = {blocks_of("off", off), blocks_of("on", on)};
  return measurement;
}

const std::vector<double> kOff{10.0, 10.2, 9.9, 10.1, 10.05, 9.95, 10.15, 10.3};
const std::vector<double> kOn{11.0, 11.3, 10.9, 11.2, 11.0, 11.0, 11.2, 11.4};

TEST(Analyse, PairsBlocksAndFindsAChange) {
  const auto comparison = analyse(two_variants(kOff, kOn));
  ASSERT_TRUE(comparison) << comparison.error().text();
  const auto& estimate = *comparison->variants[1].metrics[0].estimate;
  EXPECT_EQ(estimate.design, Design::paired);
  EXPECT_EQ(estimate.method, "Hodges-Lehmann, exact signed-rank interval");
  EXPECT_EQ(estimate.finding, Finding::changed) << estimate.reason;
  EXPECT_NEAR(*estimate.shift_percent, 10.3, 0.5);
  EXPECT_NEAR(*estimate.p, 2.0 / 256, 1e-12);
}

}  // namespace
}  // namespace tollgate::evidence
