#include "evidence/analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evidence/names.h"
#include "evidence/noise_floor.h"

namespace tollgate::evidence {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const MetricInfo kWall{"wall_s", "s", Better::lower};
const std::vector<double> kOff{10.0, 10.2, 9.9, 10.1, 10.05, 9.95, 10.15, 10.3};
const std::vector<double> kOn{11.0, 11.3, 10.9, 11.2, 11.0, 11.05, 11.25, 11.4};

/// Sample i is of block i.
Series series_of(const std::string& variant, const std::vector<double>& values, const MetricInfo& metric = kWall) {
  Series series;
  series.metric = metric;
  series.variant = variant;
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    Sample& sample = series.samples.emplace_back();
    sample.value = values[i];
    sample.run = sample.block.emplace(i);
    sample.position = 2 * i + (variant == "on");
  }
  return series;
}

Measurement two_variants(const std::vector<double>& off, const std::vector<double>& on,
                         Order order = Order::random_blocks) {
  Measurement measurement;
  measurement.title = "off and on";
  measurement.variants = {"off", "on"};
  measurement.terms.order = order;
  measurement.series = {series_of("off", off), series_of("on", on)};
  return measurement;
}

Comparison analysed(const Measurement& measurement) {
  auto comparison = analyse(measurement);
  EXPECT_TRUE(comparison) << comparison.error().text();
  return comparison ? *std::move(comparison) : Comparison{};
}
RealEstimate estimate_of(const Measurement& measurement) {
  return *analysed(measurement).variants.at(1).metrics.at(0).estimate;
}
std::string error_of(const Measurement& measurement) {
  const auto comparison = analyse(measurement);
  return comparison ? "" : comparison.error().text();
}
std::vector<double> first(const std::vector<double>& values, std::size_t count) {
  return {values.begin(), values.begin() + std::ptrdiff_t(count)};
}
std::vector<double> times(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

TEST(Analyse, PairsBlocksByTheSignedRankInterval) {
  const auto estimate = estimate_of(two_variants(kOff, kOn));
  EXPECT_EQ(estimate.design, Design::paired);
  EXPECT_EQ(estimate.method, "Hodges-Lehmann, exact signed-rank interval");
  EXPECT_EQ(estimate.finding, Finding::changed) << estimate.reason;
  EXPECT_EQ(finding_text(estimate, Better::lower), "changed (worse)");
  EXPECT_EQ(finding_text(estimate, Better::higher), "changed (better)");
  EXPECT_NEAR(*estimate.shift_percent, 10.4, 0.5);
  EXPECT_NEAR(*estimate.p, 2.0 / 256, 1e-12);
}

TEST(Analyse, TakesTheMethodThatTheNumberOfRunsAllows) {
  const auto method = [](std::size_t runs, Order order) {
    return estimate_of(two_variants(first(kOff, runs), first(kOn, runs), order)).method;
  };
  EXPECT_EQ(method(2, Order::random_blocks), "none");
  EXPECT_EQ(method(3, Order::random_blocks), "paired t on log ratios");
  EXPECT_EQ(method(5, Order::abba), "paired t on log ratios");
  EXPECT_EQ(method(6, Order::abba), "Hodges-Lehmann, exact signed-rank interval");
  EXPECT_EQ(method(3, Order::unknown), "Welch's t on logs");
  EXPECT_EQ(method(4, Order::in_sequence), "Hodges-Lehmann, exact Mann-Whitney interval");
}

TEST(Analyse, TooFewValuesAreCounted) {
  const auto reason = [](std::size_t runs, Order order) {
    return estimate_of(two_variants(first(kOff, runs), first(kOn, runs), order)).reason;
  };
  EXPECT_EQ(reason(2, Order::random_blocks), "2 pairs: an interval needs 3");
  EXPECT_EQ(reason(1, Order::unknown), "1 run a variant: an interval needs 3");
  EXPECT_EQ(reason(2, Order::unknown), "2 runs a variant: an interval needs 3");
}

TEST(Analyse, ARankIntervalThatCannotReachTheLevelIsNotUsed) {
  auto measurement = two_variants(first(kOff, 6), first(kOn, 6));
  measurement.terms.level = 99;
  EXPECT_EQ(estimate_of(measurement).method, "paired t on log ratios");
}

TEST(Analyse, NeverPairsWhatWasNotScheduledInBlocks) {
  for (Order order : {Order::unknown, Order::in_sequence}) {
    const auto estimate = estimate_of(two_variants(kOff, kOn, order));
    EXPECT_EQ(estimate.design, Design::unpaired);
    EXPECT_EQ(estimate.baseline_values, 8u);
  }
}

TEST(Analyse, BlocksThatLackARunAreNotPairedAndSaidSo) {
  auto measurement = two_variants(kOff, kOn);
  measurement.series[1].samples.erase(measurement.series[1].samples.begin() + 2);
  const auto comparison = analysed(measurement);
  EXPECT_EQ(comparison.variants[1].metrics[0].estimate->baseline_values, 7u);
  EXPECT_THAT(comparison.notes, Contains(HasSubstr("1 of 8 blocks lack a run")));
}

TEST(Analyse, ThreeVerdicts) {
  auto measurement = two_variants(kOff, times(kOff, 1.001));
  measurement.series[1].samples[0].value *= 0.998;
  EXPECT_EQ(estimate_of(measurement).finding, Finding::inconclusive) << "no margin stated";
  measurement.terms.margin_percent = 1;
  const auto equivalent = estimate_of(measurement);
  EXPECT_EQ(equivalent.finding, Finding::equivalent) << equivalent.reason;
  EXPECT_EQ(*equivalent.equivalence_level, 90);
  EXPECT_LT(*equivalent.p_equivalence, 0.05);
  measurement.terms.margin_percent = 0.05;
  EXPECT_NE(estimate_of(measurement).finding, Finding::equivalent);
  EXPECT_GT(*estimate_of(measurement).p_equivalence, 0.05);
}

TEST(Analyse, ACertainShiftInsideTheMarginCountsAsNone) {
  auto measurement = two_variants(kOff, times(kOff, 1.002));
  measurement.terms.margin_percent = 1;
  const auto estimate = estimate_of(measurement);
  EXPECT_EQ(estimate.finding, Finding::equivalent);
  EXPECT_THAT(estimate.reason, HasSubstr("though a shift is shown"));
}

TEST(Analyse, AShiftWithinTheNoiseFloorIsNoChange) {
  auto measurement = two_variants(kOff, kOn);
  measurement.noise_floor_percent = 15;
  const auto estimate = estimate_of(measurement);
  EXPECT_EQ(estimate.finding, Finding::inconclusive);
  EXPECT_EQ(estimate.reason, "the shift is within the noise floor of 15 %");
}

TEST(Analyse, TheNoiseFloorOfThePrimaryMetricSaysNothingOfOthers) {
  auto measurement = two_variants(kOff, kOn);
  measurement.noise_floor_percent = 15;
  const MetricInfo user{"user_s", "s", Better::lower};
  measurement.series.push_back(series_of("off", kOff, user));
  measurement.series.push_back(series_of("on", kOn, user));
  const auto comparison = analysed(measurement);
  EXPECT_EQ(comparison.variants[1].metrics[0].estimate->finding, Finding::inconclusive);
  EXPECT_EQ(comparison.variants[1].metrics[1].estimate->finding, Finding::changed);
}

TEST(Analyse, SeveralValuesOfOneRunAreOneValue) {
  auto measurement = two_variants(kOff, kOn, Order::unknown);
  for (Series& series : measurement.series)
    for (Sample& sample : series.samples) sample.run /= 2;
  const auto estimate = estimate_of(measurement);
  EXPECT_EQ(estimate.baseline_values, 4u);
  EXPECT_EQ(estimate.levels->group, "run");
}

TEST(Analyse, CorrectsForEveryComparison) {
  auto measurement = two_variants(first(kOff, 6), first(kOn, 6));
  const MetricInfo user{"user_s", "s", Better::lower};
  measurement.series.push_back(series_of("off", first(kOff, 6), user));
  measurement.series.push_back(series_of("on", first(kOff, 6), user));
  const auto comparison = analysed(measurement);
  const auto& estimate = *comparison.variants[1].metrics[0].estimate;
  EXPECT_EQ(comparison.session->comparisons, 2u);
  EXPECT_DOUBLE_EQ(*estimate.p_holm, 2 * *estimate.p);
  EXPECT_EQ(estimate.finding, Finding::inconclusive);
  EXPECT_THAT(estimate.reason, HasSubstr("not after Holm's correction"));
  EXPECT_THAT(comparison.warnings,
              Contains("6 values are too few to show any change after Holm's correction for 2 comparisons"));
}

TEST(Analyse, ValuesThatAreNotAboveZeroGetTheRatioOfMeans) {
  auto off = kOff, on = kOn;
  off[0] = 0;
  const auto estimate = estimate_of(two_variants(off, on));
  EXPECT_THAT(estimate.method, HasSubstr("Fieller"));
  EXPECT_TRUE(estimate.p);
  const std::vector<double> nothing(8, 0.0);
  const auto none = estimate_of(two_variants(nothing, on));
  EXPECT_FALSE(none.shift_percent);
  EXPECT_EQ(none.finding, Finding::inconclusive);
  EXPECT_THAT(none.reason, HasSubstr("cannot be told from zero"));
}

TEST(Analyse, ValuesBelowZeroHaveNoPercentageAndNoDirection) {
  const std::vector<double> below(8, -1.0), above(8, 2.0);
  auto mixed = kOff;
  mixed[3] = -0.1;
  for (const auto& [off, on] : {std::pair(below, above), std::pair(above, below), std::pair(below, below),
                                std::pair(mixed, kOn), std::pair(kOn, mixed)}) {
    const auto comparison = analysed(two_variants(off, on));
    const MetricSummary& metric = comparison.variants[1].metrics[0];
    EXPECT_FALSE(metric.delta_percent);
    EXPECT_FALSE(metric.interval_percent);
    EXPECT_FALSE(metric.estimate->shift_percent);
    EXPECT_EQ(metric.estimate->design, Design::paired);
    EXPECT_EQ(metric.estimate->finding, Finding::inconclusive);
    EXPECT_THAT(metric.estimate->reason, HasSubstr("a value is below zero"));
  }
}

/// Variants that are boots: `boots` rounds, in each one boot a variant with three runs.
Measurement boots(std::uint32_t rounds, Order order) {
  auto measurement = two_variants({}, {}, order);
  for (std::uint32_t round = 0; round < rounds; ++round)
    for (std::uint32_t variant : {0u, 1u})
      for (std::uint32_t i = 0; i < 3; ++i) {
        Sample& sample = measurement.series[variant].samples.emplace_back();
        sample.value = 10 + 0.2 * ((round * 7) % 5) + 0.01 * i + variant;
        sample.run = round * 3 + i;
        sample.block = round;
        sample.boot = std::to_string(2 * round + variant);
      }
  return measurement;
}

TEST(Analyse, BootsAreWhatCountsNotTheirRuns) {
  const auto paired = estimate_of(boots(6, Order::random_blocks));
  EXPECT_EQ(paired.design, Design::paired);
  EXPECT_EQ(paired.baseline_values, 6u);
  const auto unpaired = estimate_of(boots(6, Order::unknown));
  EXPECT_EQ(unpaired.design, Design::unpaired);
  EXPECT_EQ(unpaired.baseline_values, 6u);
  ASSERT_TRUE(unpaired.levels);
  EXPECT_EQ(unpaired.levels->group, "boot");
  EXPECT_GT(*unpaired.levels->share_between, 0.9);
  EXPECT_NEAR(*unpaired.levels->effective_samples, 12, 0.5);
}

TEST(Analyse, OneBootEachCannotBeToldFromTheVariant) {
  const auto estimate = estimate_of(boots(1, Order::in_sequence));
  EXPECT_EQ(estimate.finding, Finding::inconclusive);
  EXPECT_THAT(estimate.reason, HasSubstr("one boot a variant"));
}

TEST(Analyse, BlocksOfRunsInTwoBootsAreWorthOnePair) {
  auto measurement = two_variants(kOff, kOn);
  for (Series& series : measurement.series)
    for (Sample& sample : series.samples) sample.boot = series.variant;
  const auto estimate = estimate_of(measurement);
  EXPECT_EQ(estimate.baseline_values, 1u);
  EXPECT_EQ(estimate.finding, Finding::inconclusive);
}

TEST(Analyse, BuildsAreALevelToo) {
  auto measurement = two_variants(kOff, kOn, Order::unknown);
  for (const auto& variant : measurement.variants)
    for (std::uint32_t run = 0; run < 8; ++run)
      measurement.conditions.push_back({variant, run, "build", variant + std::to_string(run / 2)});
  const auto estimate = estimate_of(measurement);
  EXPECT_EQ(estimate.levels->group, "build");
  EXPECT_EQ(estimate.variant_values, 4u);
}

TEST(Analyse, AConditionInStepWithTheVariantIsNamed) {
  auto measurement = two_variants(kOff, kOn);
  for (const auto& variant : measurement.variants)
    for (std::uint32_t run = 0; run < 8; ++run) {
      measurement.conditions.push_back({variant, run, "governor", variant == "on" ? "powersave" : "performance"});
      measurement.conditions.push_back({variant, run, "load", std::to_string(0.1 * run + (variant == "on"))});
      measurement.conditions.push_back({variant, run, "turbo", run % 2 ? "on" : "off"});
    }
  EXPECT_THAT(
      analysed(measurement).warnings,
      AllOf(Contains(HasSubstr("governor changes in step with the variant: 'performance' with 'off', 'powersave' "
                               "with 'on'")),
            Contains(HasSubstr("load changes in step with the variant: 0 to 0.7 with 'off', 1 to 1.7 with 'on'")),
            Not(Contains(HasSubstr("turbo")))));
  EXPECT_THAT(analysed(measurement).notes, Contains("turbo was not one value over the runs of 'off': 'off', 'on'"));
  measurement.terms.compared = {"governor"};
  EXPECT_THAT(analysed(measurement).warnings, Not(Contains(HasSubstr("governor"))));
}

TEST(Analyse, TrendsArePairedAwayOnlyWhereTheRatioStandsStill) {
  std::vector<double> rising, flat;
  for (int i = 0; i < 12; ++i) {
    rising.push_back(10 + 0.1 * i + 0.01 * ((i * 5) % 7));
    flat.push_back(10 + 0.01 * ((i * 5) % 7));
  }
  const auto both = analysed(two_variants(rising, rising));
  EXPECT_THAT(both.notes, Contains(AllOf(HasSubstr("'on' drifts by +11 %"), HasSubstr("pairs cancel"))));
  EXPECT_THAT(both.warnings, IsEmpty());
  EXPECT_THAT(analysed(two_variants(flat, rising)).warnings,
              Contains(HasSubstr("'on': its ratio to the baseline drifts by +11 % over its blocks")));
  EXPECT_THAT(analysed(two_variants(rising, rising, Order::in_sequence)).warnings,
              AllOf(Contains(HasSubstr("counts as a difference")), Contains(HasSubstr("all runs of one variant"))));
}

TEST(Analyse, OutliersAreShownAndCountHumpsAreNamed) {
  auto off = kOff;
  off[3] = 30;
  const auto comparison = analysed(two_variants(off, kOn));
  EXPECT_THAT(comparison.notes, Contains(HasSubstr("far from the rest, and kept: run 3 (30 s)")));
  EXPECT_EQ(comparison.variants[0].metrics[0].outliers, std::vector<std::uint32_t>{3});
  EXPECT_DOUBLE_EQ(comparison.variants[0].metrics[0].max, 30);
  EXPECT_THAT(comparison.warnings, Contains(HasSubstr("a few runs carry the means")));
  const std::vector<double> humps{10, 10.1, 11, 10.05, 11.1, 10.02, 11.05, 10.03, 10.01, 10.07};
  EXPECT_THAT(analysed(two_variants(humps, humps)).warnings,
              Contains(HasSubstr("lies in two groups: 7 runs about 10.04")));
}

Series printed(const std::string& variant, double mean, std::optional<double> deviation,
               std::optional<std::uint64_t> count) {
  Series series;
  series.metric = kWall;
  series.variant = variant;
  series.summary.emplace();
  series.summary->mean = mean;
  series.summary->deviation = deviation;
  series.summary->count = count;
  return series;
}

TEST(Analyse, PrintedFiguresGetWelchAndSaySo) {
  auto measurement = two_variants({}, {}, Order::unknown);
  measurement.series = {printed("off", 100, 1, 10), printed("on", 103, 1.5, 12)};
  const auto comparison = analysed(measurement);
  const auto& estimate = *comparison.variants[1].metrics[0].estimate;
  EXPECT_EQ(estimate.finding, Finding::changed);
  EXPECT_NEAR(*estimate.shift_percent, 3, 1e-9);
  EXPECT_THAT(estimate.method, HasSubstr("printed"));
  EXPECT_THAT(comparison.notes, Contains(HasSubstr("computed from printed figures")));
  EXPECT_EQ(*comparison.variants[0].metrics[0].printed_count, 10u);
}

TEST(Analyse, PrintedFiguresWithoutSpreadOrNumberHaveNoInterval) {
  for (const auto& series : {printed("on", 103, {}, 12), printed("on", 103, 1.5, {})}) {
    auto measurement = two_variants({}, {}, Order::unknown);
    measurement.series = {printed("off", 100, 1, 10), series};
    const auto comparison = analysed(measurement);
    EXPECT_EQ(comparison.variants[1].metrics[0].estimate->finding, Finding::inconclusive);
    EXPECT_NEAR(*comparison.variants[1].metrics[0].delta_percent, 3, 1e-9);
    EXPECT_THAT(comparison.notes, ::testing::Not(Contains(HasSubstr("computed from printed figures"))));
  }
}

Measurement printed_in_steps(double baseline, double variant, double step) {
  auto measurement = two_variants({}, {}, Order::unknown);
  measurement.series = {printed("off", baseline, 0.01, 5), printed("on", variant, 0.01, 5)};
  for (Series& series : measurement.series) series.half_step = step / 2;
  return measurement;
}

TEST(Analyse, MeansPrintedInStepsMayLieHalfAStepOff) {
  // 1 may be 1.4999 and 2 may be 1.5001: nothing is shown.
  const auto nothing = estimate_of(printed_in_steps(1, 2, 1));
  EXPECT_EQ(nothing.finding, Finding::inconclusive);
  EXPECT_LT(nothing.interval_percent->low, 0);
  EXPECT_GT(nothing.interval_percent->high, 400);  // 2.5 over 0.5
  EXPECT_GT(*nothing.p, 0.5);
  // 10 to 20 is 10.5 to 19.5 at the least and 9.5 to 20.5 at the most.
  const auto shown = estimate_of(printed_in_steps(10, 20, 1));
  EXPECT_EQ(shown.finding, Finding::changed);
  EXPECT_NEAR(shown.interval_percent->low, 100 * (19.5 / 10.5 - 1), 0.5);
  EXPECT_NEAR(shown.interval_percent->high, 100 * (20.5 / 9.5 - 1), 0.5);
  EXPECT_EQ(estimate_of(printed_in_steps(1, 2, 3)).reason, "a mean was printed in steps larger than itself");
}

TEST(Analyse, NoIntervalOfARatioOfPositiveValuesGoesBelowMinusHundredPercent) {
  auto measurement = two_variants({10, 11, 12}, {1, 30, 5}, Order::unknown);
  EXPECT_DOUBLE_EQ(analysed(measurement).variants[1].metrics[0].interval_percent->low, -100);
  measurement.terms.order = Order::random_blocks;
  EXPECT_DOUBLE_EQ(analysed(measurement).variants[1].metrics[0].interval_percent->low, -100);
  measurement.series = {printed("off", 100, 1, 10), printed("on", 50, 200, 5)};
  EXPECT_DOUBLE_EQ(analysed(measurement).variants[1].metrics[0].interval_percent->low, -100);
}

TEST(Analyse, WhatPrintedFiguresLackIsNamed) {
  const auto reason_of = [](const Series& series) {
    auto measurement = two_variants({}, {}, Order::unknown);
    measurement.series = {printed("off", 100, 1, 10), series};
    return estimate_of(measurement).reason;
  };
  EXPECT_EQ(reason_of(printed("on", 103, {}, 12)), "only printed figures of 'on', without spread");
  EXPECT_EQ(reason_of(printed("on", 103, 1.5, {})), "only printed figures of 'on', without number of runs");
  EXPECT_EQ(reason_of(printed("on", 103, {}, {})), "only printed figures of 'on', without number of runs and spread");
  EXPECT_EQ(reason_of(printed("on", 103, {}, 1)), "1 run of 'on': an interval needs 3");
}

TEST(Analyse, FiguresAtTheEndsOfTheDoublesAreRefusedWithoutAborting) {
  auto measurement = two_variants({}, {}, Order::unknown);
  measurement.series = {printed("off", 5e-324, 1e308, 10), printed("on", 1e308, 1e308, 10)};
  EXPECT_EQ(estimate_of(measurement).reason, "a printed spread is too large for its mean");
  EXPECT_TRUE(analyse(two_variants({1e308, 1e-308, 1, 5e-324}, {1, 1e308, -1e308, 2}, Order::unknown)));
}

TEST(Analyse, ThreeSamplesAreRecoveredFromMeanMinAndMax) {
  // Compile times of a published table: 34.84 (34.79 to 34.94) and 37.50 (37.46 to 37.53), n = 3.
  auto measurement = two_variants({}, {}, Order::unknown);
  measurement.series = {printed("off", 34.84, {}, 3), printed("on", 37.50, {}, 3)};
  measurement.series[0].summary->min = 34.79;
  measurement.series[0].summary->max = 34.94;
  measurement.series[1].summary->min = 37.46;
  measurement.series[1].summary->max = 37.53;
  const auto printed_only = estimate_of(measurement);
  auto whole = two_variants({34.79, 34.79, 34.94}, {37.46, 37.51, 37.53}, Order::unknown);
  const auto from_samples = estimate_of(whole);
  EXPECT_NEAR(printed_only.interval_percent->low, from_samples.interval_percent->low, 0.02);
  EXPECT_NEAR(printed_only.interval_percent->high, from_samples.interval_percent->high, 0.02);
}

TEST(Analyse, MeansAndCentresOfCleanRunsAreNotSaidToPart) {
  EXPECT_THAT(analysed(two_variants(kOff, kOn)).warnings, IsEmpty());
  EXPECT_THAT(analysed(two_variants(kOff, kOff)).warnings, IsEmpty());
}

TEST(Analyse, DigestsFollowTheSamplesInOrder) {
  auto measurement = two_variants(kOff, kOn);
  const auto digest = analysed(measurement).digest;
  EXPECT_EQ(digest, analysed(measurement).digest);
  std::swap(measurement.series[0].samples[0].value, measurement.series[0].samples[1].value);
  EXPECT_NE(digest, analysed(measurement).digest);
}

TEST(Analyse, RefusesWhatCannotBeCompared) {
  const auto good = two_variants(kOff, kOn);
  auto bad = good;
  bad.series[1].samples[2].value = std::nan("");
  EXPECT_EQ(error_of(bad), "wall_s of 'on': run 2 is not a number");
  bad = good;
  bad.series[1].metric.unit = "ms";
  EXPECT_THAT(error_of(bad), HasSubstr("in s here and in ms of 'on'"));
  bad = good;
  bad.series[1].variant = "onn";
  EXPECT_THAT(error_of(bad), HasSubstr("wall_s of 'onn': no such variant (did you mean 'on'?)"));
  bad = good;
  bad.terms.primary = "wal_s";
  EXPECT_THAT(error_of(bad), HasSubstr("(did you mean 'wall_s'?)"));
  bad = good;
  bad.series[1].samples.clear();
  EXPECT_EQ(error_of(bad), "wall_s of 'on': no samples");
  bad = good;
  bad.series.push_back(good.series[1]);
  EXPECT_EQ(error_of(bad), "wall_s of 'on' is given twice");
  bad = good;
  bad.variants = {"off"};
  EXPECT_THAT(error_of(bad), HasSubstr("two variants"));
  bad = good;
  bad.terms.margin_percent = 100;
  EXPECT_THAT(error_of(bad), HasSubstr("the margin is 100 %"));
  bad = good;
  bad.terms.level = 100;
  EXPECT_THAT(error_of(bad), HasSubstr("between 50 and 100"));
  bad = good;
  bad.series.clear();
  EXPECT_EQ(error_of(bad), "there are no samples");
}

TEST(NoiseFloor, IsTheSizeOfShiftsThatNothingMakes) {
  auto measurement = two_variants(kOff, times(kOff, 1.0001));
  measurement.terms.primary = "wall_s";
  for (std::size_t i = 0; i < 8; ++i) measurement.series[1].samples[i].value *= i % 2 ? 1.004 : 0.996;
  const auto floor = noise_floor_percent(measurement);
  ASSERT_TRUE(floor) << floor.error().text();
  EXPECT_GT(*floor, 0.1);
  EXPECT_LT(*floor, 0.45);
  EXPECT_EQ(*floor, *noise_floor_percent(measurement));
}

TEST(NoiseFloor, IsNeverBelowWhatTheRunsThemselvesShow) {
  auto measurement = two_variants(kOff, times(kOff, 1.05));
  measurement.terms.primary = "wall_s";
  EXPECT_NEAR(*noise_floor_percent(measurement), 5, 1e-9);
  measurement.terms.order = Order::unknown;
  EXPECT_GE(*noise_floor_percent(measurement), 5 - 1e-9);
}

TEST(NoiseFloor, NeedsThreeValuesAboveZero) {
  auto few = two_variants(first(kOff, 2), first(kOff, 2));
  few.terms.primary = "wall_s";
  EXPECT_FALSE(noise_floor_percent(few));
  auto zero = two_variants(std::vector<double>(8, 0.0), kOff);
  zero.terms.primary = "wall_s";
  EXPECT_FALSE(noise_floor_percent(zero));
}

}  // namespace
}  // namespace tollgate::evidence
