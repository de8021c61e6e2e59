// Help texts, made from the command table.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace tollgate::cli {

/// What the program is, and its verbs.
std::string program_help(const std::vector<CommandSpec>& verbs);

/// Usage, description, positionals, options and examples of a verb. `words` is what the user types for it: "trace import".
std::string command_help(const CommandSpec& command, const std::string& words);

/// "tollgate compare EXPERIMENT [options]".
std::string usage_line(const CommandSpec& command, const std::string& words);

}  // namespace tollgate::cli
