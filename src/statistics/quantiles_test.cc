#include "statistics/quantiles.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <algorithm>

namespace tollgate::statistics {
namespace {

TEST(Quantiles, OfOneToTenAreThoseOfRsDefaultDefinition) {
  // R: quantile(1:10, c(0, .05, .25, .5, .95, 1)) gives 1.00 1.45 3.25 5.50 9.55 10.00.
  const std::vector<double> samples{10, 1, 9, 2, 8, 3, 7, 4, 6, 5};
  const auto got = quantiles(samples, {0, 0.05, 0.25, 0.5, 0.95, 1});
  const double want[] = {1, 1.45, 3.25, 5.5, 9.55, 10};
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-12) << i;
}

TEST(Quantiles, OfTwentySamplesTheFivePercentLiesBetweenTheTwoLowest) {
  std::vector<double> samples;
  for (int i = 0; i < 20; ++i) samples.push_back(100.0 * i);
  EXPECT_NEAR(quantiles(samples, {0.05})[0], 95.0, 1e-9);
  EXPECT_NEAR(quantiles(samples, {0.95})[0], 1805.0, 1e-9);
}

TEST(Quantiles, OfOneSampleAreThatSample) {
  EXPECT_EQ(quantiles(std::vector<double>{7.5}, {0.05, 0.95}), (std::vector{7.5, 7.5}));
}

RC_GTEST_PROP(Quantiles, RiseWithTheProbabilityAndStayWithinTheSamples, ()) {
  const auto whole = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::arbitrary<int>()));
  const std::vector<double> samples(whole.begin(), whole.end());
  const auto got = quantiles(samples, {0, 0.05, 0.5, 0.95, 1});
  RC_ASSERT(std::is_sorted(got.begin(), got.end()));
  RC_ASSERT(got.front() == *std::min_element(samples.begin(), samples.end()));
  RC_ASSERT(got.back() == *std::max_element(samples.begin(), samples.end()));
}

}  // namespace
}  // namespace tollgate::statistics
