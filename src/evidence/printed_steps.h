// Printed steps: a value that was printed with few digits may lie half a step off. What the steps of a series are, and when a
// reader must know of them; real_estimate.h puts them into the interval.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "evidence/measurement.h"

namespace tollgate::evidence {

/// Half of 10^-k for the fewest decimals k <= 9 with which all values are whole multiples of 10^-k (but for the last bits of a
/// double, which a change of unit moves). 0 where all are whole, which counts are exactly, where no such k is, and of no values.
double half_step_of(std::span<const double> values);

/// "time of 'on' was printed in steps of 0.001 s: the rounding alone is up to +-4.5 % of the mean": one text for all series that were
/// printed in the same steps, none where the rounding is 0.1 % or less.
std::vector<std::string> visible_rounding(std::span<const Series> all);

}  // namespace tollgate::evidence
