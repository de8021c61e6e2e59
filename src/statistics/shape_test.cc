#include "statistics/shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace tollgate::statistics {
namespace {

/// Sum of twelve uniform values: close enough to normal for a share of one in a hundred.
double nearly_normal(RandomStream& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.unit();
  return sum;
}

TEST(FarOut, NamesWhatLiesThreeQuartileRangesAway) {
  EXPECT_THAT(far_out(std::vector<double>{10, 11, 12, 11, 10, 40, 11, 12}), ::testing::ElementsAre(5u));
  EXPECT_THAT(far_out(std::vector<double>{10, 11, 12, 11, 10, 14, 11, 12}), ::testing::IsEmpty());
}

TEST(FarOut, AskNothingOfTicksOrOfFourValues) {
  EXPECT_THAT(far_out(std::vector<double>{5, 5, 5, 5, 5, 5, 6}), ::testing::IsEmpty());
  EXPECT_THAT(far_out(std::vector<double>{1, 1.1, 1.2, 50}), ::testing::IsEmpty());
}

TEST(TwoModes, AreFoundWhereTheyAre) {
  std::vector<double> values;
  for (int i = 0; i < 14; ++i) values.push_back(10 + 0.01 * i);
  for (int i = 0; i < 6; ++i) values.push_back(11 + 0.01 * i);
  const auto modes = two_modes(values);
  ASSERT_TRUE(modes);
  EXPECT_EQ(modes->low_count, 14u);
  EXPECT_NEAR(modes->low, 10.065, 1e-9);
  EXPECT_NEAR(modes->high, 11.025, 1e-9);
}

TEST(TwoModes, TwoTicksOfAClockOrOneWildValueAreNone) {
  EXPECT_FALSE(two_modes(std::vector<double>{5, 5, 6, 6, 5, 6, 5, 6, 5, 6}));
  EXPECT_FALSE(two_modes(std::vector<double>{10, 11, 12, 11, 10, 90, 11, 12, 10.5, 11.5}));
}

TEST(TwoModes, FiguresWhoseSquaresAreBeyondTheDoublesHaveNone) {
  EXPECT_FALSE(two_modes(std::vector<double>{1e308, 1.1e308, 1.2e308, 1, 2, 3, 4, 5}));
}

TEST(TwoModes, NormalValuesAreCalledSoOnceInAHundredSeries) {
  RandomStream random(3);
  for (std::size_t n : {8u, 10u, 20u, 40u}) {
    int found = 0;
    for (int i = 0; i < 4000; ++i) {
      std::vector<double> values(n);
      for (double& value : values) value = nearly_normal(random);
      found += two_modes(values).has_value();
    }
    EXPECT_GT(found, 4) << n;
    EXPECT_LT(found, 70) << n;
  }
}

}  // namespace
}  // namespace tollgate::statistics
