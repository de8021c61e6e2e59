#include "import/collector.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "evidence/printed_steps.h"
#include "evidence/summary.h"

namespace tollgate::import {

using evidence::Better;
using evidence::MetricInfo;
using evidence::Series;

namespace {

constexpr std::size_t kMostPlaced = 20;  // warnings of single lines: a long file may have one in every line

}  // namespace

MetricInfo elapsed_metric() { return {"elapsed_s", "s", Better::lower}; }
MetricInfo user_metric() { return {"user_s", "s", Better::lower}; }
MetricInfo sys_metric() { return {"sys_s", "s", Better::lower}; }
MetricInfo max_rss_metric() { return {"max_rss_bytes", "B", Better::lower}; }
MetricInfo count_metric(std::string name) {
  return {std::move(name), std::string(evidence::kCountUnit), Better::lower};
}

std::string told_runs_note(std::uint64_t runs) {
  return fmt::format("{}: that is not in the file, --runs says it", counted(static_cast<long long>(runs), "run"));
}

void warn_of_unequal_counts(evidence::Measurement& measurement) {
  std::map<std::string_view, const Series*> firsts;  // by metric
  for (const Series& series : measurement.series) {
    const Series& first = *firsts.try_emplace(series.metric.name, &series).first->second;
    if (series.samples.empty() || first.samples.empty() || series.samples.size() == first.samples.size()) continue;
    const std::string text = fmt::format("unequal counts: {} has {} samples of '{}' and {} of '{}'", series.metric.name,
                                         first.samples.size(), first.variant, series.samples.size(), series.variant);
    evidence::append_unique(measurement.warnings, std::span(&text, 1));
  }
}

Result<void> check_value(const MetricInfo& metric, double value, unsigned line) {
  if (!std::isfinite(value)) return fail_at(line, fmt::format("{} is not a finite number", metric.name));
  if (value < 0) return fail_at(line, fmt::format("{} is {}: it cannot be negative", metric.name, value));
  return {};
}

Result<Series*> Collector::series_of(const std::string& variant, const MetricInfo& metric, unsigned line) {
  const auto [unit, fresh_metric] = units_.try_emplace(metric.name, metric.unit, line);
  if (unit->second.first != metric.unit)
    return fail_at(line, fmt::format("mixed units: {} is in '{}' here and in '{}' on line {}", metric.name, metric.unit,
                                     unit->second.first, unit->second.second));
  if (known_variants_.insert(variant).second) out_.variants.push_back(variant);
  const auto [at, fresh] = index_.try_emplace({variant, metric.name}, out_.series.size());
  if (fresh) {
    Series& series = out_.series.emplace_back();
    series.metric = metric;
    series.variant = variant;
    series.source = fmt::format("{}:{}", source_.name(), line);
  }
  return &out_.series[at->second];
}

Result<void> Collector::sample(const std::string& variant, const MetricInfo& metric, const Number& value,
                               unsigned line) {
  TRY(check_value(metric, value.value, line));
  Series* series = TRY(series_of(variant, metric, line));
  if (series->summary)
    return fail_at(line, fmt::format("{} of '{}' has a summary above and a single run here: import them apart",
                                     metric.name, variant));
  evidence::Sample sample;
  sample.value = value.value;
  sample.run = static_cast<std::uint32_t>(series->samples.size());
  series->samples.push_back(std::move(sample));
  series->half_step = std::max(series->half_step, value.half_unit);
  return {};
}

Result<void> Collector::summary(const std::string& variant, const MetricInfo& metric,
                                const evidence::SummaryOnly& summary, unsigned line, double half_step) {
  for (const auto& value :
       {summary.mean, summary.median, summary.min, summary.max, summary.deviation, summary.standard_error})
    if (value) TRY(check_value(metric, *value, line));
  if (summary.count == 0) return fail_at(line, fmt::format("{} of '{}' has 0 samples", metric.name, variant));
  Series* series = TRY(series_of(variant, metric, line));
  if (series->summary || !series->samples.empty())
    return fail_at(
        line, fmt::format("{} of '{}' is there twice: a summary cannot be added to other runs", metric.name, variant));
  series->summary = summary;
  series->half_step = half_step;
  return {};
}

void Collector::condition(const std::string& variant, std::uint32_t run, std::string name, std::string value) {
  out_.conditions.push_back({variant, run, std::move(name), std::move(value)});
}

void Collector::add_once(std::vector<std::string>& list, std::string text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

void Collector::warn_at(unsigned line, std::string_view text) {
  if (placed_++ < kMostPlaced) warn(fmt::format("{}:{}: {}", source_.name(), line, text));
}

Number Collector::remarked(Number number, unsigned line) {
  if (!number.remark.empty()) warn_at(line, number.remark);
  return number;
}

Result<Number> Collector::number(std::string_view text, unsigned line, Comma comma) {
  return remarked(TRY(read_number(text, line, comma)), line);
}

Result<Number> Collector::clock(std::string_view text, unsigned line) {
  return remarked(TRY(read_clock(text, line)), line);
}

std::optional<std::uint64_t> Collector::told_runs() {
  if (source_.told_runs()) note(told_runs_note(*source_.told_runs()));
  return source_.told_runs();
}

std::string Collector::free_name(const std::string& variant) const {
  std::string name = variant;
  for (int again = 2; known_variants_.contains(name); ++again) name = fmt::format("{} #{}", variant, again);
  return name;
}

std::size_t Collector::runs(const std::string& variant, const std::string& metric) const {
  const auto at = index_.find({variant, metric});
  return at == index_.end() ? 0 : out_.series[at->second].samples.size();
}

void Collector::warn_of_gaps(std::initializer_list<std::string_view> always) {
  for (const std::string& variant : out_.variants) {
    std::vector<std::string> missing;
    for (const std::string_view metric : always)
      if (!index_.contains({variant, std::string(metric)})) missing.emplace_back(metric);
    if (!missing.empty())
      warn(fmt::format("'{}' has no {}, which every run prints: the output is cut, or was shortened", variant,
                       join(missing, " and no ")));
  }
  std::map<std::string_view, const Series*> longest;  // by variant
  for (const Series& series : out_.series) {
    const Series*& most = longest.try_emplace(series.variant, &series).first->second;
    if (series.samples.size() > most->samples.size()) most = &series;
  }
  for (const Series& series : out_.series) {
    const Series& most = *longest.at(series.variant);
    if (!series.summary && series.samples.size() < most.samples.size())
      warn(fmt::format("{} of '{}' has {} values and {} has {}: which runs lack one is not known", series.metric.name,
                       series.variant, series.samples.size(), most.metric.name, most.samples.size()));
  }
}

/// Time printed to 10 ms says little of a run of 70 ms. One line for all that was printed in the same steps.
void Collector::warn_of_rounding() {
  for (std::string& rounding : evidence::visible_rounding(out_.series)) warn(std::move(rounding));
}

Result<evidence::Measurement> Collector::finish() && {
  if (out_.series.empty()) return fail("holds no results");
  warn_of_unequal_counts(out_);
  warn_of_rounding();
  if (placed_ > kMostPlaced)
    warn(
        fmt::format("{}: {} more lines have such warnings, of numbers that were read in one of several ways or of what "
                    "is left out",
                    source_.name(), placed_ - kMostPlaced));
  const bool elapsed = units_.contains(elapsed_metric().name);
  if (out_.terms.primary.empty())
    out_.terms.primary = elapsed ? elapsed_metric().name : out_.series.front().metric.name;
  std::ranges::stable_partition(out_.series,
                                [&](const Series& series) { return series.metric.name == out_.terms.primary; });
  return std::move(out_);
}

}  // namespace tollgate::import
