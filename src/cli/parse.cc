#include "cli/parse.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>

#include "base/text.h"
#include "cli/help.h"

namespace tollgate::cli {
namespace {

using Outcome = std::variant<ShowText, Invocation>;

// CLI11 splits the words. Everything it would say itself (help, missing and unknown words) is said here instead, since it
// has no "did you mean": hence allow_extras, no required options, and no help flag of its own.

/// One verb as CLI11 sees it, with the places where it puts the values.
struct Binding {
  const CommandSpec* command = nullptr;
  std::string words;
  CLI::App* app = nullptr;
  bool help = false;
  std::deque<bool> flags;
  std::deque<std::vector<std::string>> option_values;
  std::vector<std::string> positional_words;
};

void add_options(Binding& binding) {
  binding.app->set_help_flag("");
  binding.app->allow_extras();
  binding.app->require_subcommand(0, 1);  // else a positional that is also a verb's name starts that verb
  binding.app->add_flag("-h,--help", binding.help);
  for (const auto& option : binding.command->options) {
    auto& values = binding.option_values.emplace_back();
    auto& flag = binding.flags.emplace_back(false);
    if (option.value_name.empty()) {
      binding.app->add_flag(option.name, flag);
    } else {
      binding.app->add_option(option.name, values)->allow_extra_args(false);
    }
  }
  if (binding.command->run != nullptr) binding.app->add_option("WORDS", binding.positional_words);
}

void add_verbs(const std::vector<CommandSpec>& verbs, CLI::App& parent, const std::string& prefix,
               std::deque<Binding>& bindings) {
  for (const auto& verb : verbs) {
    auto& binding = bindings.emplace_back();
    binding.command = &verb;
    binding.words = prefix + verb.name;
    binding.app = parent.add_subcommand(verb.name);
    add_options(binding);
    add_verbs(verb.subcommands, *binding.app, binding.words + " ", bindings);
  }
}

std::vector<std::string> names_of(const std::vector<CommandSpec>& verbs) {
  std::vector<std::string> names;
  for (const auto& verb : verbs) names.push_back(verb.name);
  return names;
}

std::string see_help(const std::string& words) {
  return fmt::format("\nsee: tollgate {}{}--help", words, words.empty() ? "" : " ");
}

bool looks_like_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

Error unknown_option(const std::string& word, const std::vector<OptionSpec>& options, const std::string& words) {
  std::vector<std::string> names;
  for (const auto& option : options) names.push_back(option.name);
  names.push_back("--help");
  if (words.empty()) names.push_back("--version");
  const std::string bare = word.substr(0, word.find('='));
  return Error{fmt::format("unknown option {}{}{}", bare, did_you_mean(bare, names), see_help(words))};
}

Error unknown_verb(const std::string& word, const std::vector<CommandSpec>& verbs, const std::string& words) {
  return Error{fmt::format("unknown verb '{}'{}{}", word, did_you_mean(word, names_of(verbs)), see_help(words))};
}

/// What the option library could not place, as an error.
Result<void> check_nothing_left(const std::vector<std::string>& left, const CommandSpec& command,
                                const std::string& words) {
  for (const auto& word : left) {
    if (word == "--") continue;
    return tl::unexpected(looks_like_option(word) ? unknown_option(word, command.options, words)
                                                  : unknown_verb(word, command.subcommands, words));
  }
  return {};
}

Result<void> check_option(const OptionSpec& option, const std::vector<std::string>& values) {
  if (values.size() > 1 && option.repeat == Repeat::kNo) return fail(fmt::format("{} is given twice", option.name));
  for (const auto& value : values) {
    const auto& choices = option.choices;
    if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) continue;
    return fail(fmt::format("{} cannot be '{}'{}", option.name, value, did_you_mean(value, choices)));
  }
  return {};
}

Result<void> collect_options(const Binding& binding, Arguments& arguments) {
  for (std::size_t i = 0; i < binding.command->options.size(); ++i) {
    const auto& option = binding.command->options[i];
    TRY(check_option(option, binding.option_values[i]));
    if (binding.flags[i]) arguments.add(option.name, "yes");
    for (const auto& value : binding.option_values[i]) arguments.add(option.name, value);
  }
  return {};
}

Result<void> collect_positionals(const Binding& binding, Arguments& arguments) {
  auto word = binding.positional_words.begin();
  const auto end = binding.positional_words.end();
  for (const auto& positional : binding.command->positionals) {
    if (word == end && positional.count != Count::kOptional) {
      return fail(fmt::format("{} is missing\nusage: {}{}", positional.name,
                              usage_line(*binding.command, binding.words), see_help(binding.words)));
    }
    const auto stop = word == end ? end : positional.count == Count::kMany ? end : word + 1;
    for (; word != stop; ++word) arguments.add(positional.name, *word);
  }
  if (word == end) return {};
  return fail(fmt::format("unexpected argument '{}'{}", *word, see_help(binding.words)));
}

Result<Outcome> finish(const Binding& binding) {
  const CommandSpec& command = *binding.command;
  if (binding.help) return ShowText{command_help(command, binding.words)};
  TRY(check_nothing_left(binding.app->remaining(), command, binding.words));
  if (command.run == nullptr) {
    return fail(fmt::format("a verb is missing after 'tollgate {}' (known: {}){}", binding.words,
                            join(names_of(command.subcommands), ", "), see_help(binding.words)));
  }
  Arguments arguments(command);
  TRY(collect_options(binding, arguments));
  TRY(collect_positionals(binding, arguments));
  return Invocation{&command, binding.words, std::move(arguments)};
}

}  // namespace

Result<Outcome> parse(const std::vector<CommandSpec>& verbs, std::vector<std::string> words,
                      const std::string& version) {
  CLI::App app;
  bool version_asked = false;
  Binding program;
  const CommandSpec whole{.name = "", .summary = "", .subcommands = verbs};
  program.command = &whole;
  program.app = &app;
  add_options(program);
  app.add_flag("--version", version_asked);
  std::deque<Binding> bindings;
  add_verbs(verbs, app, "", bindings);
  try {
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    app.parse(std::move(words));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string_view what = error.what();
    return fail(fmt::format("{} wants a value", what.substr(0, what.find(':'))) + see_help(""));
  } catch (const CLI::ParseError& error) {
    return fail(error.what() + see_help(""));
  }
  if (program.help && app.remaining().empty()) return ShowText{program_help(verbs)};
  if (version_asked) return ShowText{fmt::format("tollgate {}\n", version)};
  TRY(check_nothing_left(app.remaining(), whole, ""));
  const auto chosen =
      std::find_if(bindings.rbegin(), bindings.rend(), [](const Binding& b) { return b.app->parsed(); });
  if (chosen == bindings.rend()) return fail("a verb is missing" + see_help(""));
  return finish(*chosen);
}

}  // namespace tollgate::cli
