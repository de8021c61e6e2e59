#include "statistics/student_shift.h"

#include <gtest/gtest.h>

#include "statistics/fieller.h"
#include "statistics/variance_components.h"

namespace tollgate::statistics {
namespace {

const std::vector<double> kSame(4, 2.0), kOther(4, 3.0);

TEST(StudentShift, SeriesWithoutSpreadDifferForCertainOrNotAtAll) {
  EXPECT_EQ(StudentShift::welch(kSame, kSame).tails(0).two_sided(), 1.0);
  EXPECT_EQ(StudentShift::welch(kSame, kOther).tails(0).two_sided(), 0.0);
  EXPECT_TRUE(StudentShift::welch(kSame, kOther).interval(95).contains(1.0));
}

TEST(StudentShift, ErrorsOfUnlikeSizeLeaveTheDegreesOfTheLarger) {
  EXPECT_NEAR(satterthwaite(1, 5, 1e-30, 50), 4, 1e-9);
  EXPECT_NEAR(satterthwaite(1, 10, 1, 10), 18, 1e-9);
}

TEST(StudentShift, OfSummariesIsThatOfTheSamples) {
  const std::vector<double> a{1, 2, 4, 3}, b{2, 5, 4};
  const auto direct = StudentShift::welch(a, b), summed = StudentShift::welch(MeanEstimate::of(a), MeanEstimate::of(b));
  EXPECT_EQ(direct.interval(95).low, summed.interval(95).low);
  EXPECT_EQ(direct.degrees(), summed.degrees());
}

TEST(Fieller, ABaselineThatMayBeZeroHasNoRatio) {
  EXPECT_FALSE(ratio_interval({1, 0.9, 5}, {2, 0.1, 5}, 95));
  EXPECT_FALSE(ratio_interval({0, 0, 5}, {2, 0.1, 5}, 95));
}

TEST(Fieller, WithoutSpreadIsTheRatio) {
  const auto interval = ratio_interval({2, 0, 5}, {3, 0, 5}, 95);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 1.5, 1e-12);
  EXPECT_NEAR(interval->high, 1.5, 1e-12);
}

TEST(VarianceComponents, GroupsThatAreAllAlikeInsideAreWorthOneValueEach) {
  const std::vector<std::vector<double>> groups{{1, 1, 1}, {2, 2, 2}, {4, 4, 4}};
  const auto parts = variance_components(groups);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->share_between, 1);
  EXPECT_NEAR(parts->effective_count, 3, 1e-12);
}

TEST(VarianceComponents, GroupsThatDoNotDifferAreWorthAllTheirValues) {
  const std::vector<std::vector<double>> groups{{1, 3}, {1, 3}, {1, 3}};
  const auto parts = variance_components(groups);
  EXPECT_EQ(parts->between, 0);
  EXPECT_NEAR(parts->effective_count, 6, 1e-12);
}

TEST(VarianceComponents, OneGroupOrOneValueEachHasNone) {
  EXPECT_FALSE(variance_components(std::vector<std::vector<double>>{{1, 2, 3}}));
  EXPECT_FALSE(variance_components(std::vector<std::vector<double>>{{1}, {2}, {3}}));
}

}  // namespace
}  // namespace tollgate::statistics
