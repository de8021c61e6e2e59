#include "statistics/pairwise.h"

#include <bit>
#include <functional>
#include <limits>

#include "base/check.h"

namespace tollgate::statistics {
namespace {

/// Whole numbers in the order of the doubles.
std::int64_t key_of(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value + 0.0);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}
double value_of(std::int64_t key) {
  return std::bit_cast<double>(key >= 0 ? key : std::numeric_limits<std::int64_t>::min() - key);
}

/// The smallest x in [low, high] that `k` pairs are at most.
template <typename Pairs>
double kth(const Pairs& pairs, std::uint64_t k, double low, double high) {
  CHECK(k >= 1 && k <= pairs.size(), "an order statistic lies within its pairs");
  std::int64_t from = key_of(low), to = key_of(high);
  while (from < to) {
    // Half the distance, without overflow where the signs differ.
    const auto distance = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
    const auto middle = static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + distance / 2);
    if (pairs.at_most(value_of(middle)) >= k)
      to = middle;
    else
      from = middle + 1;
  }
  return value_of(from);
}

template <typename Pairs>
double median_of(const Pairs& pairs) {
  const std::uint64_t half = pairs.size() / 2;
  return pairs.size() % 2 ? pairs.at(half + 1) : (pairs.at(half) + pairs.at(half + 1)) / 2;
}

/// Pairs i <= j whose average compares with x as asked; both comparisons are monotone in i and in j.
template <typename Compare>
std::uint64_t count_averages(std::span<const double> sorted, double x, Compare compare) {
  std::uint64_t count = 0;
  std::size_t end = sorted.size();  // j < end
  for (std::size_t i = 0; i < end; ++i) {
    while (end > i && !compare((sorted[i] + sorted[end - 1]) / 2, x)) --end;
    count += end - i;
  }
  return count;
}

template <typename Compare>
std::uint64_t count_differences(std::span<const double> a, std::span<const double> b, double x, Compare compare) {
  std::uint64_t count = 0;
  std::size_t end = 0;  // j < end
  for (double subtracted : a) {
    while (end < b.size() && compare(b[end] - subtracted, x)) ++end;
    count += end;
  }
  return count;
}

}  // namespace

std::uint64_t WalshAverages::at_most(double x) const { return count_averages(sorted_, x, std::less_equal<>()); }
std::uint64_t WalshAverages::below(double x) const { return count_averages(sorted_, x, std::less<>()); }
double WalshAverages::at(std::uint64_t k) const { return kth(*this, k, sorted_.front(), sorted_.back()); }
double WalshAverages::median() const { return median_of(*this); }

std::uint64_t PairwiseDifferences::at_most(double x) const { return count_differences(a_, b_, x, std::less_equal<>()); }
std::uint64_t PairwiseDifferences::below(double x) const { return count_differences(a_, b_, x, std::less<>()); }
double PairwiseDifferences::at(std::uint64_t k) const {
  return kth(*this, k, b_.front() - a_.back(), b_.back() - a_.front());
}
double PairwiseDifferences::median() const { return median_of(*this); }

}  // namespace tollgate::statistics
