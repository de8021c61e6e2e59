// Mean and variance, in the order of the values: results must not depend on the build.
#pragma once

#include <span>

namespace tollgate::statistics {

/// Of one value at least.
double mean_of(std::span<const double> values);

/// Sum of squared deviations from the mean, over n - 1; of two values at least.
double variance_of(std::span<const double> values);

/// Sum of (a[i] - mean a)(b[i] - mean b), over n - 1; of two pairs at least.
double covariance_of(std::span<const double> a, std::span<const double> b);

}  // namespace tollgate::statistics
