// From the words of the command line to a verb and its Arguments. The only place that knows the option library.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cli/command.h"

namespace tollgate::cli {

/// The user asked for words, not for work: a help text or the version.
struct ShowText {
  std::string text;
};

struct Invocation {
  const CommandSpec* command;  // owned by the verbs that were passed in
  std::string words;           // "trace import"
  Arguments arguments;
};

/// `words` without the program's name. Errors end with how to get help.
Result<std::variant<ShowText, Invocation>> parse(const std::vector<CommandSpec>& verbs, std::vector<std::string> words,
                                                 const std::string& version);

}  // namespace tollgate::cli
