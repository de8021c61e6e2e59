#include "import/units.h"

#include <algorithm>
#include <array>
#include <utility>

#include "evidence/metric.h"

namespace tollgate::import {
namespace {

// Units a second, whole, so that no conversion rounds more than once.
constexpr std::array<std::pair<std::string_view, double>, 4> kTimes{{{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}}};

std::optional<double> a_second(std::string_view unit) {
  const auto* const found = std::ranges::find(kTimes, unit, &std::pair<std::string_view, double>::first);
  return found == kTimes.end() ? std::nullopt : std::optional(found->second);
}

bool is_count(std::string_view unit) { return unit == evidence::kCountUnit || unit == "1"; }  // "1": sessions of old

}  // namespace

bool may_not_be_negative(std::string_view unit) { return a_second(unit) || is_count(unit) || unit == "B"; }

std::optional<double> factor_between(std::string_view from, std::string_view to) {
  if (from == to || (is_count(from) && is_count(to))) return 1;
  const auto before = a_second(from), after = a_second(to);
  return before && after ? std::optional(*after / *before) : std::nullopt;
}

}  // namespace tollgate::import
