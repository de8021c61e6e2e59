#include "evidence/printed_steps.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "base/text.h"
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

/// Different names, in the order in which they came.
struct Names {
  std::vector<std::string> in_order;
  std::set<std::string_view> seen;

  void add(const std::string& name) {
    if (seen.insert(name).second) in_order.push_back(name);
  }
};

/// What was printed in the same steps.
struct Rounded {
  Names metrics;
  Names variants;
  double percent = 0;  // of the mean, at most
  std::size_t series = 0;
};

/// "'a', 'b', 'c' and 7 more".
std::string few_of(const Names& all, std::string_view quote) {
  constexpr std::size_t kFew = 4;
  const auto& names = all.in_order;
  std::vector<std::string> shown;
  for (const std::string& name : std::span(names).first(std::min(names.size(), kFew)))
    shown.push_back(fmt::format("{}{}{}", quote, name, quote));
  return join(shown, ", ") + (names.size() > kFew ? fmt::format(" and {} more", names.size() - kFew) : "");
}

}  // namespace

double half_step_of(std::span<const double> values) {
  int decimals = 0;
  for (const double value : values)
    while (!has_decimals(value, decimals))
      if (++decimals > kMostDecimals) return 0;
  return decimals == 0 ? 0 : 0.5 * std::pow(10, -decimals);
}

std::vector<std::string> visible_rounding(std::span<const Series> all) {
  std::map<std::string, Rounded> by_step;
  for (const Series& series : all) {
    if (series.half_step == 0) continue;
    const double mean = mean_of(series);
    const double percent = 100 * series.half_step / mean;
    if (!(mean > 0 && percent > kVisibleRounding)) continue;
    Rounded& rounded = by_step[fmt::format("{:g} {}", 2 * series.half_step, series.metric.unit)];
    rounded.metrics.add(series.metric.name);
    rounded.variants.add(series.variant);
    rounded.percent = std::max(rounded.percent, percent);
    ++rounded.series;
  }
  std::vector<std::string> texts;
  for (const auto& [step, rounded] : by_step)
    texts.push_back(fmt::format("{} of {} {} printed in steps of {}: the rounding alone is up to +-{} % of the mean",
                                few_of(rounded.metrics, ""), few_of(rounded.variants, "'"),
                                rounded.series > 1 ? "were" : "was", step, digits_of(rounded.percent)));
  return texts;
}

}  // namespace tollgate::evidence
