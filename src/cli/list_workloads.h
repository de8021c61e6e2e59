// The workloads in `tollgate list`: their kind, every figure with its range and source, and the recording's size. A recording
// is never read for this: its footer holds the totals.
#pragma once

#include <string>
#include <vector>

#include "cli/list_kinds.h"

namespace tollgate::cli {

Result<std::vector<ListEntry>> workload_entries();
Result<ListDetail> workload_detail(const std::string& name, const std::vector<std::string>& settings);

}  // namespace tollgate::cli
