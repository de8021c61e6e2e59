// What every estimator here gives back.
#pragma once

#include <algorithm>

namespace tollgate::statistics {

struct Interval {
  double low = 0;
  double high = 0;

  bool contains(double value) const { return low <= value && value <= high; }
};

/// One-sided p-values of "the true value is `shift`", for a stated shift.
struct Tails {
  double less = 1;     // against: it is less
  double greater = 1;  // against: it is greater

  double two_sided() const { return std::min(1.0, 2 * std::min(less, greater)); }
};

}  // namespace tollgate::statistics
