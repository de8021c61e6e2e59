// tollgate list protocols [NAME]: what `tollgate check` explores, with the variants of each.
#pragma once

#include "cli/list_kinds.h"

namespace tollgate::cli {

Result<std::vector<ListEntry>> protocol_entries();
/// Errors: an unknown name, with the nearest known one.
Result<ListDetail> protocol_detail(const std::string& name, const std::vector<std::string>& settings);

}  // namespace tollgate::cli
