// Numbers as tools print them: what the digits say, what they leave open, and what had to be assumed to read them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tollgate::import {

struct Number {
  double value = 0;
  double half_unit = 0;  // half a unit of the last printed digit; 0 when all digits are there
  std::string remark;    // what was assumed; "" when nothing was
};

/// What commas and points are in the output of a tool.
enum class Comma {
  decimals,         // printf without the ' flag never groups: a comma can only be the decimal one of some locale
  groups,           // 1,003,102.5
  decimals_points,  // 1.003.102,5: known to be of such a locale
};

/// The whole of `text`: 0.318  1,003,102  26311,000  1'234  1.36e+09  527k. Anything else, NaN and infinity too, is an
/// error at `line`.
Result<Number> read_number(std::string_view text, unsigned line, Comma comma);

/// Seconds: "1:02:03", "0:00.05" (h:mm:ss or m:ss), "0m0.052s" (bash), "1h02m03s", and a plain number.
Result<Number> read_clock(std::string_view text, unsigned line);

}  // namespace tollgate::import
