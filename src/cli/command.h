// CommandSpec: one verb of the program as a table: its words, its options, an example and the function that does it.
// The parser, the help and the "did you mean" all read this table, so a verb says everything about itself once.
//
// A verb is one file, src/cli/VERB.cc, with `CommandSpec VERB_command()`, and one line in catalogue.cc.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tollgate::cli {

/// What the shell sees. "No" is an answer, not a failure: a counterexample, a wrong figure in an audit.
enum class ExitStatus { kDone = 0, kNo = 1, kBadInput = 2, kInterrupted = 130 };

enum class Count { kOne, kOptional, kMany };  // kMany is one or more

struct PositionalSpec {
  std::string name;  // "EXPERIMENT": shown in the usage, and the key for Arguments
  std::string help;
  Count count = Count::kOne;
};

enum class Repeat { kNo, kYes };

struct OptionSpec {
  std::string name;        // "--format" or "-o"
  std::string value_name;  // "FORMAT"; empty for a flag, which takes no value
  std::string help;
  std::string default_text = "";          // the value when the option is not given
  std::vector<std::string> choices = {};  // when not empty, the parser takes no other value
  Repeat repeat = Repeat::kNo;
};

struct CommandSpec;

/// What the user typed for one verb, checked against its CommandSpec. Asking for a name the verb did not declare is our
/// own mistake, hence a CHECK.
class Arguments {
 public:
  explicit Arguments(const CommandSpec& command);

  /// Whether the user gave the option or positional at all.
  bool given(std::string_view name) const;
  /// Whether the flag was given.
  bool flag(std::string_view name) const { return given(name); }
  /// The value, or the default text (which may be empty).
  std::string text(std::string_view name) const;
  /// Every value, in order; the default text if there is one and none was given.
  std::vector<std::string> list(std::string_view name) const;
  /// A whole number in [low, high]; anything else is an error that names the option and the bounds.
  Result<std::uint64_t> number(std::string_view name, std::uint64_t low = 0,
                               std::uint64_t high = std::numeric_limits<std::uint64_t>::max()) const;

  void add(std::string_view name, std::string value);

 private:
  const std::vector<std::string>& values(std::string_view name) const;

  std::map<std::string, std::vector<std::string>, std::less<>> values_;  // every declared name
  std::map<std::string, std::string, std::less<>> defaults_;
};

struct CommandSpec {
  std::string name;
  std::string summary;           // one line, for the list of verbs
  std::string description = "";  // a paragraph, for the help of the verb
  std::vector<PositionalSpec> positionals = {};
  std::vector<OptionSpec> options = {};
  std::vector<CommandSpec> subcommands = {};  // one level; a verb has either these or `run`
  std::vector<std::string> examples = {};     // whole command lines
  /// Does the verb. Results go to standard output, progress and warnings to standard error. An Error is printed by
  /// main and becomes ExitStatus::kBadInput.
  Result<ExitStatus> (*run)(const Arguments&) = nullptr;
};

}  // namespace tollgate::cli
