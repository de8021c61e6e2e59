#include "statistics/moments.h"

#include <numeric>

#include "base/check.h"

namespace tollgate::statistics {

double mean_of(std::span<const double> values) {
  CHECK(!values.empty(), "a mean is of one value at least");
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

double variance_of(std::span<const double> values) { return covariance_of(values, values); }

double covariance_of(std::span<const double> a, std::span<const double> b) {
  CHECK(a.size() >= 2 && a.size() == b.size(), "a variance is of two values at least");
  const double mean_a = mean_of(a), mean_b = mean_of(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return sum / double(a.size() - 1);
}

}  // namespace tollgate::statistics
