// Empirical quantiles, definition 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American
// Statistician 50 (1996): with the samples sorted as x[0..n-1] and h = (n - 1) p, the quantile is
// x[floor h] + (h - floor h) (x[floor h + 1] - x[floor h]). It is the default of R, NumPy and Julia.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

namespace tollgate::statistics {

/// The quantiles at `probabilities` (each in [0, 1]) of `samples`, in the order asked for. `samples` need not be
/// sorted; they must be finite and at least one.
std::vector<double> quantiles(std::span<const double> samples, std::initializer_list<double> probabilities);

}  // namespace tollgate::statistics
