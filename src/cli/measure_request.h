// The options of `tollgate measure`, and the request they make.
#pragma once

#include <vector>

#include "cli/command.h"
#include "measure/request.h"

namespace tollgate::cli {

std::vector<OptionSpec> measure_options();

/// Exactly one of what the verb can do is asked for, and nothing that means nothing to it.
Result<void> check_mode(const Arguments& arguments);

/// From the options, or from the plan.
Result<measure::Request> measure_request(const Arguments& arguments);

}  // namespace tollgate::cli
