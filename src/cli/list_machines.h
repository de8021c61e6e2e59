// The machines in `tollgate list`: every array and every figure, with its range and where it comes from.
#pragma once

#include <string>
#include <vector>

#include "cli/list_kinds.h"
#include "hw/machine.h"

namespace tollgate::cli {

Result<std::vector<ListEntry>> machine_entries();
Result<ListDetail> machine_detail(const std::string& name, const std::vector<std::string>& settings);

report::Document machine_document(const hw::Machine& machine);
std::string machine_json(const hw::Machine& machine);

}  // namespace tollgate::cli
