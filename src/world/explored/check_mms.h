// The x86 TLB protocols' side of the catalogue.
#pragma once

#include "world/explored/protocols.h"

namespace tollgate::explored {

Result<CheckReport> check_mms(const CheckRequest& request, std::string_view variant);

}  // namespace tollgate::explored
