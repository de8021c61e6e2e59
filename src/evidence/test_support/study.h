// What the studies of the statistics share: sessions of two variants, made up and passed through analyse(). Each study runs small
// with every test, and whole under ./dev nightly (its DISABLED_ tests), where it prints its table.
#pragma once

#include <gtest/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <numbers>

#include "base/random.h"
#include "evidence/analysis.h"

namespace tollgate::evidence {

constexpr int kWhole = 10000;  // replicates a cell
constexpr int kSmall = 200;

/// Of mean 0 and standard deviation 1.
inline double normal(RandomStream& random) {
  const double unit = random.unit() + 0x1.0p-54;
  return std::numbers::sqrt2 * boost::math::erf_inv(2 * unit - 1);
}

inline Measurement two_variants(Order order) {
  Measurement measurement;
  measurement.title = "study";
  measurement.variants = {"a", "b"};
  measurement.terms.primary = "wall_s";
  measurement.terms.order = order;
  for (const auto& variant : measurement.variants) {
    Series& series = measurement.series.emplace_back();
    series.metric = {"wall_s", "s", Better::lower};
    series.variant = variant;
  }
  return measurement;
}

inline void add_run(Measurement& measurement, std::size_t variant, double value, std::uint32_t block,
                    std::uint32_t position) {
  measurement.series[variant].samples.push_back(
      {.value = value, .run = block, .position = position, .block = block, .boot = "", .start = {}});
}

/// Of the second variant against the first.
inline RealEstimate estimate_of(const Measurement& measurement) {
  const auto comparison = analyse(measurement);
  EXPECT_TRUE(comparison) << comparison.error().text();
  return *comparison->variants[1].metrics[0].estimate;
}

}  // namespace tollgate::evidence
