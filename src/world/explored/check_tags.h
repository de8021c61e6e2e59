// The tag allocators' side of the catalogue.
#pragma once

#include "world/explored/protocols.h"

namespace tollgate::explored {

Result<CheckReport> check_vmid(const CheckRequest& request, std::string_view variant);
Result<CheckReport> check_asid(const CheckRequest& request, std::string_view variant);
Result<CheckReport> check_monotonic(const CheckRequest& request, std::string_view variant);

}  // namespace tollgate::explored
