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

std::string number_text(double value) { return fixed_text(value, decimals_for(std::span(&value, 1))); }

std::string signed_text(double percent) {
  if (!std::isfinite(percent)) return "-";
  if (percent == 0) return "0.00";
  const double size = std::abs(percent);
  if (size < kSmallestPlainPercent) return fmt::format("{:+.1e}", percent);
  const int decimals = size >= 1000 ? 0 : size >= 0.0995 ? 2 : decimals_of(size, 2);
  const std::string text = fixed_text(size, decimals);
  return fmt::format("{}{}", percent < 0 ? '-' : '+', text);
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

std::vector<std::string> column_that_adds_up(std::span<const double> values, int decimals) {
  const double scale = std::pow(10, decimals);
  std::vector<double> units, rest;
  for (double value : values) {
    units.push_back(std::floor(value * scale));
    rest.push_back(value * scale - units.back());
  }
  const double sum = std::accumulate(values.begin(), values.end(), 0.0) * scale;
  double missing = std::round(sum) - std::accumulate(units.begin(), units.end(), 0.0);
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rest[a] > rest[b]; });
  for (std::size_t at : order)
    if (missing >= 0.5) units[at] += 1, missing -= 1;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double shown = units[i] / scale;
    if (units[i] == 0) texts.push_back(values[i] == 0 ? "0" : "~0");
    else texts.push_back(fmt::format("{}{}", shown > 0 ? "+" : "", fixed_text(shown, decimals)));
  }
  return texts;
}

}  // namespace tollgate::report
