// The answer of `tollgate compare` for people: the table that is posted, why the variants differ, what they expose, and
// published results beside the prediction. `docs/output.md` explains every column.
#pragma once

#include <string>

#include "evidence/comparison.h"

namespace tollgate::report {

std::string table_text(const evidence::Comparison& comparison);
std::string table_markdown(const evidence::Comparison& comparison);

}  // namespace tollgate::report
