// Units in which tools print the same: perf stat has a task clock in ms, measure in ns.
#pragma once

#include <optional>
#include <string_view>

namespace tollgate::import {

/// Whether it is one of times, counts or sizes.
bool may_not_be_negative(std::string_view unit);

/// What a value in `from` is multiplied with to be one in `to`; nothing where they measure different things.
std::optional<double> factor_between(std::string_view from, std::string_view to);

}  // namespace tollgate::import
