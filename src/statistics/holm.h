// Holm's step-down correction for several comparisons: S. Holm, "A simple sequentially rejective multiple test procedure",
// Scandinavian Journal of Statistics 6 (1979). Sorted p[1] <= ... <= p[m], the adjusted value of p[i] is the largest of
// min(1, (m - j + 1) p[j]) over j <= i: R's p.adjust(method = "holm").
#pragma once

#include <span>
#include <vector>

namespace tollgate::statistics {

/// Adjusted values in the order given.
std::vector<double> holm(std::span<const double> p_values);

}  // namespace tollgate::statistics
