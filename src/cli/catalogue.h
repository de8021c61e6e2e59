// The catalogue: every verb of the program, in the order the help lists them.
#pragma once

#include <vector>

#include "cli/command.h"

namespace tollgate::cli {

const std::vector<CommandSpec>& catalogue();

}  // namespace tollgate::cli
