#include "statistics/trend.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "statistics/moments.h"
#include "statistics/quantiles.h"
#include "statistics/student.h"

namespace tollgate::statistics {
namespace {

/// Ranks from 1; equal values share the mean of theirs.
std::vector<double> midranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    for (std::size_t i = from; i < to; ++i) ranks[order[i]] = double(from + to + 1) / 2;
    from = to;
  }
  return ranks;
}

struct Peak {
  std::size_t first = 0;
  double height = 0;
};
Peak highest(std::span<const double> ranks) {
  Peak peak;
  double sum = 0;
  for (std::size_t k = 1; k < ranks.size(); ++k) {
    sum += ranks[k - 1];
    const double height = std::abs(2 * sum - double(k) * double(ranks.size() + 1));
    if (height > peak.height) peak = {k, height};
  }
  return peak;
}

/// Pettitt's approximation.
double formula(std::size_t count, double height) {
  const double n = double(count);
  return std::min(1.0, 2 * std::exp(-6 * height * height / (n * n * n + n * n)));
}

double share_of_orders(std::vector<double> ranks, double height) {
  RandomStream random = RandomStream::named(0, "orders of a series", {ranks.size()});
  int as_high = 1;
  for (int order = 1; order < Step::kOrders; ++order) {
    for (std::size_t i = ranks.size(); i > 1; --i) std::swap(ranks[i - 1], ranks[random.below(i)]);
    if (highest(ranks).height >= height && ++as_high > Step::kEnough) return double(as_high - 1) / order;
  }
  return double(as_high) / Step::kOrders;
}

double squares_about_mean(std::span<const double> values) {
  return values.size() < 2 ? 0 : variance_of(values) * double(values.size() - 1);
}

}  // namespace

Drift drift_of(std::span<const double> positions, std::span<const double> values) {
  CHECK(positions.size() == values.size(), "every value has a position");
  const std::size_t n = values.size();
  if (n < 3) return {};
  const double spread = variance_of(positions);
  if (spread == 0) return {};
  const double slope = covariance_of(positions, values) / spread;
  const double rest = std::max(0.0, squares_about_mean(values) - slope * slope * spread * double(n - 1));
  const double error = std::sqrt(rest / double(n - 2) / (spread * double(n - 1)));
  const double t = -std::abs(slope) / error;
  if (slope == 0 || std::isnan(t)) return {};  // level, or beyond the doubles
  return {slope, 2 * student_at_most(t, double(n - 2)), rest};
}

Step step_of(std::span<const double> values) {
  if (values.size() < 4) return {};
  const auto ranks = midranks(values);
  const Peak peak = highest(ranks);
  if (peak.height == 0) return {};
  Step step{.first = peak.first,
            .statistic = peak.height,
            .p = values.size() > Step::kManyValues ? formula(values.size(), peak.height)
                                                   : share_of_orders(ranks, peak.height)};
  const auto before = values.first(peak.first), after = values.subspan(peak.first);
  step.before = quantiles(before, {0.5})[0];
  step.after = quantiles(after, {0.5})[0];
  step.rest_of_squares = squares_about_mean(before) + squares_about_mean(after);
  return step;
}

}  // namespace tollgate::statistics
