// The per-CPU ASIDs' side of the catalogue.
#pragma once

#include "world/explored/protocols.h"

namespace tollgate::explored {

Result<CheckReport> check_vcpus(const CheckRequest& request, std::string_view variant);

}  // namespace tollgate::explored
