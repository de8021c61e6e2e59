// Runs whose values were printed in steps: what the steps hide is in the interval.
#include "evidence/printed_steps.h"

#include <gtest/gtest.h>

#include "evidence/analysis.h"

namespace tollgate::evidence {
namespace {

Measurement two_variants(const std::vector<double>& off, const std::vector<double>& on) {
  Measurement measurement;
  measurement.variants = {"off", "on"};
  for (const auto& [variant, values] : {std::pair{"off", off}, {"on", on}}) {
    Series series;
    series.metric = {"wall_s", "s", Better::lower};
    series.variant = variant;
    for (std::uint32_t i = 0; i < values.size(); ++i) series.samples.push_back({values[i], i, {}, {}, "", {}});
    measurement.series.push_back(std::move(series));
  }
  return measurement;
}

RealEstimate estimate_of(const Measurement& measurement) {
  return *analyse(measurement).value().variants.at(1).metrics.at(0).estimate;
}

double half_step(const std::vector<double>& values) { return half_step_of(values); }

TEST(PrintedSteps, AreTheFewestDecimalsThatHoldEveryValue) {
  EXPECT_DOUBLE_EQ(half_step({0.011, 0.01, 0.2, 3}), 0.0005);
  EXPECT_DOUBLE_EQ(half_step({1234567.5, 2}), 0.05);
  EXPECT_DOUBLE_EQ(half_step({-0.25, 0}), 0.005);
  EXPECT_DOUBLE_EQ(half_step({0.123456789}), 0.5e-9);
  EXPECT_DOUBLE_EQ(half_step({12.345 * 1e-3, 0.3 - 0.1}), 0.5e-6) << "units that were changed";
}

TEST(PrintedSteps, AreNoneOfCountsAndOfWholeDoubles) {
  EXPECT_EQ(half_step({3, 17, 4e15}), 0);
  EXPECT_EQ(half_step({0.011, 1.0 / 3}), 0);
  EXPECT_EQ(half_step({0.0123456789012}), 0);
  EXPECT_EQ(half_step({}), 0);
}

TEST(PrintedSteps, AreNamedWhereTheyAreWorthAWord) {
  auto both = two_variants({0.011, 0.011}, {1}).series;
  EXPECT_TRUE(visible_rounding(both).empty());
  for (Series& series : both) series.half_step = 0.0005;
  EXPECT_EQ(visible_rounding(both),
            (std::vector<std::string>{
                "wall_s of 'off' was printed in steps of 0.001 s: the rounding alone is up to +-4.5 % of the mean"}))
      << "of 1 s it is 0.05 %";
  for (Series& series : both) series.half_step = 0.005;
  EXPECT_EQ(
      visible_rounding(both),
      (std::vector<std::string>{"wall_s of 'off', 'on' were printed in steps of 0.01 s: the rounding alone is up to "
                                "+-45 % of the mean"}));
  for (Series& series : both) series.half_step = 0.00001;
  EXPECT_TRUE(visible_rounding(both).empty());
}

TEST(PrintedSteps, MayPutAllRunsHalfAStepOff) {
  // Six runs of 20 ms beside six of 30 ms, printed in steps a little above 10 ms: all may have taken 25 ms.
  auto measurement = two_variants({2, 2, 2, 2, 2, 2}, {3, 3, 3, 3, 3, 3});
  EXPECT_EQ(estimate_of(measurement).finding, Finding::changed);
  for (Series& series : measurement.series) series.half_step = 0.51;
  const auto coarse = estimate_of(measurement);
  EXPECT_EQ(coarse.finding, Finding::inconclusive);
  EXPECT_NEAR(coarse.interval_percent->low, 100 * (2.49 / 2.51 - 1), 1e-9);
  EXPECT_NEAR(coarse.interval_percent->high, 100 * (3.51 / 1.49 - 1), 1e-9);
  for (Series& series : measurement.series) series.half_step = 0.05;
  const auto fine = estimate_of(measurement);
  EXPECT_EQ(fine.finding, Finding::changed);
  EXPECT_NEAR(fine.interval_percent->low, 100 * (2.95 / 2.05 - 1), 1e-9);
  for (Series& series : measurement.series) series.half_step = 4;
  EXPECT_EQ(estimate_of(measurement).reason, "a mean was printed in steps larger than itself");
}

TEST(PrintedSteps, CountWhereAValueIsZeroToo) {
  const std::vector<double> low{0, 0, 1, 1, 1, 1}, high{2, 2, 1, 2, 2, 2};
  for (auto measurement : {two_variants(low, high), two_variants(high, low)}) {
    EXPECT_LT(*estimate_of(measurement).p, 0.05);
    for (Series& series : measurement.series) series.half_step = 0.5;
    const auto coarse = estimate_of(measurement);
    EXPECT_EQ(coarse.finding, Finding::inconclusive);
    EXPECT_GT(*coarse.p, 0.05);
  }
  EXPECT_EQ(estimate_of(two_variants(low, high)).finding, Finding::changed);
}

}  // namespace
}  // namespace tollgate::evidence
