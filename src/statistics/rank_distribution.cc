#include "statistics/rank_distribution.h"

#include <cmath>

#include "base/check.h"

namespace tollgate::statistics {
namespace {

/// P(T = t) for t = 0..n(n+1)/2.
std::vector<double> signed_rank_probabilities(std::size_t n) {
  std::vector<double> now(n * (n + 1) / 2 + 1);
  now[0] = 1;
  for (std::size_t rank = 1; rank <= n; ++rank)
    for (std::size_t t = rank * (rank + 1) / 2 + 1; t-- > 0;) now[t] = (now[t] + (t >= rank ? now[t - rank] : 0.0)) / 2;
  return now;
}

/// P(U = u) for u = 0..mn.
std::vector<double> mann_whitney_probabilities(std::size_t m, std::size_t n) {
  std::vector<std::vector<double>> row(n + 1, std::vector<double>(m * n + 1));  // row[j]: of i and j; i = 0 at first
  for (auto& cell : row) cell[0] = 1;
  for (std::size_t i = 1; i <= m; ++i)
    for (std::size_t j = 1; j <= n; ++j) {
      const double first = double(i) / double(i + j), second = double(j) / double(i + j);
      for (std::size_t u = i * j + 1; u-- > 0;)
        row[j][u] = (u >= j ? first * row[j][u - j] : 0.0) + second * row[j - 1][u];
    }
  return row[n];
}

}  // namespace

RankDistribution RankDistribution::signed_rank(std::size_t n) {
  CHECK(n >= 1, "ranks need a value");
  const double count = double(n);
  RankDistribution made(std::uint64_t(n) * (n + 1) / 2, count * (count + 1) * (2 * count + 1) / 24);
  if (made.largest_ <= kMostExact) made.accumulate(signed_rank_probabilities(n));
  return made;
}

RankDistribution RankDistribution::mann_whitney(std::size_t m, std::size_t n) {
  CHECK(m >= 1 && n >= 1, "ranks need a value on both sides");
  const double a = double(m), b = double(n);
  RankDistribution made(std::uint64_t(m) * n, a * b * (a + b + 1) / 12);
  if (made.largest_ <= kMostExact) made.accumulate(mann_whitney_probabilities(m, n));
  return made;
}

void RankDistribution::accumulate(const std::vector<double>& probabilities) {
  double sum = 0;
  for (double probability : probabilities) at_most_.push_back(sum += probability);
}

double RankDistribution::at_most(std::uint64_t k) const {
  if (k >= largest_) return 1;
  if (!at_most_.empty()) return at_most_[k];
  const double z = (double(k) + 0.5 - double(largest_) / 2) / std::sqrt(variance_);
  return std::erfc(-z / std::sqrt(2.0)) / 2;
}

std::uint64_t RankDistribution::quantile(double probability) const {
  std::uint64_t low = 0, high = largest_;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (at_most(middle) >= probability)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace tollgate::statistics
