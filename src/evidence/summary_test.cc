#include "evidence/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"

namespace tollgate::evidence {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const MetricInfo kOps{"ops_per_s", "1/s", Better::higher};

Summaries summarize_two(SampleMatrix baseline, SampleMatrix variant) {
  const std::vector<VariantSamples> variants{{"none", std::move(baseline)}, {"entry", std::move(variant)}};
  return summarize(kOps, variants);
}

/// `draws` draws of two equal replicates: first, first + step, ...
SampleMatrix ramp(std::size_t draws, double first, double step) {
  SampleMatrix values;
  for (std::size_t i = 0; i < draws; ++i) values.push_back({first + step * double(i), first + step * double(i)});
  return values;
}

TEST(Summary, SamplesAreTheMeansOfTheReplicatesOfEachDraw) {
  const auto got = summarize_two({{90, 110}, {180, 220}}, {{100, 104}, {200, 208}});
  EXPECT_THAT(got.variants[0].samples, ElementsAre(100, 200));
  EXPECT_THAT(got.variants[1].samples, ElementsAre(102, 204));
  EXPECT_EQ(got.variants[0].mean, 150);
  EXPECT_EQ(got.variants[0].min, 100);
  EXPECT_EQ(got.variants[0].max, 200);
}

TEST(Summary, TheBaselineHasNoDelta) {
  const auto got = summarize_two(ramp(5, 100, 1), ramp(5, 110, 1));
  EXPECT_FALSE(got.variants[0].delta_percent);
  EXPECT_FALSE(got.variants[0].interval_percent);
  EXPECT_FALSE(got.variants[0].mc_error_percent);
}

TEST(Summary, TheDeltaIsThatOfTheMeansWithItsRawSign) {
  EXPECT_NEAR(*summarize_two({{100, 100}, {300, 300}}, {{110, 110}, {300, 300}}).variants[1].delta_percent, 2.5, 1e-12);
  EXPECT_NEAR(*summarize_two({{200, 200}}, {{150, 150}}).variants[1].delta_percent, -25, 1e-12);
}

TEST(Summary, EqualVariantsDifferByExactlyZeroEvenWithANegativeBaseline) {
  for (double first : {0.1, -0.1}) {
    const auto got = summarize_two(ramp(20, first, first), ramp(20, first, first)).variants[1];
    EXPECT_EQ(*got.delta_percent, 0);
    EXPECT_FALSE(std::signbit(*got.delta_percent));
    EXPECT_EQ(got.interval_percent->low, 0);
    EXPECT_EQ(got.interval_percent->high, 0);
    EXPECT_EQ(*got.mc_error_percent, 0);
  }
}

TEST(Summary, TwentyDrawsGiveTheQuantilesOfTheirDeltas) {
  // Baseline 100 everywhere, variants 100, 101 ... 119: deltas 0 to 19 %, quantiles of definition 7 at 0.95 and 18.05.
  const auto got = summarize_two(ramp(20, 100, 0), ramp(20, 100, 1));
  EXPECT_FALSE(got.few_draws);
  EXPECT_NEAR(got.variants[1].interval_percent->low, 0.95, 1e-9);
  EXPECT_NEAR(got.variants[1].interval_percent->high, 18.05, 1e-9);
}

TEST(Summary, FewerDrawsGiveStudentsPredictionIntervalAndSaySo) {
  // Logarithms of 1.01 to 1.04, t(0.95, 3) = 2.353363: exp(mean -+ 2.353363 s sqrt(1.25)) - 1.
  const auto got = summarize_two(ramp(4, 100, 0), ramp(4, 101, 1));
  EXPECT_TRUE(got.few_draws);
  EXPECT_NEAR(got.variants[1].interval_percent->low, -0.847265, 1e-5);
  EXPECT_NEAR(got.variants[1].interval_percent->high, 5.947657, 1e-5);
}

TEST(Summary, FewDrawsNeverPromiseLessThanNothing) {
  const auto got = summarize_two(ramp(3, 100, 0), {{1, 1}, {20, 20}, {90, 90}}).variants[1];
  ASSERT_TRUE(got.interval_percent);
  EXPECT_GT(got.interval_percent->low, -100);
}

TEST(Summary, OneDrawGivesADeltaWithoutAnIntervalAndAWarning) {
  const auto got = summarize_two({{100, 101}}, {{102, 103}});
  EXPECT_TRUE(got.variants[1].delta_percent);
  EXPECT_TRUE(got.variants[1].mc_error_percent);
  EXPECT_FALSE(got.variants[1].interval_percent);
  EXPECT_THAT(got.warnings, ElementsAre(HasSubstr("one draw")));
}

TEST(Summary, OneReplicateGivesNoSimulationError) {
  EXPECT_FALSE(summarize_two({{100}, {101}}, {{102}, {104}}).variants[1].mc_error_percent);
}

TEST(Summary, ABaselineOfZeroCostsTheDeltaAndIsReported) {
  const auto got = summarize_two(ramp(3, 0, 0), ramp(3, 5, 0));
  EXPECT_FALSE(got.variants[1].delta_percent);
  EXPECT_FALSE(got.variants[1].interval_percent);
  EXPECT_FALSE(got.variants[1].mc_error_percent);
  EXPECT_THAT(got.warnings, ElementsAre(HasSubstr("the baseline's mean is 0: no delta for 'entry'")));
}

TEST(Summary, NumbersThatAreNotFiniteCostTheDeltaAndAreReported) {
  for (double odd : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(summarize_two(ramp(3, odd, 0), ramp(3, 5, 0)).warnings, ElementsAre(HasSubstr("no delta for 'entry'")));
    const auto got = summarize_two(ramp(3, 5, 0), ramp(3, odd, 0));
    EXPECT_FALSE(got.variants[1].delta_percent);
    EXPECT_THAT(got.warnings, ElementsAre(HasSubstr("'entry' is not a finite number")));
  }
}

TEST(Summary, OneZeroDrawOfTheBaselineCostsTheIntervalOnly) {
  const auto got = summarize_two({{0, 0}, {10, 10}, {20, 20}}, {{1, 1}, {11, 11}, {21, 21}});
  EXPECT_NEAR(*got.variants[1].delta_percent, 10, 1e-12);
  EXPECT_FALSE(got.variants[1].interval_percent);
  EXPECT_THAT(got.warnings, ElementsAre(HasSubstr("no interval")));
}

TEST(Summary, ADeltaOutsideItsIntervalIsReported) {
  // One draw of 25 has a thousand times the baseline and loses half; the others gain 1 %.
  SampleMatrix baseline = ramp(25, 100, 0), variant = ramp(25, 101, 0);
  baseline[0] = {100000, 100000};
  variant[0] = {50000, 50000};
  const auto got = summarize_two(baseline, variant);
  EXPECT_LT(*got.variants[1].delta_percent, got.variants[1].interval_percent->low);
  EXPECT_THAT(got.warnings, ElementsAre(HasSubstr("outside the interval")));
}

/// A draw near a normal one of mean 0 and variance 1: the sum of twelve uniform ones.
double normal(RandomStream& stream) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += stream.unit();
  return sum;
}

struct Noise {
  double shared;  // in baseline and variant alike, as common random numbers make it
  double own;
};

/// Two paired variants over `draws` very different machines, with noise of known size. The true delta is 2 %.
Summaries noisy_pair(RandomStream& stream, std::size_t draws, std::size_t replicates, Noise noise) {
  SampleMatrix baseline(draws, std::vector<double>(replicates)), variant = baseline;
  for (std::size_t i = 0; i < draws; ++i) {
    const double machine = 1000 + 100 * double(i);
    for (std::size_t r = 0; r < replicates; ++r) {
      const double shared = noise.shared * normal(stream);
      baseline[i][r] = machine + shared + noise.own * normal(stream);
      variant[i][r] = 1.02 * machine + shared + noise.own * normal(stream);
    }
  }
  return summarize_two(std::move(baseline), std::move(variant));
}

TEST(Summary, TheSimulationErrorCoversTheTrueDeltaAsOftenAsItPromises) {
  // 20 draws, 2 replicates: 20 degrees of freedom, so |delta - 2| < 2.086 standard errors in 95 % of the trials. Over
  // 4,000 trials the share has a standard error of 0.34 %; four of them are allowed.
  constexpr int kTrials = 4000;
  auto stream = RandomStream::named(1, "coverage");
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto summary = noisy_pair(stream, 20, 2, {.shared = 3, .own = 4}).variants[1];
    covered += std::abs(*summary.delta_percent - 2) < 2.086 * *summary.mc_error_percent;
  }
  EXPECT_NEAR(double(covered) / kTrials, 0.95, 0.0138);
}

double mean_error(std::size_t draws, std::size_t replicates, Noise noise) {
  auto stream = RandomStream::named(2, "mean error");
  double sum = 0;
  for (int trial = 0; trial < 400; ++trial)
    sum += *noisy_pair(stream, draws, replicates, noise).variants[1].mc_error_percent;
  return sum / 400;
}

TEST(Summary, TheSimulationErrorFallsWithTheRootOfDrawsAndReplicates) {
  const double one = mean_error(20, 2, {.shared = 0, .own = 4});
  EXPECT_NEAR(mean_error(20, 8, {.shared = 0, .own = 4}) / one, 0.5, 0.03);
  // Four times the draws also means larger machines here: the mean baseline grows from 1,950 to 4,950.
  EXPECT_NEAR(mean_error(80, 2, {.shared = 0, .own = 4}) / one, 0.5 * 1950 / 4950, 0.03);
}

TEST(Summary, NoiseThatBothVariantsShareHardlyCounts) {
  EXPECT_LT(mean_error(20, 2, {.shared = 4, .own = 0}), 0.03 * mean_error(20, 2, {.shared = 0, .own = 4}));
}

TEST(Summary, TheIntervalDoesNotShrinkWithMoreDraws) {
  // The deltas are spread evenly from 0 to 10 %, over 20 draws and over 2,000.
  const auto few = summarize_two(ramp(20, 100, 0), ramp(20, 100, 10.0 / 19)).variants[1];
  const auto many = summarize_two(ramp(2000, 100, 0), ramp(2000, 100, 10.0 / 1999)).variants[1];
  EXPECT_NEAR(few.interval_percent->high - few.interval_percent->low, 9.0, 1e-9);
  EXPECT_NEAR(many.interval_percent->high - many.interval_percent->low, 9.0, 1e-9);
}

TEST(Summary, APairOfOtherVariantsIsComparedTheSameWay) {
  const std::vector<VariantSamples> variants{{"a", ramp(20, 50, 1)}, {"b", ramp(20, 100, 2)}, {"c", ramp(20, 100, 3)}};
  const auto all = summarize(kOps, variants);
  const auto direct = summarize(kOps, std::span(variants).subspan(1)).variants[1];
  const auto later = delta_of_samples(all.variants[1].samples, all.variants[2].samples);
  EXPECT_EQ(*later.delta_percent, *direct.delta_percent);
  EXPECT_EQ(later.interval_percent->low, direct.interval_percent->low);
}

TEST(Summary, AWarningAlreadyHeldIsNotHeldTwice) {
  std::vector<std::string> warnings{"a"};
  append_unique(warnings, std::vector<std::string>{"b", "a", "b"});
  EXPECT_THAT(warnings, ElementsAre("a", "b"));
}

}  // namespace
}  // namespace tollgate::evidence
