// Location shifts from ranks, with exact intervals: Hodges and Lehmann, "Estimates of location based on rank tests",
// Annals of Mathematical Statistics 34 (1963). Paired: the median of the Walsh averages of the differences, and order
// statistics of them by the signed-rank distribution. Unpaired: the median of all differences variant - baseline, and order
// statistics of them by the Mann-Whitney distribution. Of logs, the shift is the log of a ratio.
//
// With q the smallest value that the statistic does not exceed with probability alpha/2 or more (1 at the least), the
// interval goes from the q-th smallest pair to the q-th largest: R's wilcox.test(conf.int = TRUE, exact = TRUE). A p-value is
// the smallest alpha whose interval leaves the shift out; ties count against a difference, so both stay valid with them.
#pragma once

#include <span>
#include <vector>

#include "statistics/interval.h"
#include "statistics/pairwise.h"
#include "statistics/rank_distribution.h"

namespace tollgate::statistics {

/// Of paired differences, one at least. The shift is that of the centre of a symmetric distribution.
class SignedRankShift {
 public:
  explicit SignedRankShift(std::span<const double> differences);
  double estimate() const { return averages().median(); }
  /// At `level` percent. Where n is too small for the level (below 6 for 95), it is the widest there is and covers less.
  Interval interval(double level) const;
  Tails tails(double shift) const;
  /// The smallest two-sided p-value that any data of this size can have.
  double least_p() const { return 2 * distribution_.at_most(0); }

 private:
  WalshAverages averages() const { return WalshAverages(sorted_); }
  std::vector<double> sorted_;
  RankDistribution distribution_;
};

/// Of two independent series, one value each at least.
class MannWhitneyShift {
 public:
  MannWhitneyShift(std::span<const double> baseline, std::span<const double> variant);
  double estimate() const { return differences().median(); }
  /// At `level` percent. Where the series are too short for the level (below 4 each for 95), it is the widest there is.
  Interval interval(double level) const;
  Tails tails(double shift) const;
  double least_p() const { return 2 * distribution_.at_most(0); }

 private:
  PairwiseDifferences differences() const { return {baseline_, variant_}; }
  std::vector<double> baseline_, variant_;  // sorted
  RankDistribution distribution_;
};

}  // namespace tollgate::statistics
