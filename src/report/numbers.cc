#include "report/numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"

namespace tollgate::report {
namespace {

constexpr int kMostDecimals = 9;
constexpr double kSmallestPlainPercent = 1e-4;
constexpr double kLargestPlain = 1e15;  // above it the digits mean nothing and long long comes near

/// Decimals that show `size` (above zero) with `digits` significant digits.
int decimals_of(double size, int digits) {
  const int whole = static_cast<int>(std::floor(std::log10(size))) + 1;
  return std::clamp(digits - whole, 0, kMostDecimals);
}

std::string with_separators(std::string digits) {
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t at = point; at > first + 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

bool shows_zero(std::string_view digits) { return digits.find_first_of("123456789") == std::string_view::npos; }

double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

std::string column_cell(double shown, double exact, int decimals, std::string_view plus) {
  if (shown == 0) return exact == 0 ? "0" : "~0";
  return fmt::format("{}{}", shown > 0 ? plus : "", fixed_text(shown, decimals));
}

std::vector<std::string> column(std::span<const double> values, int decimals, std::string_view plus) {
  const auto shown = rounded_to_add_up(values, decimals);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size(); ++i) texts.push_back(column_cell(shown[i], values[i], decimals, plus));
  const double sum = sum_of(values);
  texts.push_back(column_cell(rounded_to_add_up(std::span(&sum, 1), decimals)[0], sum, decimals, plus));
  return texts;
}

}  // namespace

std::string fixed_text(double value, int decimals) {
  if (!std::isfinite(value)) return "-";
  if (std::abs(value) >= kLargestPlain) return fmt::format("{:.4e}", value);
  const std::string digits = fmt::format("{:.{}f}", value + 0.0, decimals);
  if (!shows_zero(digits)) return with_separators(digits);
  return value == 0 ? digits : fmt::format("{:.1e}", value);
}

int decimals_for(std::span<const double> values) {
  double smallest = 0;
  bool whole = true;
  for (double value : values) {
    if (value == 0 || !std::isfinite(value)) continue;
    const double size = std::abs(value);
    smallest = smallest == 0 ? size : std::min(smallest, size);
    whole = whole && value == std::floor(value);
  }
  return whole ? 0 : decimals_of(smallest, 5);
}

std::string number_text(double value) {
  std::string text = fixed_text(value, decimals_for(std::span(&value, 1)));
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string signed_text(double percent) {
  if (!std::isfinite(percent)) return "-";
  if (percent == 0) return "0.00";
  const double size = std::abs(percent);
  if (size < kSmallestPlainPercent) return fmt::format("{:+.1e}", percent);
  const int decimals = size >= 1000 ? 0 : size >= 0.0995 ? 2 : decimals_of(size, 2);
  const std::string text = fixed_text(size, decimals);
  return fmt::format("{}{}", percent < 0 ? '-' : '+', text);
}

std::string size_text(double percent) {
  std::string text = signed_text(std::abs(percent));
  if (text.starts_with('+')) text.erase(0, 1);
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string percent_text(const std::optional<double>& percent) {
  return percent && std::isfinite(*percent) ? signed_text(*percent) + " %" : "-";
}

std::string interval_text(const std::optional<evidence::Interval>& interval) {
  return interval ? fmt::format("{} to {}", signed_text(interval->low), signed_text(interval->high)) : "-";
}

std::string interval_text(const std::optional<evidence::Interval>& interval, const std::optional<double>& mc_error) {
  if (!mc_error) return interval_text(interval);
  const std::string error = signed_text(*mc_error);
  return fmt::format("{}, +-{} sim", interval_text(interval), error.starts_with('+') ? error.substr(1) : error);
}

std::string bytes_text(double bytes) {
  if (!std::isfinite(bytes)) return "-";
  if (bytes == 0) return "0";
  return bytes < 1 ? "<1B" : human_bytes(bytes);
}

int decimals_for_largest(std::span<const double> values, int digits) {
  double largest = 0;
  for (double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest == 0 ? 0 : decimals_of(largest, digits);
}

int percent_decimals(std::span<const double> values) { return std::max(2, decimals_for_largest(values, 3)); }

std::vector<double> rounded_to_add_up(std::span<const double> values, int decimals) {
  const double scale = std::pow(10, decimals);
  std::vector<double> units, rest;
  for (double value : values) {
    units.push_back(std::floor(value * scale));
    rest.push_back(value * scale - units.back());
  }
  double missing = std::round(sum_of(values) * scale) - sum_of(units);
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return rest[a] > rest[b]; });
  for (std::size_t at : order) {
    if (missing < 0.5) break;
    units[at] += 1;
    missing -= 1;
  }
  for (double& unit : units) unit /= scale;
  return units;
}

std::vector<std::string> signed_column(std::span<const double> values, int decimals) {
  return column(values, decimals, "+");
}

std::vector<std::string> plain_column(std::span<const double> values, int decimals) {
  return column(values, decimals, "");
}

}  // namespace tollgate::report
