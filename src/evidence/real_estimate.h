// The estimate of one metric of one variant against the baseline, before Holm's correction and the verdict.
#pragma once

#include "evidence/comparison.h"
#include "evidence/grouping.h"
#include "evidence/measurement.h"

namespace tollgate::evidence {

inline constexpr std::size_t kLeastPairsForRanks = 6;  // with fewer, no signed-rank interval of 95 % exists

struct Estimated {
  RealEstimate estimate;
  std::optional<Interval> mean_interval_percent;  // Fieller's, of the ratio of means
  double least_p = 0;                             // that values of this number can have
  bool one_boot_each = false;
};

/// `terms` give the level and the margin.
Estimated estimate_shift(const Grouped& grouped, const Terms& terms);

/// From what was printed of a series, or from its samples where the other one was only printed.
Estimated estimate_from_summaries(const Series& baseline, const Series& variant, const Terms& terms);

/// Whether a comparison that can have this p-value can be a change after Holm's correction for so many.
bool can_show_change(double least_p, const Terms& terms, std::size_t comparisons);

/// The least number of values from `values` on (pairs, or of each variant) with which any change can be shown at `terms`' level after
/// Holm's correction for so many comparisons. Known before the first run; `values` itself where it is enough.
std::size_t least_values(Design design, std::size_t values, const Terms& terms, std::size_t comparisons);

/// Decides `estimate.finding` and its reason; `estimate.p_holm` must be set where there is a p.
void decide(Estimated& estimated, const Terms& terms, const std::optional<double>& noise_floor_percent);

}  // namespace tollgate::evidence
