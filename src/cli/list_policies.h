// The policies in `tollgate list`: what a variant may set, with the kernel era each value models.
#pragma once

#include <string>
#include <vector>

#include "cli/list_kinds.h"

namespace tollgate::cli {

Result<std::vector<ListEntry>> policy_entries();
Result<ListDetail> policy_detail(const std::string& name, const std::vector<std::string>& settings);

}  // namespace tollgate::cli
