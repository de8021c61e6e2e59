#include "evidence/observations.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "evidence/real_estimate.h"
#include "statistics/shape.h"
#include "statistics/trend.h"

namespace tollgate::evidence {
namespace {

constexpr std::size_t kShown = 5;               // names of a long list
constexpr std::size_t kLeastForSeparation = 5;  // values a side: chance sets 5 and 5 apart in 0.8 % of cases

std::string metric_of(const Series& series) { return fmt::format("{} of '{}'", series.metric.name, series.variant); }

std::vector<double> values_of(const std::vector<Sample>& samples) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.value);
  return values;
}

/// "34.812", or "2,801,664": no exponent where people write none.
std::string value_text(double value) {
  const bool large = std::abs(value) >= 1e5 && std::abs(value) < 1e15;
  return large ? with_commas(std::llround(value)) : fmt::format("{:.5g}", value);
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

/// Not every value has a unit.
std::string with_unit(const std::string& value, const std::string& unit) {
  return unit.empty() ? value : value + " " + unit;
}

/// In percent where the values are logs: two significant digits, but no exponent for what can be read without one.
std::string change_text(double change, const std::string& unit, bool logs) {
  if (!logs) return with_unit(fmt::format("{:+.3g}", change), unit);
  const double percent = 100 * std::expm1(change);
  return percent >= 99.5 && percent < 1e6 ? fmt::format("{:+.0f} %", percent) : fmt::format("{:+.2g} %", percent);
}

/// Values in the order in which they were made.
struct Sequence {
  std::vector<double> positions;
  std::vector<double> values;
  std::vector<std::uint32_t> numbers;  // what the text calls them by
  bool logs = false;
  std::string unit;
  std::string_view called;  // "run"
};

/// "drifts by +1.5 % over its runs (p = 0.003)", or a step, whichever leaves less unexplained; "" for neither.
std::string trend_text(const Sequence& sequence) {
  const auto drift = statistics::drift_of(sequence.positions, sequence.values);
  const auto step = statistics::step_of(sequence.values);
  const bool drifts = drift.p < kTrendLevel, steps = step.p < kTrendLevel;
  if (!drifts && !steps) return "";
  if (steps && (!drifts || step.rest_of_squares < drift.rest_of_squares))
    return fmt::format("steps by {} at {} {} (p = {:.2g})",
                       change_text(step.after - step.before, sequence.unit, sequence.logs), sequence.called,
                       sequence.numbers[step.first], step.p);
  const double change = drift.slope * (sequence.positions.back() - sequence.positions.front());
  return fmt::format("drifts by {} over its {}s (p = {:.2g})", change_text(change, sequence.unit, sequence.logs),
                     sequence.called, drift.p);
}

/// Values of one condition in the runs of one variant.
using ValuesOfVariant = std::vector<std::string>;

/// Nothing where one of them is no number.
std::optional<std::vector<double>> numbers_of(const ValuesOfVariant& values) {
  std::vector<double> numbers;
  for (const auto& text : values) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    numbers.push_back(value);
  }
  return numbers;
}

/// "'performance'", "0.1 to 2.4" or "3 values".
std::string shown(const ValuesOfVariant& values) {
  const std::set<std::string> different(values.begin(), values.end());
  if (different.size() == 1) return "'" + *different.begin() + "'";
  const auto numbers = numbers_of(values);
  if (!numbers) return fmt::format("{} values", different.size());
  const auto [low, high] = std::ranges::minmax(*numbers);
  return fmt::format("{:.4g} to {:.4g}", low, high);
}

/// Whether the condition alone would tell the two variants' runs apart.
bool sets_apart(const ValuesOfVariant& a, const ValuesOfVariant& b) {
  const std::set<std::string> of_a(a.begin(), a.end()), of_b(b.begin(), b.end());
  if (of_a.size() == 1 && of_b.size() == 1) return of_a != of_b;
  if (std::min(a.size(), b.size()) < kLeastForSeparation) return false;
  const auto numbers_a = numbers_of(a), numbers_b = numbers_of(b);
  if (!numbers_a || !numbers_b) return false;
  const auto [low_a, high_a] = std::ranges::minmax(*numbers_a);
  const auto [low_b, high_b] = std::ranges::minmax(*numbers_b);
  return high_a < low_b || high_b < low_a;
}

/// More than one value, and not numbers, which vary as numbers do.
bool changes_in_words(const ValuesOfVariant& values) {
  return !numbers_of(values) && std::set(values.begin(), values.end()).size() > 1;
}

std::string listed(const ValuesOfVariant& values) {
  const std::set<std::string> different(values.begin(), values.end());
  std::vector<std::string> texts;
  for (const auto& text : different)
    if (texts.size() < kShown) texts.push_back("'" + text + "'");
  if (different.size() > kShown) texts.push_back(fmt::format("{} more", different.size() - kShown));
  return join(texts, ", ");
}

/// For each block of a run of the baseline and one of the variant, whether the baseline's was first.
std::vector<bool> baseline_first(const Measurement& measurement) {
  std::map<std::uint32_t, std::array<std::optional<std::uint32_t>, 2>> blocks;
  for (std::size_t variant = 0; variant < 2 && variant < measurement.series.size(); ++variant)
    for (const Sample& sample : measurement.series[variant].samples)
      if (sample.block && sample.position) blocks[*sample.block][variant] = sample.position;
  std::vector<bool> first;
  for (const auto& [block, positions] : blocks)
    if (positions[0] && positions[1]) first.push_back(*positions[0] < *positions[1]);
  return first;
}

/// A random order of few pairs may turn out to be the one that a disturbance of a period of four runs, or a cost of being second,
/// needs to look like a difference.
Observations observe_few_pairs(const Measurement& measurement) {
  if (measurement.variants.size() != 2) return {};
  const std::vector<bool> first = baseline_first(measurement);
  if (first.size() < 3 || first.size() >= kLeastPairsForRanks) return {};
  const bool alternates = std::adjacent_find(first.begin(), first.end()) == first.end();
  const bool same = std::adjacent_find(first.begin(), first.end(), std::not_equal_to<>()) == first.end();
  if (!alternates && !same) return {};
  return {{fmt::format("in these {} pairs the order {}: {} would look like a difference; {} pairs or more, or another "
                       "seed, are safer",
                       first.size(), same ? "never changed" : "alternated",
                       same ? "what running second costs" : "a disturbance with a period of four runs",
                       kLeastPairsForRanks)},
          {}};
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
      return observe_few_pairs(measurement);
  }
  return {};
}

Observations observe_trend(const Series& series, Design design) {
  Sequence sequence{.positions = {}, .values = {}, .numbers = {}, .unit = series.metric.unit, .called = "run"};
  const auto samples = in_order(series);
  const auto raw = values_of(samples);
  sequence.values = scaled(raw);
  sequence.logs = sequence.values != raw;
  for (const Sample& sample : samples) {
    sequence.positions.push_back(position_of(sample));
    sequence.numbers.push_back(sample.run);
  }
  const std::string text = trend_text(sequence);
  if (text.empty()) return {};
  if (design == Design::paired)
    return {{fmt::format("{} {}; pairs cancel what the variants share of it", metric_of(series), text)}, {}};
  return {{}, {fmt::format("{} {}; without blocks this counts as a difference", metric_of(series), text)}};
}

Observations observe_ratio_trend(const Grouped& grouped, const Series& series) {
  if (grouped.design != Design::paired || grouped.baseline_logs.empty()) return {};
  Sequence sequence{.positions = {}, .values = {}, .numbers = {}, .logs = true, .unit = "", .called = "block"};
  for (std::size_t i = 0; i < grouped.baseline_logs.size(); ++i) {
    sequence.positions.push_back(double(i));
    sequence.numbers.push_back(static_cast<std::uint32_t>(i));
    sequence.values.push_back(grouped.variant_logs[i] - grouped.baseline_logs[i]);
  }
  const std::string text = trend_text(sequence);
  if (text.empty()) return {};
  return {{},
          {fmt::format("{}: its ratio to the baseline {}: one shift does not describe it", metric_of(series), text)}};
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
    texts.push_back(fmt::format("run {} ({})", sample.run, with_unit(value_text(sample.value), series.metric.unit)));
  }
  if (outliers.size() > kShown) texts.push_back(fmt::format("{} more", outliers.size() - kShown));
  if (!outliers.empty())
    out.notes.push_back(fmt::format("{}: far from the rest, and kept: {}", metric_of(series), join(texts, ", ")));
  const auto values = values_of(series.samples);
  if (const auto modes = statistics::two_modes(values))
    out.warnings.push_back(fmt::format("{} lies in two groups: {} runs about {} and {} about {}", metric_of(series),
                                       modes->low_count, value_text(modes->low), values.size() - modes->low_count,
                                       with_unit(value_text(modes->high), series.metric.unit)));
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
    for (const auto& [variant, values] : by_variant) {
      if (base != by_variant.end() && variant != base->first && sets_apart(base->second, values))
        out.warnings.push_back(fmt::format(
            "{} changes in step with the variant: {} with '{}', {} with '{}'; a difference may come from it", name,
            shown(base->second), base->first, shown(values), variant));
      if (changes_in_words(values) && name != kBuild)
        out.notes.push_back(
            fmt::format("{} was not one value over the runs of '{}': {}", name, variant, listed(values)));
    }
  }
  return out;
}

}  // namespace tollgate::evidence
