// The ratio of two arithmetic means with Fieller's interval: E. C. Fieller, "Some problems in interval estimation",
// Journal of the Royal Statistical Society B 16 (1954). The interval is the set of ratios r that a t test of
// "mean(variant) - r mean(baseline) = 0" does not reject. It has two ends only where the baseline's mean itself differs
// from 0 at the level; otherwise there is none.
#pragma once

#include <optional>
#include <span>

#include "statistics/interval.h"
#include "statistics/student_shift.h"

namespace tollgate::statistics {

/// Of pairs, two at least, at `level` percent; n - 1 degrees of freedom.
std::optional<Interval> paired_ratio_interval(std::span<const double> baseline, std::span<const double> variant,
                                              double level);

/// Of independent series; Satterthwaite's degrees of freedom at the estimated ratio.
std::optional<Interval> ratio_interval(const MeanEstimate& baseline, const MeanEstimate& variant, double level);

}  // namespace tollgate::statistics
