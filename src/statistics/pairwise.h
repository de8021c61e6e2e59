// Order statistics of all pairwise sums or differences without making the pairs: how many pairs are at most x is counted
// in one pass over sorted values, and x is found by bisection over the doubles. Time 64 n, memory none; the result is the
// very element that sorting all pairs would give.
#pragma once

#include <cstdint>
#include <span>

namespace tollgate::statistics {

/// The pairs (a[i] + a[j]) / 2 with i <= j of sorted values: Walsh averages.
class WalshAverages {
 public:
  explicit WalshAverages(std::span<const double> sorted) : sorted_(sorted) {}
  std::uint64_t size() const { return std::uint64_t(sorted_.size()) * (sorted_.size() + 1) / 2; }
  std::uint64_t at_most(double x) const;
  std::uint64_t below(double x) const;
  /// The k-th smallest, from 1.
  double at(std::uint64_t k) const;
  double median() const;

 private:
  std::span<const double> sorted_;
};

/// The pairs b[j] - a[i] of two sorted series.
class PairwiseDifferences {
 public:
  PairwiseDifferences(std::span<const double> sorted_a, std::span<const double> sorted_b)
      : a_(sorted_a), b_(sorted_b) {}
  std::uint64_t size() const { return std::uint64_t(a_.size()) * b_.size(); }
  std::uint64_t at_most(double x) const;
  std::uint64_t below(double x) const;
  double at(std::uint64_t k) const;
  double median() const;

 private:
  std::span<const double> a_, b_;
};

}  // namespace tollgate::statistics
