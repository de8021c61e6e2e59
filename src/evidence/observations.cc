#include "evidence/observations.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.h"
#include "statistics/shape.h"
#include "statistics/trend.h"

namespace tollgate::evidence {
namespace {

constexpr std::size_t kShown = 5;               // names of a long list
constexpr std::size_t kLeastForSeparation = 4;  // values a side: all orders of 4 and 4 set them apart in 3 % of cases

std::string metric_of(const Series& series) { return fmt::format("{} of '{}'", series.metric.name, series.variant); }

std::vector<double> values_of(const std::vector<Sample>& samples) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.value);
  return values;
}

/// On logs where all are above zero.
std::vector<double> scaled(std::vector<double> values) {
  if (std::ranges::all_of(values, [](double value) { return value > 0; }))
    for (double& value : values) value = std::log(value);
  return values;
}

double position_of(const Sample& sample) { return sample.position.value_or(sample.run); }

std::vector<Sample> in_order(const Series& series) {
  auto samples = series.samples;
  std::ranges::stable_sort(samples, {}, position_of);
  return samples;
}

struct Trend {
  enum class Kind { none, drift, step } kind = Kind::none;
  double change = 0;  // over the session, on logs or in units
  std::string text;
};

/// In percent where the values are logs.
std::string change_text(double change, const Series& series, bool logs) {
  return logs ? fmt::format("{:+.2g} %", 100 * std::expm1(change))
              : fmt::format("{:+.3g} {}", change, series.metric.unit);
}

Trend trend_of(const Series& series) {
  const auto samples = in_order(series);
  const auto raw = values_of(samples);
  const auto values = scaled(raw);
  const bool logs = values != raw;
  std::vector<double> positions;
  for (const Sample& sample : samples) positions.push_back(position_of(sample));
  const auto drift = statistics::drift_of(positions, values);
  const auto step = statistics::step_of(values);
  const bool drifts = drift.p < kTrendLevel, steps = step.p < kTrendLevel;
  if (!drifts && !steps) return {};
  if (steps && (!drifts || step.rest_of_squares < drift.rest_of_squares)) {
    const double change = step.after - step.before;
    return {Trend::Kind::step, change,
            fmt::format("{} steps by {} at run {} (p = {:.2g})", metric_of(series), change_text(change, series, logs),
                        samples[step.first].run, step.p)};
  }
  const double change = drift.slope * (positions.back() - positions.front());
  return {Trend::Kind::drift, change,
          fmt::format("{} drifts by {} over its runs (p = {:.2g})", metric_of(series),
                      change_text(change, series, logs), drift.p)};
}

bool is_number(const std::string& text, double& value) {
  std::size_t used = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    return false;
  }
  return used == text.size();
}

/// Values of one condition in the runs of one variant.
using ValuesOfVariant = std::vector<std::string>;

std::string shown(const ValuesOfVariant& values) {
  std::set<std::string> different(values.begin(), values.end());
  double low = 0, high = 0, value = 0;
  bool numbers = true;
  for (const auto& text : values) {
    if (!is_number(text, value)) numbers = false;
    low = &text == &values.front() ? value : std::min(low, value);
    high = &text == &values.front() ? value : std::max(high, value);
  }
  if (different.size() == 1) return "'" + *different.begin() + "'";
  if (numbers) return fmt::format("{} to {}", low, high);
  return fmt::format("{} values", different.size());
}

/// Whether the condition alone would tell the two variants' runs apart.
bool sets_apart(const ValuesOfVariant& a, const ValuesOfVariant& b) {
  const std::set<std::string> of_a(a.begin(), a.end()), of_b(b.begin(), b.end());
  if (of_a.size() == 1 && of_b.size() == 1) return of_a != of_b;
  if (std::min(a.size(), b.size()) < kLeastForSeparation) return false;
  std::vector<double> numbers[2];
  for (const auto* values : {&a, &b})
    for (const auto& text : *values) {
      double value = 0;
      if (!is_number(text, value)) return false;
      numbers[values == &b].push_back(value);
    }
  const auto [low_a, high_a] = std::ranges::minmax(numbers[0]);
  const auto [low_b, high_b] = std::ranges::minmax(numbers[1]);
  return high_a < low_b || high_b < low_a;
}

}  // namespace

Observations observe_order(const Measurement& measurement) {
  switch (measurement.terms.order) {
    case Order::unknown:
      return {{"the order of the runs is not known, so nothing is paired and drift cannot be told from a difference"},
              {}};
    case Order::in_sequence:
      return {{}, {"all runs of one variant were made before the next: drift counts as a difference"}};
    case Order::abba:
      return {{}, {"blocks in a fixed order and its reverse: a disturbance of that period counts as a difference"}};
    case Order::random_blocks:
      break;
  }
  return {};
}

Observations observe_trends(const std::vector<const Series*>& variants, Design design) {
  Observations out;
  std::vector<Trend> trends;
  for (const Series* series : variants) trends.push_back(trend_of(*series));
  const auto moves = [](const Trend& trend) { return trend.kind != Trend::Kind::none; };
  const bool all_alike = std::ranges::all_of(
      trends, [&](const Trend& trend) { return moves(trend) && (trend.change > 0) == (trends.front().change > 0); });
  for (const Trend& trend : trends) {
    if (!moves(trend)) continue;
    if (design == Design::paired && all_alike)
      out.notes.push_back(trend.text + "; all variants move alike, which pairs cancel");
    else
      out.warnings.push_back(trend.text + (design == Design::paired ? "; the variants do not move alike"
                                                                    : "; without blocks this counts as a difference"));
  }
  return out;
}

std::vector<std::uint32_t> outliers_of(const Series& series) {
  std::vector<std::uint32_t> indices;
  for (std::size_t index : statistics::far_out(scaled(values_of(series.samples))))
    indices.push_back(static_cast<std::uint32_t>(index));
  return indices;
}

Observations observe_shape(const Series& series) {
  Observations out;
  const auto outliers = outliers_of(series);
  std::vector<std::string> texts;
  for (std::uint32_t index : outliers) {
    if (texts.size() == kShown) break;
    const Sample& sample = series.samples[index];
    texts.push_back(fmt::format("run {} ({:.5g} {})", sample.run, sample.value, series.metric.unit));
  }
  if (outliers.size() > kShown) texts.push_back(fmt::format("{} more", outliers.size() - kShown));
  if (!outliers.empty())
    out.notes.push_back(fmt::format("{}: far from the rest, and kept: {}", metric_of(series), join(texts, ", ")));
  const auto values = values_of(series.samples);
  if (const auto modes = statistics::two_modes(values))
    out.warnings.push_back(fmt::format("{} lies in two groups: {} runs about {:.5g} and {} about {:.5g} {}",
                                       metric_of(series), modes->low_count, modes->low,
                                       values.size() - modes->low_count, modes->high, series.metric.unit));
  return out;
}

Observations observe_conditions(const Measurement& measurement) {
  Observations out;
  std::map<std::string, std::map<std::string, ValuesOfVariant>> by_name;
  for (const Condition& condition : measurement.conditions)
    by_name[condition.name][condition.variant].push_back(condition.value);
  for (const auto& [name, by_variant] : by_name) {
    if (std::ranges::find(measurement.terms.compared, name) != measurement.terms.compared.end()) continue;
    const auto base = by_variant.find(measurement.variants.front());
    if (base == by_variant.end()) continue;
    for (const auto& [variant, values] : by_variant) {
      if (variant == base->first || !sets_apart(base->second, values)) continue;
      out.warnings.push_back(
          fmt::format("{} changes in step with the variant: {} with '{}', {} with '{}'; a difference may come from it",
                      name, shown(base->second), base->first, shown(values), variant));
    }
  }
  return out;
}

}  // namespace tollgate::evidence
