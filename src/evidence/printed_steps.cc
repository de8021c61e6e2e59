#include "evidence/printed_steps.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "statistics/moments.h"

namespace tollgate::evidence {
namespace {

constexpr int kMostDecimals = 9;
constexpr double kVisibleRounding = 0.1;  // percent of the mean: above it, the digits printed are worth a word

/// What the value becomes when it is printed with that many decimals and read again.
double printed(double value, int decimals) {
  return std::strtod(fmt::format("{:.{}f}", value, decimals).c_str(), nullptr);
}

bool has_decimals(double value, int decimals) {
  return std::abs(printed(value, decimals) - value) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(value);
}

/// Two significant digits, but never an exponent for what can be read without one.
std::string digits_of(double percent) {
  return percent >= 99.5 && percent < 1e6 ? fmt::format("{:.0f}", percent) : fmt::format("{:.2g}", percent);
}

double mean_of(const Series& series) {
  if (series.summary) return series.summary->mean.value_or(0);
  std::vector<double> values;
  for (const Sample& sample : series.samples) values.push_back(sample.value);
  return statistics::mean_of(values);
}

}  // namespace

double half_step_of(std::span<const double> values) {
  int decimals = 0;
  for (const double value : values)
    while (!has_decimals(value, decimals))
      if (++decimals > kMostDecimals) return 0;
  return decimals == 0 ? 0 : 0.5 * std::pow(10, -decimals);
}

std::optional<std::string> visible_rounding(const Series& series) {
  if (series.half_step == 0) return std::nullopt;
  const double mean = mean_of(series);
  const double percent = 100 * series.half_step / mean;
  if (!(mean > 0 && percent > kVisibleRounding)) return std::nullopt;
  return fmt::format("{} of '{}' was printed in steps of {:g} {}: the rounding alone is up to +-{} % of the mean",
                     series.metric.name, series.variant, 2 * series.half_step, series.metric.unit, digits_of(percent));
}

}  // namespace tollgate::evidence
