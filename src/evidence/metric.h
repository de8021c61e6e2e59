// What a number is a number of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tollgate::evidence {

enum class Better : std::uint8_t { higher, lower, neither };

/// The unit of counts of events, whoever counted them.
inline constexpr std::string_view kCountUnit = "count";

struct MetricInfo {
  std::string name;  // "ops_per_s"
  std::string unit;  // "1/s"
  Better better = Better::higher;
};

}  // namespace tollgate::evidence
