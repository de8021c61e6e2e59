#include "statistics/hodges_lehmann.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace tollgate::statistics {
namespace {

/// Short series of few different values, so that ties are common.
rc::Gen<std::vector<double>> series() {
  return rc::gen::resize(12, rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(
                                 rc::gen::map(rc::gen::inRange(-9, 10), [](int x) { return double(x) / 3; }))));
}
std::vector<double> sorted(std::vector<double> values) {
  std::ranges::sort(values);
  return values;
}
std::vector<double> walsh(const std::vector<double>& values) {
  std::vector<double> all;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i; j < values.size(); ++j) all.push_back((values[i] + values[j]) / 2);
  return sorted(all);
}
std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all;
  for (double x : a)
    for (double y : b) all.push_back(y - x);
  return sorted(all);
}

RC_GTEST_PROP(Pairwise, EveryOrderStatisticIsThatOfTheSortedPairs, ()) {
  const auto a = sorted(*series()), b = sorted(*series());
  const auto averages = walsh(a), both = differences(a, b);
  for (std::size_t k = 1; k <= averages.size(); ++k) RC_ASSERT(WalshAverages(a).at(k) == averages[k - 1]);
  for (std::size_t k = 1; k <= both.size(); ++k) RC_ASSERT(PairwiseDifferences(a, b).at(k) == both[k - 1]);
}

RC_GTEST_PROP(Pairwise, CountsAgreeWithCounting, ()) {
  const auto a = sorted(*series()), b = sorted(*series());
  const double x = *rc::gen::inRange(-12, 13) / 6.0;
  const auto averages = walsh(a), both = differences(a, b);
  RC_ASSERT(WalshAverages(a).at_most(x) ==
            std::uint64_t(std::ranges::count_if(averages, [&](double w) { return w <= x; })));
  RC_ASSERT(WalshAverages(a).below(x) ==
            std::uint64_t(std::ranges::count_if(averages, [&](double w) { return w < x; })));
  RC_ASSERT(PairwiseDifferences(a, b).at_most(x) ==
            std::uint64_t(std::ranges::count_if(both, [&](double d) { return d <= x; })));
  RC_ASSERT(PairwiseDifferences(a, b).below(x) ==
            std::uint64_t(std::ranges::count_if(both, [&](double d) { return d < x; })));
}

RC_GTEST_PROP(HodgesLehmann, AShiftIsLeftOutExactlyWhenItsPIsBelowAlpha, ()) {
  const auto a = *series(), b = *series();
  const double shift = *rc::gen::inRange(-12, 13) / 6.0;
  const auto agrees = [&](const auto& estimator) {
    if (estimator.least_p() > 0.05) return true;  // too few: the widest interval covers less than it says
    return estimator.interval(95).contains(shift) == (estimator.tails(shift).two_sided() >= 0.05);
  };
  RC_ASSERT(agrees(SignedRankShift(a)));
  RC_ASSERT(agrees(MannWhitneyShift(a, b)));
}

RC_GTEST_PROP(HodgesLehmann, ExchangingTheSidesTurnsTheSign, ()) {
  const auto a = *series(), b = *series();
  const MannWhitneyShift there(a, b), back(b, a);
  RC_ASSERT(there.estimate() == -back.estimate());
  RC_ASSERT(there.interval(95).low == -back.interval(95).high);
  RC_ASSERT(std::abs(there.tails(0).less - back.tails(0).greater) < 1e-12);
}

TEST(HodgesLehmann, EqualValuesAreNoDifference) {
  const std::vector<double> same(10, 0.0);
  EXPECT_EQ(SignedRankShift(same).tails(0).two_sided(), 1.0);
  EXPECT_EQ(SignedRankShift(same).interval(95).low, 0.0);
  EXPECT_EQ(MannWhitneyShift(same, same).tails(0).two_sided(), 1.0);
}

TEST(HodgesLehmann, OneWildValueMovesTheIntervalLittle) {
  const std::vector<double> a{1, 2, 3, 4, 5, 6, 7, 8}, b{1, 2, 3, 4, 5, 6, 7, 1e9};
  EXPECT_LE(MannWhitneyShift(a, b).interval(95).high, 6.0);
}

TEST(HodgesLehmann, AHundredThousandValuesTakeNoPairwiseMemoryAndLittleTime) {
  RandomStream random(1);
  std::vector<double> a, b;
  for (int i = 0; i < 100'000; ++i) {
    a.push_back(random.unit());
    b.push_back(random.unit() + 0.25);
  }
  const MannWhitneyShift shift(a, b);
  EXPECT_NEAR(shift.estimate(), 0.25, 0.01);
  EXPECT_TRUE(shift.interval(95).contains(0.25));
  EXPECT_LT(shift.interval(95).high - shift.interval(95).low, 0.02);
}

TEST(RankDistribution, ProbabilitiesOfSmallSizesAreThoseCountedByHand) {
  // Three coins: T is 0, 1, 2, 3 (twice), 4, 5, 6.
  const auto signs = RankDistribution::signed_rank(3);
  EXPECT_DOUBLE_EQ(signs.at_most(0), 1.0 / 8);
  EXPECT_DOUBLE_EQ(signs.at_most(3), 5.0 / 8);
  EXPECT_DOUBLE_EQ(signs.at_most(6), 1.0);
  // Two and two: 6 orders, U is 0, 1, 2 (twice), 3, 4.
  const auto both = RankDistribution::mann_whitney(2, 2);
  EXPECT_DOUBLE_EQ(both.at_most(0), 1.0 / 6);
  EXPECT_DOUBLE_EQ(both.at_most(2), 4.0 / 6);
}

TEST(RankDistribution, TheNormalOneThatTakesOverIsCloseToTheCountedOne) {
  const auto counted = RankDistribution::mann_whitney(50, 52), normal = RankDistribution::mann_whitney(51, 52);
  for (double p : {0.005, 0.025, 0.05}) {
    const double expected = double(counted.quantile(p)) / double(counted.largest());
    EXPECT_NEAR(double(normal.quantile(p)) / double(normal.largest()), expected, 0.003) << p;
  }
}

TEST(RankDistribution, SixPairsAndFourASideAreTheLeastForFivePercent) {
  EXPECT_GT(SignedRankShift(std::vector<double>(5, 1.0)).least_p(), 0.05);
  EXPECT_LT(SignedRankShift(std::vector<double>(6, 1.0)).least_p(), 0.05);
  const std::vector<double> three(3, 1.0), four(4, 1.0);
  EXPECT_GT(MannWhitneyShift(three, three).least_p(), 0.05);
  EXPECT_LT(MannWhitneyShift(four, four).least_p(), 0.05);
}

}  // namespace
}  // namespace tollgate::statistics
