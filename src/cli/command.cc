#include "cli/command.h"

#include <fmt/core.h>

#include <charconv>

#include "base/check.h"

namespace tollgate::cli {

Arguments::Arguments(const CommandSpec& command) {
  for (const auto& positional : command.positionals) values_[positional.name];
  for (const auto& option : command.options) {
    values_[option.name];
    defaults_[option.name] = option.default_text;
  }
}

const std::vector<std::string>& Arguments::values(std::string_view name) const {
  const auto found = values_.find(name);
  CHECK(found != values_.end(), "a verb asked for an option or positional that it does not declare");
  return found->second;
}

bool Arguments::given(std::string_view name) const { return !values(name).empty(); }

std::string Arguments::text(std::string_view name) const {
  const auto all = list(name);
  return all.empty() ? "" : all.front();
}

std::vector<std::string> Arguments::list(std::string_view name) const {
  const auto& given_values = values(name);
  const auto fallback = defaults_.find(name);
  if (!given_values.empty() || fallback == defaults_.end() || fallback->second.empty()) return given_values;
  return {fallback->second};
}

Result<std::uint64_t> Arguments::number(std::string_view name, std::uint64_t low, std::uint64_t high) const {
  const std::string digits = text(name);
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value);
  if (parsed.ec == std::errc() && parsed.ptr == end && value >= low && value <= high) return value;
  const bool bounded = high != std::numeric_limits<std::uint64_t>::max();
  const std::string range = bounded ? fmt::format(" from {} to {}", low, high) : fmt::format(", at least {}", low);
  return fail(fmt::format("{} must be a whole number{}, not '{}'", name, range, digits));
}

void Arguments::add(std::string_view name, std::string value) {
  const auto found = values_.find(name);
  CHECK(found != values_.end(), "a value for an option or positional that the verb does not declare");
  found->second.push_back(std::move(value));
}

}  // namespace tollgate::cli
