// From the samples of real runs to a verdict. docs/statistics.md tells every rule, formula and source; in short:
//
// What counts as one value: a block of runs that were scheduled together (order random_blocks or abba: paired); else a boot
// or a build where a variant has several; else a run. Values that were not scheduled in blocks are never paired.
// Shift: Hodges-Lehmann with the exact signed-rank interval from 6 pairs, Student's t from 3; unpaired with the exact
// Mann-Whitney interval from 4 a side, Welch's t from 3; all on logs, so that a shift is a ratio. Where a value is zero:
// the ratio of means with Fieller's interval; where one is below zero, nothing. Fewer than three values give no interval.
// Finding: equivalent where the interval of the two one-sided tests lies inside the margin fixed before the runs; else
// changed where the p-value holds after Holm's correction and the shift exceeds the noise floor; else inconclusive.
// reservations.h says when it is inconclusive whatever the numbers give.
#pragma once

#include "base/result.h"
#include "evidence/comparison.h"
#include "evidence/measurement.h"

namespace tollgate::evidence {

/// Whether results can be analysed under these terms: level above 50 and below 100 %, margin above 0 and below 100 %. Who plans
/// runs asks before the first one.
Result<void> check_terms(const Terms& terms);

/// Compares every variant with the first, for every metric. Fails where there is nothing to compare, a series names an unknown
/// variant, a value is not finite, units of a metric differ, or a term makes no sense.
Result<Comparison> analyse(const Measurement& measurement);

}  // namespace tollgate::evidence
