// What the reader of a comparison of real runs must know beside the estimate: drift and steps, two humps, values far from the
// rest, conditions that changed in step with the variant, the order of the runs. Nothing here changes an estimate.
#pragma once

#include <string>
#include <vector>

#include "evidence/comparison.h"
#include "evidence/grouping.h"
#include "evidence/measurement.h"

namespace tollgate::evidence {

/// P-values below this make a drift or a step worth naming.
inline constexpr double kTrendLevel = 0.01;

struct Observations {
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

/// Of the series' own order.
Observations observe_order(const Measurement& measurement);

/// Drift or a step of one series. Pairs cancel what all variants share, so with them it is no more than a note.
Observations observe_trend(const Series& series, Design design);

/// Drift or a step of the ratio itself, over the blocks of `grouped` pairs: what pairs did not cancel.
Observations observe_ratio_trend(const Grouped& grouped, const Series& series);

/// Two humps, and the outliers that `outliers_of` finds.
Observations observe_shape(const Series& series);

/// Indices of samples far from the rest, on logs where all are above zero.
std::vector<std::uint32_t> outliers_of(const Series& series);

/// Conditions whose values set the variants apart, and conditions that changed within a variant.
Observations observe_conditions(const Measurement& measurement);

}  // namespace tollgate::evidence
