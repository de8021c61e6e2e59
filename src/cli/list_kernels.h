// The kernel eras in `tollgate list`: how entry and exit run step by step, and the footprint of each path with its source.
#pragma once

#include <string>
#include <vector>

#include "cli/list_kinds.h"

namespace tollgate::cli {

Result<std::vector<ListEntry>> kernel_entries();
Result<ListDetail> kernel_detail(const std::string& name, const std::vector<std::string>& settings);

}  // namespace tollgate::cli
