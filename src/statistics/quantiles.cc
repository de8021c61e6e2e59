#include "statistics/quantiles.h"

#include <algorithm>

#include "base/check.h"

namespace tollgate::statistics {

std::vector<double> quantiles(std::span<const double> samples, std::initializer_list<double> probabilities) {
  CHECK(!samples.empty(), "no samples have no quantiles");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> out;
  for (double probability : probabilities) {
    CHECK(probability >= 0 && probability <= 1, "a quantile lies between 0 and 1");
    const double h = double(sorted.size() - 1) * probability;
    const auto below = static_cast<std::size_t>(h);
    const double above = sorted[std::min(below + 1, sorted.size() - 1)];
    out.push_back(sorted[below] + (h - double(below)) * (above - sorted[below]));
  }
  return out;
}

}  // namespace tollgate::statistics
