// Null distributions of rank statistics: Wilcoxon's signed-rank sum and the Mann-Whitney count, for continuous data.
//
// Signed rank of n: T = sum of i b[i], b[i] fair coins, i = 1..n. Mann-Whitney of m and n: the number of pairs with
// x > y when all orders are equally likely; P(u; m, n) = m/(m+n) P(u-n; m-1, n) + n/(m+n) P(u; m, n-1). Wilcoxon 1945;
// Mann and Whitney 1947. Exact up to kMostExact cases; beyond, the normal distribution of the same mean and variance with
// a correction for continuity. Hollander, Wolfe and Chicken, "Nonparametric Statistical Methods" (2014), 3.1 and 4.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tollgate::statistics {

class RankDistribution {
 public:
  /// Most values of T for which the distribution is counted out.
  static constexpr std::uint64_t kMostExact = 2600;

  static RankDistribution signed_rank(std::size_t n);
  static RankDistribution mann_whitney(std::size_t m, std::size_t n);

  /// The largest value of T: n (n + 1) / 2, or m n.
  std::uint64_t largest() const { return largest_; }
  /// P(T <= k).
  double at_most(std::uint64_t k) const;
  /// The smallest k with P(T <= k) >= `probability`.
  std::uint64_t quantile(double probability) const;

 private:
  RankDistribution(std::uint64_t largest, double variance) : largest_(largest), variance_(variance) {}
  void accumulate(const std::vector<double>& probabilities);

  std::uint64_t largest_;
  double variance_;
  std::vector<double> at_most_;  // empty: normal
};

}  // namespace tollgate::statistics
