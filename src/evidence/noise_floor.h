// How large a shift runs of one and the same thing show: what a claim must exceed.
#pragma once

#include "base/result.h"
#include "evidence/measurement.h"

namespace tollgate::evidence {

/// Of `a_against_a`, whose two variants are one and the same, made in the number and order of the runs to be judged. With the
/// log ratios of its pairs, the floor is the larger of two: the size of their shift, and the 95 % quantile of the sizes that
/// 2,000 random exchanges of the two labels within pairs give (unpaired: of random divisions of all values). In percent, of
/// the primary metric. Fails where there are fewer than three values a variant, or one is not above zero.
Result<double> noise_floor_percent(const Measurement& a_against_a);

}  // namespace tollgate::evidence
