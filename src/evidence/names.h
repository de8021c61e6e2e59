// The words that reports and files use for what real runs are and show.
#pragma once

#include <string_view>

#include "evidence/comparison.h"
#include "evidence/measurement.h"

namespace tollgate::evidence {

std::string_view to_text(Origin origin);    // "measured"
std::string_view to_text(Order order);      // "random blocks"
std::string_view to_text(Design design);    // "paired"
std::string_view to_text(Finding finding);  // "changed"

/// "changed (worse)" where the metric has a better direction; otherwise the finding's word.
std::string finding_text(const RealEstimate& estimate, Better better);

}  // namespace tollgate::evidence
