#include "statistics/hodges_lehmann.h"

#include <algorithm>

namespace tollgate::statistics {
namespace {

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted;
}

template <typename Pairs>
Interval rank_interval(const Pairs& pairs, const RankDistribution& distribution, double level) {
  const auto rank = std::max<std::uint64_t>(1, distribution.quantile((1 - level / 100) / 2));
  return {pairs.at(rank), pairs.at(pairs.size() + 1 - rank)};
}

template <typename Pairs>
Tails rank_tails(const Pairs& pairs, const RankDistribution& distribution, double shift) {
  return {.less = distribution.at_most(pairs.size() - pairs.below(shift)),
          .greater = distribution.at_most(pairs.at_most(shift))};
}

}  // namespace

SignedRankShift::SignedRankShift(std::span<const double> differences)
    : sorted_(sorted_copy(differences)), distribution_(RankDistribution::signed_rank(differences.size())) {}
Interval SignedRankShift::interval(double level) const { return rank_interval(averages(), distribution_, level); }
Tails SignedRankShift::tails(double shift) const { return rank_tails(averages(), distribution_, shift); }

MannWhitneyShift::MannWhitneyShift(std::span<const double> baseline, std::span<const double> variant)
    : baseline_(sorted_copy(baseline)),
      variant_(sorted_copy(variant)),
      distribution_(RankDistribution::mann_whitney(baseline.size(), variant.size())) {}
Interval MannWhitneyShift::interval(double level) const { return rank_interval(differences(), distribution_, level); }
Tails MannWhitneyShift::tails(double shift) const { return rank_tails(differences(), distribution_, shift); }

}  // namespace tollgate::statistics
