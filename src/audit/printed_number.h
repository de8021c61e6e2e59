// PrintedNumber: a figure as somebody printed it, with what its digits leave open: 186.951 stands for any value from
// 186.9505 to 186.9515. Reads what people and tools write: 1,003,102  1'234  26311,000  1.36e+09  527k  5:12.81  -.6%
// ~22%  817.6n  10.2GiB.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace tollgate::audit {

struct PrintedNumber {
  double value = 0;      // with its sign and its suffix: 527k is 527000, 5:12.81 is 312.81, 31% is 31
  double half_unit = 0;  // half a unit of the last printed digit, on the scale of `value`
  int decimals = 0;      // printed after the point
  int digits = 0;        // significant digits printed
  bool signed_plus = false;
  bool signed_minus = false;
  bool approximate = false;  // "~22%"
  bool percent = false;
  bool in_words = false;  // "19 percent"
  std::string_view unit;  // "ms", "k", "MiB/s"; "" when there is none; lives as long as the program
  std::size_t begin = 0;  // of the text it was read from, the sign included
  std::size_t end = 0;    // the percent sign and the unit included

  bool has_sign() const { return signed_plus || signed_minus; }
  double low() const { return value - half_unit; }
  double high() const { return value + half_unit; }
};

/// Every figure of a line, from left to right. Digits that belong to a word (v6.11, p99, HEAD~3, 5.14-rc3, 2020-08-01)
/// are no figures.
std::vector<PrintedNumber> numbers_in(std::string_view line);
void numbers_in(std::string_view line, std::vector<PrintedNumber>& found);  // the same, behind what is there

}  // namespace tollgate::audit
