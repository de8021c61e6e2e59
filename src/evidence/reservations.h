// Reservations: what forbids a finding that the numbers alone would give. Runs that are still to be made (a look at some of them is
// a test of its own), and samples at the floor of what could be seen (whose true values may lie anywhere below).
#pragma once

#include <string>
#include <vector>

#include "evidence/comparison.h"
#include "evidence/measurement.h"

namespace tollgate::evidence {

/// Makes the decided `estimate` of `variant` against `baseline` inconclusive, with a reason, where one of them applies.
/// `unfinished` is Measurement's.
void reserve(RealEstimate& estimate, const Series& baseline, const Series& variant, const std::string& unfinished);

/// The measurement's conditions, and as two more kinds, which are none, what forbids findings: "unfinished" and "floor of METRIC". What
/// keeps conditions keeps those so.
std::vector<Condition> conditions_with_reservations(const Measurement& measurement);

/// Puts them back where they belong.
void take_reservations(Measurement& measurement);

}  // namespace tollgate::evidence
