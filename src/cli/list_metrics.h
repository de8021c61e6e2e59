// The metrics in `tollgate list`: what can be measured of a run, and which questions do.
#pragma once

#include <string>
#include <vector>

#include "cli/list_kinds.h"

namespace tollgate::cli {

Result<std::vector<ListEntry>> metric_entries();
Result<ListDetail> metric_detail(const std::string& name, const std::vector<std::string>& settings);

}  // namespace tollgate::cli
