#include "statistics/shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "statistics/moments.h"
#include "statistics/quantiles.h"

namespace tollgate::statistics {
namespace {

constexpr std::size_t kLeastForModes = 8;
constexpr double kLeastRatio = 3;

struct CriticalPoint {
  double count;
  double ratio;
};
// 99 % points of `ratio` for normal values; made by tests/reference_numbers/reference_numbers.R.
constexpr std::array<CriticalPoint, 12> kCriticalPoints{{{8, 13.23},
                                                         {9, 11.35},
                                                         {10, 9.689},
                                                         {12, 7.755},
                                                         {15, 6.2},
                                                         {20, 4.907},
                                                         {30, 3.868},
                                                         {50, 3.111},
                                                         {100, 2.59},
                                                         {200, 2.281},
                                                         {500, 2.06},
                                                         {1000, 1.964}}};

/// Linear in log n between the points; the last one beyond.
double critical_ratio(std::size_t count) {
  const double n = double(count);
  for (std::size_t i = 1; i < kCriticalPoints.size(); ++i) {
    const auto& low = kCriticalPoints[i - 1];
    const auto& high = kCriticalPoints[i];
    if (n > high.count) continue;
    const double share = std::log(n / low.count) / std::log(high.count / low.count);
    return low.ratio + share * (high.ratio - low.ratio);
  }
  return kCriticalPoints.back().ratio;
}

std::size_t least_group(std::size_t count) {
  return std::max<std::size_t>(3, static_cast<std::size_t>(std::ceil(0.15 * double(count))));
}

}  // namespace

std::vector<std::size_t> far_out(std::span<const double> values) {
  std::vector<std::size_t> found;
  if (values.size() < 5) return found;
  const auto quartiles = quantiles(values, {0.25, 0.75});
  const double reach = 3 * (quartiles[1] - quartiles[0]);
  if (reach == 0) return found;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < quartiles[0] - reach || values[i] > quartiles[1] + reach) found.push_back(i);
  return found;
}

std::optional<TwoModes> best_division(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const std::size_t n = sorted.size(), least = least_group(n);
  if (n < 2 * least || sorted.front() == sorted.back()) return std::nullopt;
  const double mean = mean_of(sorted), total = variance_of(sorted) * double(n - 1);
  if (!std::isfinite(total)) return std::nullopt;  // squares beyond the doubles
  double sum = 0, best = -1;
  TwoModes modes;
  for (std::size_t low = 1; low + least <= n; ++low) {
    sum += sorted[low - 1] - mean;
    const double count = double(low), rest = double(n - low);
    const double between = sum * sum / count + sum * sum / rest;
    if (low < least || between <= best) continue;
    best = between;
    modes = {mean + sum / count, mean - sum / rest, low, 0};
  }
  const double within = total - best;
  modes.ratio = within > 0 ? best / within : std::numeric_limits<double>::infinity();
  return modes;
}

std::optional<TwoModes> two_modes(std::span<const double> values) {
  if (values.size() < kLeastForModes) return std::nullopt;
  const auto modes = best_division(values);
  if (!modes || modes->ratio < std::max(kLeastRatio, critical_ratio(values.size()))) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto low = modes->low_count;
  if (sorted.front() == sorted[low - 1] && sorted[low] == sorted.back()) return std::nullopt;
  return modes;
}

}  // namespace tollgate::statistics
