#include "statistics/fieller.h"

#include <cmath>

#include "statistics/moments.h"
#include "statistics/student.h"

namespace tollgate::statistics {
namespace {

/// Means a and b, their squared errors and the covariance of the two means.
std::optional<Interval> fieller(double a, double b, double error_a, double error_b, double covariance, double t) {
  const double square = a * a - t * t * error_a;
  if (!(square > 0)) return std::nullopt;
  const double middle = a * b - t * t * covariance;
  const double rest = b * b - t * t * error_b;
  const double root = std::sqrt(std::max(0.0, middle * middle - square * rest));
  const Interval interval{(middle - root) / square, (middle + root) / square};
  return std::isfinite(interval.low) && std::isfinite(interval.high) ? std::optional(interval) : std::nullopt;
}

}  // namespace

std::optional<Interval> paired_ratio_interval(std::span<const double> baseline, std::span<const double> variant,
                                              double level) {
  const double n = double(baseline.size());
  const double t = student_quantile((1 + level / 100) / 2, n - 1);
  return fieller(mean_of(baseline), mean_of(variant), variance_of(baseline) / n, variance_of(variant) / n,
                 covariance_of(baseline, variant) / n, t);
}

std::optional<Interval> ratio_interval(const MeanEstimate& baseline, const MeanEstimate& variant, double level) {
  if (baseline.mean == 0) return std::nullopt;
  const double a = baseline.standard_error * baseline.standard_error;
  const double b = variant.standard_error * variant.standard_error;
  const double ratio = variant.mean / baseline.mean;
  const double degrees = satterthwaite(ratio * ratio * a, baseline.count, b, variant.count);
  return fieller(baseline.mean, variant.mean, a, b, 0, student_quantile((1 + level / 100) / 2, degrees));
}

}  // namespace tollgate::statistics
