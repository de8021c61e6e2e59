// Whether a series stands still: a line through its values, and a single step in them.
#pragma once

#include <cstddef>
#include <span>

namespace tollgate::statistics {

/// Least squares of values on positions.
struct Drift {
  double slope = 0;            // of the values, a position
  double p = 1;                // two-sided, Student's t with n - 2 degrees of freedom
  double rest_of_squares = 0;  // residual sum of squares
};
/// Three values at least, with positions that are not all one; otherwise no slope, p = 1.
Drift drift_of(std::span<const double> positions, std::span<const double> values);

/// One change point: A. N. Pettitt, "A non-parametric approach to the change-point problem", Applied Statistics 28 (1979).
/// With midranks r[i], U[k] = 2 (r[1] + ... + r[k]) - k (n + 1), and K = max |U[k]|, 1 <= k < n. Pettitt's approximate p is
/// far too large for ten values, so p is the share of random orders (fixed seed) whose K is not smaller, the series' own
/// order counted in: never below 1 / kOrders. Once kEnough orders were as high p is not small, and the rest is not tried:
/// Besag and Clifford, "Sequential Monte Carlo p-values", Biometrika 78 (1991). Above kManyValues the approximate p is good,
/// and taken: 2 exp(-6 K^2 / (n^3 + n^2)).
struct Step {
  static constexpr int kOrders = 2000;
  static constexpr int kEnough = 40;
  static constexpr std::size_t kManyValues = 5000;

  std::size_t first = 0;  // index of the first value after the step
  double statistic = 0;   // K
  double p = 1;
  double before = 0;  // medians
  double after = 0;
  double rest_of_squares = 0;  // about the two means
};
/// Values in the order of their positions; with fewer than four, p = 1.
Step step_of(std::span<const double> values);

}  // namespace tollgate::statistics
