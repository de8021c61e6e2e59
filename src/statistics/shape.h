// What a series looks like: values far from the rest, and two humps. Both are named and nothing is dropped.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tollgate::statistics {

/// Indices of values more than three interquartile ranges beyond the quartiles: "far out" in J. W. Tukey, "Exploratory Data
/// Analysis" (1977), 2C. None among fewer than five values, or where the quartiles are equal.
std::vector<std::size_t> far_out(std::span<const double> values);

/// The best division of a series in two. The statistic is the largest ratio of the sum of squares between the two groups to
/// that within them, over all divisions of the sorted values: L. Engelman and J. A. Hartigan, "Percentage points of a test
/// for clusters", Journal of the American Statistical Association 64 (1969); here only over groups of three and of 15 % at
/// the least, so that a few outliers are no group. Its 99 % points under a normal distribution are simulated
/// (tests/reference_numbers).
struct TwoModes {
  double low = 0;  // means of the two groups
  double high = 0;
  std::size_t low_count = 0;
  double ratio = 0;  // between over within
};

/// Where the ratio passes its 99 % point and 3 (humps two standard deviations either side of their middle or more). Nothing
/// for fewer than eight values, or where each group is one repeated value: that is the resolution of a clock.
std::optional<TwoModes> two_modes(std::span<const double> values);

/// The best division, tested or not; nothing for fewer than six values, or where all are equal.
std::optional<TwoModes> best_division(std::span<const double> values);

}  // namespace tollgate::statistics
