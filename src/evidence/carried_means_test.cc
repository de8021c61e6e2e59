// The warning that a few runs carry the means: where the means tell another story than the centres, and only there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evidence/analysis.h"

namespace tollgate::evidence {
namespace {

/// Ten runs a variant, of which one of the second is far off.
Measurement one_far_off(double far) {
  Measurement measurement;
  measurement.variants = {"off", "on"};
  for (const char* variant : {"off", "on"}) {
    Series& series = measurement.series.emplace_back();
    series.metric = {"wall_s", "s", Better::lower};
    series.variant = variant;
    for (std::uint32_t i = 0; i < 10; ++i) series.samples.push_back({1 + 0.001 * i, i, {}, {}, "", {}});
  }
  measurement.series[1].samples[4].value = far;
  return measurement;
}

bool warns(const Measurement& measurement) {
  using testing::Contains;
  using testing::HasSubstr;
  return testing::Matches(Contains(HasSubstr("a few runs carry the means")))(analyse(measurement).value().warnings);
}

TEST(CarriedMeans, AreSaid) { EXPECT_TRUE(warns(one_far_off(1.5))); }

TEST(CarriedMeans, AreNotSaidWhereBothLieInsideTheMargin) {
  auto measurement = one_far_off(1.5);
  measurement.terms.margin_percent = 6;  // the means differ by 5 %
  EXPECT_FALSE(warns(measurement));
  measurement.terms.margin_percent = 4;
  EXPECT_TRUE(warns(measurement));
}

TEST(CarriedMeans, AreNotSaidWherePrintedStepsMayHideThem) {
  auto measurement = one_far_off(1.5);
  for (Series& series : measurement.series) series.half_step = 0.1;
  EXPECT_FALSE(warns(measurement));
  for (Series& series : measurement.series) series.half_step = 0.001;
  EXPECT_TRUE(warns(measurement));
}

}  // namespace
}  // namespace tollgate::evidence
