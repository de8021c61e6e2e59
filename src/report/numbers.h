// How numbers look in reports: thousands separators, enough digits to compare, and never a 0 that is not one.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "evidence/comparison.h"

namespace tollgate::report {

/// `value` with `decimals` decimals and thousands separators; with two significant digits in scientific form where that
/// would show a value that is not zero as zero, or is too large to read. "-" when it is not finite.
std::string fixed_text(double value, int decimals);

/// Decimals that show the smallest value (by size, zeros left out) with five significant digits; 0 when all are whole.
int decimals_for(std::span<const double> values);

/// `value` alone, with five significant digits (zeros at the end left out) or all the digits of its whole part:
/// "15,783,951", "186.95", "0.3".
std::string number_text(double value);

/// Signed percentage without its sign "%": "+1.71", "-0.0034", "0.00" for exactly zero.
std::string signed_text(double percent);

/// Percentage that has no sign, without its "%" and without zeros at the end: "6.45", "0.3", "0.0034".
std::string size_text(double percent);

/// "+1.71 %", or "-" when there is none.
std::string percent_text(const std::optional<double>& percent);

/// "+0.40 to +2.90", or "-".
std::string interval_text(const std::optional<evidence::Interval>& interval);

/// "+0.40 to +2.90, +-0.02 sim": the interval and, beside it, the simulation's own standard error, both in percent.
std::string interval_text(const std::optional<evidence::Interval>& interval, const std::optional<double>& mc_error);

/// "16K"; "0" for none, "-" when it is not finite.
std::string bytes_text(double bytes);

/// Decimals that show the largest value (by size) with `digits` significant digits: for columns that are added up.
int decimals_for_largest(std::span<const double> values, int digits);

/// As above for a column of percentages: three significant digits, two decimals at the least.
int percent_decimals(std::span<const double> values);

/// Every value rounded to `decimals` so that the rounded ones still add up to the rounded sum: largest remainders take
/// the rest. A column under which a reader may draw a line and add.
std::vector<double> rounded_to_add_up(std::span<const double> values, int decimals);

/// Those, and last their sum, as signed texts: "0" for exactly zero, "~0" for a value that rounds to it.
std::vector<std::string> signed_column(std::span<const double> values, int decimals);

/// The same without a plus sign.
std::vector<std::string> plain_column(std::span<const double> values, int decimals);

}  // namespace tollgate::report
