// The likely slip behind a figure that nothing reaches: two digits swapped, a digit wrong, lost or doubled, the point moved,
// the percentage of another row, a value pasted from elsewhere. Each is tried; the first that repairs the row is named.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/claim.h"

namespace tollgate::audit {

struct Slip {
  std::string subtype;  // "transposed_digits", "shifted_column", "pasted_percent", ... ; "" for a plain wrong digit
  std::string text;     // what to say: "52 with its digits swapped gives 25"
};

/// `siblings` are the claims of the same group, in order; `at` is the wrong one.
std::optional<Slip> likely_slip(const Rows& rows, const std::vector<const JudgedClaim*>& siblings, std::size_t at);

}  // namespace tollgate::audit
