// Published results: the rows that others posted, as files under published/ tell them, for validation to set beside what we
// predict. Each row says what it may be used for; a row that calibrates a figure never validates one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/comparison.h"

namespace tollgate::lab {

std::string_view to_text(evidence::PublishedUse use);  // "validate"

/// Every row of every .toml file in `folder`, files by name and rows in file order. Ids are unique over all files. Where a row
/// gives both values, its delta is computed from them, and a stated delta_percent must agree within its rounding.
Result<std::vector<evidence::PublishedRow>> load_published(const std::string& folder);

/// The rows of one text; `file` names it in messages.
Result<std::vector<evidence::PublishedRow>> parse_published(std::string_view text, const std::string& file);

}  // namespace tollgate::lab
