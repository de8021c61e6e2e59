#include "statistics/student_shift.h"

#include <algorithm>
#include <cmath>

#include "statistics/moments.h"
#include "statistics/student.h"

namespace tollgate::statistics {

double satterthwaite(double variance_a, double count_a, double variance_b, double count_b) {
  const double sum = variance_a + variance_b;
  if (sum == 0) return count_a + count_b - 2;
  if (!std::isfinite(sum)) return std::min(count_a, count_b) - 1;
  // Shares first: squares of very small variances would be 0.
  const double a = variance_a / sum, b = variance_b / sum;
  return 1 / (a * a / (count_a - 1) + b * b / (count_b - 1));
}

MeanEstimate MeanEstimate::of(std::span<const double> values) {
  const double count = double(values.size());
  return {mean_of(values), std::sqrt(variance_of(values) / count), count};
}

StudentShift StudentShift::paired(std::span<const double> differences) {
  const auto mean = MeanEstimate::of(differences);
  return {mean.mean, mean.standard_error, mean.count - 1};
}

StudentShift StudentShift::welch(std::span<const double> baseline, std::span<const double> variant) {
  return welch(MeanEstimate::of(baseline), MeanEstimate::of(variant));
}

StudentShift StudentShift::welch(const MeanEstimate& baseline, const MeanEstimate& variant) {
  const double a = baseline.standard_error * baseline.standard_error;
  const double b = variant.standard_error * variant.standard_error;
  return {variant.mean - baseline.mean, std::sqrt(a + b), satterthwaite(a, baseline.count, b, variant.count)};
}

Interval StudentShift::interval(double level) const {
  const double half = student_quantile((1 + level / 100) / 2, degrees_) * standard_error_;
  return {estimate_ - half, estimate_ + half};
}

Tails StudentShift::tails(double shift) const {
  const double distance = estimate_ - shift;
  if (distance == 0) return {0.5, 0.5};
  const double t = distance / standard_error_;
  if (std::isnan(t)) return {};  // figures beyond the doubles show nothing
  return {.less = student_at_most(t, degrees_), .greater = student_at_most(-t, degrees_)};
}

}  // namespace tollgate::statistics
