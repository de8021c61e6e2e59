#include "cli/help.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

namespace tollgate::cli {
namespace {

constexpr std::size_t kWidth = 100;  // columns; help is read in terminals

/// Two columns: the term, then its text wrapped at kWidth.
std::string entry(const std::string& term, const std::string& text, std::size_t term_width) {
  const std::size_t indent = term_width + 4;
  std::string out = fmt::format("  {:<{}}", term, term_width);
  std::size_t column = indent;
  out += "  ";
  bool first = true;
  for (const auto& word : split(text, ' ')) {
    if (!first && column + 1 + word.size() > kWidth) {
      out += fmt::format("\n{:{}}", "", indent);
      column = indent;
      first = true;
    }
    out += fmt::format("{}{}", first ? "" : " ", word);
    column += word.size() + (first ? 0 : 1);
    first = false;
  }
  return out + "\n";
}

using Entries = std::vector<std::pair<std::string, std::string>>;

std::string section(const std::string& title, const Entries& entries) {
  if (entries.empty()) return "";
  std::size_t width = 0;
  for (const auto& [term, text] : entries) width = std::max(width, term.size());
  std::string out = fmt::format("\n{}:\n", title);
  for (const auto& [term, text] : entries) out += entry(term, text, width);
  return out;
}

std::string option_text(const OptionSpec& option) {
  std::string text = option.help;
  if (!option.choices.empty()) text += fmt::format(": {}", join(option.choices, ", "));
  if (option.repeat == Repeat::kYes) text += " (may be repeated)";
  if (!option.default_text.empty()) text += fmt::format(" [{}]", option.default_text);
  return text;
}

Entries option_entries(const CommandSpec& command) {
  Entries entries;
  for (const auto& option : command.options) {
    entries.emplace_back(option.value_name.empty() ? option.name : option.name + " " + option.value_name,
                         option_text(option));
  }
  entries.emplace_back("-h, --help", "show this help");
  return entries;
}

Entries verb_entries(const std::vector<CommandSpec>& verbs) {
  Entries entries;
  for (const auto& verb : verbs) entries.emplace_back(verb.name, verb.summary);
  return entries;
}

std::string paragraph(const std::string& text) { return text.empty() ? "" : "\n" + text + "\n"; }

}  // namespace

std::string usage_line(const CommandSpec& command, const std::string& words) {
  std::string line = "tollgate " + words;
  if (!command.subcommands.empty()) return line + " VERB [options]";
  for (const auto& option : command.options) {
    if (option.name.size() == 2) line += fmt::format(" [{} {}]", option.name, option.value_name);
  }
  if (!command.options.empty()) line += " [options]";
  for (const auto& positional : command.positionals) {
    const char* form = positional.count == Count::kOne ? " {}" : positional.count == Count::kMany ? " {}..." : " [{}]";
    line += fmt::format(fmt::runtime(form), positional.name);
  }
  return line;
}

std::string program_help(const std::vector<CommandSpec>& verbs) {
  return "usage: tollgate VERB [options]\n"
         "\nTollgate prices address-space policies: what page-table isolation, tags and TLB shootdowns cost on a\n"
         "machine, why, and whether a policy is safe.\n" +
         section("verbs", verb_entries(verbs)) +
         section("options", {{"-h, --help", "show this help; 'tollgate VERB --help' shows that of a verb"},
                             {"--version", "show the version"}}) +
         "\nexit status: 0 done, 1 the answer is \"no\", 2 bad usage or input, 130 interrupted\n";
}

std::string command_help(const CommandSpec& command, const std::string& words) {
  Entries positionals;
  for (const auto& positional : command.positionals) positionals.emplace_back(positional.name, positional.help);
  std::string out = fmt::format("usage: {}\n\n{}\n", usage_line(command, words), command.summary);
  out += paragraph(command.description);
  out += section("verbs", verb_entries(command.subcommands));
  out += section("arguments", positionals);
  out += section("options", option_entries(command));
  if (!command.examples.empty()) out += "\nexamples:\n";
  for (const auto& example : command.examples) out += fmt::format("  {}\n", example);
  return out;
}

}  // namespace tollgate::cli
