#include "evidence/reservations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evidence/analysis.h"

namespace tollgate::evidence {
namespace {

using testing::HasSubstr;

/// Two variants of six runs each, in blocks, with a margin of 1 %.
Measurement two_variants(double off, double on) {
  Measurement measurement;
  measurement.variants = {"off", "on"};
  measurement.terms.order = Order::random_blocks;
  measurement.terms.margin_percent = 1;
  for (const auto& [variant, value] : {std::pair{"off", off}, {"on", on}}) {
    Series& series = measurement.series.emplace_back();
    series.metric = {"max_rss_bytes", "B", Better::lower};
    series.variant = variant;
    for (std::uint32_t i = 0; i < 6; ++i)
      series.samples.push_back({value * (1 + 1e-5 * i), i, 2 * i + (variant[1] == 'n'), i, "", {}});
  }
  return measurement;
}

RealEstimate estimate_of(const Measurement& measurement) {
  return *analyse(measurement).value().variants.at(1).metrics.at(0).estimate;
}

TEST(Reservations, RunsThatAreStillToBeMadeForbidEveryFinding) {
  for (const double on : {2e6, 3e6}) {
    auto measurement = two_variants(2e6, on);
    EXPECT_NE(estimate_of(measurement).finding, Finding::inconclusive);
    measurement.unfinished = "12 of 16 planned runs were made";
    const auto estimate = estimate_of(measurement);
    EXPECT_EQ(estimate.finding, Finding::inconclusive);
    EXPECT_EQ(estimate.reason, measurement.unfinished);
    EXPECT_TRUE(estimate.interval_percent);
  }
}

TEST(Reservations, WhereBothAreAtTheFloorNothingIsKnown) {
  for (const double on : {2e6, 2.5e6}) {
    auto measurement = two_variants(2e6, on);
    for (Series& series : measurement.series) series.floor = 2.6e6;
    const auto estimate = estimate_of(measurement);
    EXPECT_EQ(estimate.finding, Finding::inconclusive);
    EXPECT_EQ(
        estimate.reason,
        "runs of both are at or below 2,600,000 B, under which nothing is seen: how far they are apart is not known");
  }
}

TEST(Reservations, WhereOneIsAtTheFloorOnlyAChangeThatItCouldMakeLargerStands) {
  auto equal = two_variants(2e6, 2e6);
  equal.series[0].floor = 2.001e6;
  EXPECT_EQ(estimate_of(equal).finding, Finding::inconclusive);
  EXPECT_THAT(estimate_of(equal).reason, HasSubstr("runs of 'off' are at or below 2,001,000 B"));
  auto larger = two_variants(2e6, 4e6);
  larger.series[0].floor = 2.001e6;
  EXPECT_EQ(estimate_of(larger).finding, Finding::changed);
  auto smaller = two_variants(4e6, 2e6);
  smaller.series[1].floor = 2.001e6;
  EXPECT_EQ(estimate_of(smaller).finding, Finding::changed);
  auto hidden = two_variants(2.4e6, 2e6);
  hidden.series[0].floor = 2.6e6;
  EXPECT_EQ(estimate_of(hidden).finding, Finding::inconclusive);
}

TEST(Reservations, PlannedComparisonsThatAreLeftOutCountInHolmsCorrection) {
  auto measurement = two_variants(2e6, 3e6);
  EXPECT_EQ(estimate_of(measurement).finding, Finding::changed);
  const double p = *estimate_of(measurement).p;
  measurement.left_out = 1;
  const auto comparison = analyse(measurement).value();
  EXPECT_EQ(comparison.session->comparisons, 2U);
  EXPECT_DOUBLE_EQ(*comparison.variants[1].metrics[0].estimate->p_holm, 2 * p);
  EXPECT_EQ(comparison.variants[1].metrics[0].estimate->finding, Finding::inconclusive);
}

}  // namespace
}  // namespace tollgate::evidence
