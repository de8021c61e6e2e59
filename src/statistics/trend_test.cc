#include "statistics/trend.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/random.h"

namespace tollgate::statistics {
namespace {

std::vector<double> positions(std::size_t n) {
  std::vector<double> out(n);
  std::iota(out.begin(), out.end(), 0.0);
  return out;
}

TEST(Drift, OfAStraightLineIsCertain) {
  const std::vector<double> values{1, 1.5, 2, 2.5, 3};
  const auto drift = drift_of(positions(5), values);
  EXPECT_NEAR(drift.slope, 0.5, 1e-12);
  EXPECT_LT(drift.p, 1e-6);
}

TEST(Drift, OfEqualValuesOrPlacesIsNone) {
  EXPECT_EQ(drift_of(positions(5), std::vector<double>(5, 2.0)).p, 1.0);
  EXPECT_EQ(drift_of(std::vector<double>(5, 2.0), positions(5)).p, 1.0);
  EXPECT_EQ(drift_of(positions(2), positions(2)).p, 1.0);
}

TEST(Step, IsFoundAtItsPlace) {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back((i < 7 ? 1.0 : 2.0) + 0.001 * ((i * 7) % 5));
  const auto step = step_of(values);
  EXPECT_EQ(step.first, 7u);
  EXPECT_LT(step.p, 0.01);
  EXPECT_NEAR(step.after - step.before, 1, 0.01);
}

TEST(Step, OfTenCleanlyPartedValuesIsSignificantWherePettittsFormulaGivesSevenPercent) {
  EXPECT_LE(step_of(std::vector<double>{1, 1.1, 1.2, 1.05, 1.15, 2, 2.1, 2.2, 2.05, 2.15}).p, 0.02);
}

TEST(Step, OfEqualValuesIsNone) { EXPECT_EQ(step_of(std::vector<double>(10, 3.0)).p, 1.0); }

TEST(Step, ManyValuesTakeTheFormulaWhichAgreesWithOrders) {
  RandomStream random(7);
  std::vector<double> values(Step::kManyValues + 1);
  for (double& value : values) value = random.unit();
  const double by_formula = step_of(values).p;
  values.pop_back();
  EXPECT_NEAR(by_formula, step_of(values).p, 0.15);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += i < 3000 ? 0 : 0.1;
  values.push_back(0.6);
  const auto step = step_of(values);
  EXPECT_LT(step.p, 1e-6);
  EXPECT_NEAR(double(step.first), 3000, 300);
}

TEST(Step, NoiseIsCalledAStepAtOnePercentInOneSeriesOfAHundred) {
  RandomStream random(5);
  int found = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> values(12);
    for (double& value : values) value = random.unit();
    found += step_of(values).p < 0.01;
  }
  EXPECT_GT(found, 4);
  EXPECT_LT(found, 36);
}

}  // namespace
}  // namespace tollgate::statistics
