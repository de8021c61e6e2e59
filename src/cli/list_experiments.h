// The questions in `tollgate list`: what is asked of which machine and workload, the variants with their policies, and what
// was published about it.
#pragma once

#include <string>
#include <vector>

#include "cli/list_kinds.h"

namespace tollgate::cli {

Result<std::vector<ListEntry>> experiment_entries();
Result<ListDetail> experiment_detail(const std::string& name, const std::vector<std::string>& settings);

}  // namespace tollgate::cli
