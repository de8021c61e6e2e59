// tollgate trace simulate.
#pragma once

#include "cli/command.h"

namespace tollgate::cli {

CommandSpec simulate_command();

}  // namespace tollgate::cli
