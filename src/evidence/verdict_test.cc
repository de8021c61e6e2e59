#include "evidence/verdict.h"

#include <gtest/gtest.h>

namespace tollgate::evidence {
namespace {

PublishedRow row_of(PublishedUse use, double delta) {
  PublishedRow row;
  row.question = "pti-global-lseek";
  row.variant = "entry";
  row.metric = "ops_per_s";
  row.delta_percent = delta;
  row.use = use;
  return row;
}

VariantResult variant_of(std::string name, std::vector<double> samples, std::optional<double> delta,
                         std::optional<Interval> interval) {
  MetricSummary metric;
  metric.info.name = "ops_per_s";
  metric.samples = std::move(samples);
  metric.delta_percent = delta;
  metric.interval_percent = interval;
  VariantResult variant;
  variant.name = std::move(name);
  variant.metrics = {metric};
  return variant;
}

Comparison one_comparison() {
  Comparison comparison;
  comparison.machine = "skylake-desktop";
  comparison.workload = "lseek1";
  comparison.variants = {variant_of("none", {100, 200}, {}, {}), variant_of("entry", {102, 204}, 2.0, Interval{1, 3}),
                         variant_of("entry-text", {110, 220}, 10.0, Interval{9, 11})};
  return comparison;
}

Verdict verdict_of(PublishedUse use, double published) { return judge(row_of(use, published), one_comparison()); }

TEST(Verdict, APublishedDeltaInsideTheIntervalIsAHitAndItsEndsBelongToIt) {
  EXPECT_EQ(verdict_of(PublishedUse::validate, 1.71), Verdict::hit);
  EXPECT_EQ(verdict_of(PublishedUse::validate, 1), Verdict::hit);
  EXPECT_EQ(verdict_of(PublishedUse::validate, 3), Verdict::hit);
  EXPECT_EQ(verdict_of(PublishedUse::validate, 0.99), Verdict::miss);
  EXPECT_EQ(verdict_of(PublishedUse::validate, 3.01), Verdict::miss);
}

TEST(Verdict, ARowOfUseSignAsksForTheSignAlone) {
  EXPECT_EQ(verdict_of(PublishedUse::sign, 55), Verdict::hit);
  EXPECT_EQ(verdict_of(PublishedUse::sign, -2), Verdict::miss);
  EXPECT_EQ(verdict_of(PublishedUse::sign, 0), Verdict::miss);
}

TEST(Verdict, APredictionOfExactlyZeroMissesEveryPublishedEffect) {
  const Prediction nothing{0.0, Interval{0, 0}};
  EXPECT_EQ(judge(row_of(PublishedUse::validate, -0.64), nothing), Verdict::miss);
  EXPECT_EQ(judge(row_of(PublishedUse::sign, -0.64), nothing), Verdict::miss);
}

TEST(Verdict, RowsOfCalibrationContextAndNoiseAreNotScored) {
  EXPECT_EQ(verdict_of(PublishedUse::calibrate, 2), Verdict::calibrate);
  EXPECT_EQ(verdict_of(PublishedUse::context, 2), Verdict::context);
  EXPECT_EQ(verdict_of(PublishedUse::noise, 50), Verdict::noise);
}

TEST(Verdict, ARowWithoutAQuestionIsNotModelled) {
  for (auto use : {PublishedUse::validate, PublishedUse::context}) {
    PublishedRow row = row_of(use, 2);
    row.question = "";
    EXPECT_EQ(judge(row, Prediction{}), Verdict::not_modelled);
  }
}

TEST(Verdict, AnUnknownVariantMetricOrBaselineIsNotPredicted) {
  PublishedRow row = row_of(PublishedUse::validate, 2);
  row.variant = "entrey";
  EXPECT_EQ(judge(row, one_comparison()), Verdict::not_predicted);
  row = row_of(PublishedUse::sign, 2);
  row.metric = "elapsed_s";
  EXPECT_EQ(judge(row, one_comparison()), Verdict::not_predicted);
  row = row_of(PublishedUse::validate, 2);
  row.baseline = "nothing";
  EXPECT_EQ(judge(row, one_comparison()), Verdict::not_predicted);
  EXPECT_EQ(judge(row_of(PublishedUse::validate, 2), Comparison{}), Verdict::not_predicted);
}

TEST(Verdict, ADeltaWithoutAnIntervalScoresSignsOnly) {
  const Prediction prediction{2.0, std::nullopt};
  EXPECT_EQ(judge(row_of(PublishedUse::validate, 2), prediction), Verdict::not_predicted);
  EXPECT_EQ(judge(row_of(PublishedUse::sign, 2), prediction), Verdict::hit);
}

TEST(Verdict, ARowWithItsOwnBaselineIsPredictedAgainstIt) {
  PublishedRow row = row_of(PublishedUse::validate, 7.8);
  row.baseline = "entry";
  row.variant = "entry-text";
  const auto prediction = predict(row, one_comparison());
  EXPECT_NEAR(*prediction.delta_percent, 100 * (330.0 - 306) / 306, 1e-12);
  ASSERT_TRUE(prediction.interval_percent);
  EXPECT_EQ(judge(row, one_comparison()), Verdict::miss) << "two equal deltas of 7.843 %: an interval without width";
}

TEST(Verdict, AComparisonOnAnotherMachineOrWorkloadIsNotHeldAgainstTheRow) {
  PublishedRow row = row_of(PublishedUse::validate, 2);
  row.machine = "atom-server";
  EXPECT_EQ(judge(row, one_comparison()), Verdict::other_setting);
  row.machine = "skylake-desktop";
  EXPECT_EQ(judge(row, one_comparison()), Verdict::hit);
  row.workload = "compile";
  EXPECT_EQ(judge(row, one_comparison()), Verdict::other_setting);
}

TEST(Verdict, AComparisonWithChangedSettingsIsNotHeldAgainstTheRow) {
  Comparison comparison = one_comparison();
  EXPECT_EQ(judge(row_of(PublishedUse::validate, 2), comparison), Verdict::hit);
  comparison.settings = {"policy.pcid=off"};
  EXPECT_EQ(judge(row_of(PublishedUse::validate, 2), comparison), Verdict::other_setting);
}

}  // namespace
}  // namespace tollgate::evidence
