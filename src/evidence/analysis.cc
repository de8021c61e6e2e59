#include "evidence/analysis.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/digest.h"
#include "base/text.h"
#include "evidence/grouping.h"
#include "evidence/observations.h"
#include "evidence/real_estimate.h"
#include "evidence/reservations.h"
#include "evidence/summary.h"
#include "statistics/holm.h"
#include "statistics/moments.h"

namespace tollgate::evidence {
namespace {

const Series* find_series(const Measurement& measurement, std::string_view metric, std::string_view variant) {
  for (const Series& series : measurement.series)
    if (series.metric.name == metric && series.variant == variant) return &series;
  return nullptr;
}

/// Of a measurement with series.
const std::string& primary_metric(const Measurement& measurement) {
  return measurement.terms.primary.empty() ? measurement.series.front().metric.name : measurement.terms.primary;
}

/// Names of metrics, the primary one first.
std::vector<std::string> metric_names(const Measurement& measurement) {
  std::vector<std::string> names{primary_metric(measurement)};
  std::set<std::string_view> seen{primary_metric(measurement)};
  for (const Series& series : measurement.series)
    if (seen.insert(series.metric.name).second) names.push_back(series.metric.name);
  return names;
}

Result<void> check_plan(const Measurement& measurement) {
  TRY(check_terms(measurement.terms));
  if (measurement.noise_floor_percent && !(*measurement.noise_floor_percent >= 0))
    return fail(fmt::format("the noise floor is {} %", *measurement.noise_floor_percent));
  if (measurement.variants.size() < 2) return fail("a comparison needs two variants");
  if (std::set(measurement.variants.begin(), measurement.variants.end()).size() < measurement.variants.size())
    return fail("two variants have one name");
  return {};
}

bool finite(const std::optional<double>& value) { return !value || std::isfinite(*value); }

Result<void> check_series(const Series& series, const Measurement& measurement) {
  const std::string name = fmt::format("{} of '{}'", series.metric.name, series.variant);
  const SourcePlace place{.file = series.source};
  if (std::ranges::find(measurement.variants, series.variant) == measurement.variants.end())
    return fail(name + ": no such variant" + did_you_mean(series.variant, measurement.variants), place);
  for (const Sample& sample : series.samples)
    if (!std::isfinite(sample.value)) return fail(fmt::format("{}: run {} is not a number", name, sample.run), place);
  if (!series.summary && series.samples.empty()) return fail(name + ": no samples", place);
  if (const auto& summary = series.summary;
      summary && !(finite(summary->mean) && finite(summary->median) && finite(summary->min) && finite(summary->max) &&
                   finite(summary->deviation) && finite(summary->standard_error) &&
                   summary->deviation.value_or(0) >= 0 && summary->standard_error.value_or(0) >= 0))
    return fail(name + ": a printed figure is not a number, or a spread below zero", place);
  for (const Series& other : measurement.series) {
    if (other.metric.name != series.metric.name || &other == &series) continue;
    if (other.metric.unit != series.metric.unit)
      return fail(
          fmt::format("{}: in {} here and in {} of '{}'", name, series.metric.unit, other.metric.unit, other.variant),
          place);
    if (other.variant == series.variant) return fail(name + " is given twice", place);
  }
  return {};
}

Result<void> check(const Measurement& measurement) {
  TRY(check_plan(measurement));
  for (const Series& series : measurement.series) TRY(check_series(series, measurement));
  if (measurement.series.empty())
    return fail("there are no samples" + (measurement.warnings.empty() ? "" : ": " + join(measurement.warnings, "; ")));
  const auto names = metric_names(measurement);
  if (!find_series(measurement, names.front(), measurement.variants.front())) {
    const auto known = std::span(names).subspan(1);
    return fail(fmt::format("the primary metric '{}' was not measured of the baseline '{}'{}", names.front(),
                            measurement.variants.front(), did_you_mean(names.front(), known)));
  }
  return {};
}

MetricSummary describe(const Series& series) {
  constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
  MetricSummary summary{
      .info = series.metric, .samples = {}, .delta_percent = {}, .interval_percent = {}, .mc_error_percent = {}};
  if (series.samples.empty()) {
    summary.mean = series.summary->mean.value_or(kAbsent);
    summary.min = series.summary->min.value_or(kAbsent);
    summary.max = series.summary->max.value_or(kAbsent);
    summary.printed_count = series.summary->count.value_or(0);
    return summary;
  }
  for (const Sample& sample : series.samples) summary.samples.push_back(sample.value);
  summary.mean = statistics::mean_of(summary.samples);
  const auto [low, high] = std::ranges::minmax(summary.samples);
  summary.min = low;
  summary.max = high;
  summary.outliers = outliers_of(series);
  return summary;
}

bool below_zero(const MetricSummary& summary) { return summary.min < 0 || summary.mean < 0; }

/// Values below zero have no ratio: of a baseline of -1, 2 would be -300 %.
void add_delta(MetricSummary& summary, const MetricSummary& base, const std::optional<Interval>& interval) {
  if (below_zero(summary) || below_zero(base)) return;
  const double delta = 100 * (summary.mean - base.mean) / base.mean + 0.0;
  if (!std::isfinite(delta)) return;
  summary.delta_percent = delta;
  summary.interval_percent = interval;
}

/// Half a printed step in percent of the mean; without steps, what doubles cannot tell.
double rounding_percent(const Series& series) {
  constexpr double kOfDoubles = 1e-6;
  if (series.half_step == 0) return kOfDoubles;
  const MetricSummary summary = describe(series);
  return std::max(kOfDoubles, 100 * series.half_step / summary.mean);
}

/// One comparison: where its estimate is kept, and what is needed to decide it.
struct Pending {
  std::size_t variant;
  std::size_t metric;
  Estimated estimated;
};

class Analysis {
 public:
  explicit Analysis(const Measurement& measurement) : measurement_(measurement) {}

  Comparison run() {
    begin();
    for (const auto& name : metric_names(measurement_)) add_metric(name);
    correct();
    for (Pending& pending : pending_) finish(pending);
    warn_of_few_values();
    observe(observe_order(measurement_));
    observe(observe_conditions(measurement_));
    return std::move(out_);
  }

 private:
  void begin() {
    out_.experiment = out_.title = measurement_.title;
    out_.machine = measurement_.machine;
    out_.seed = measurement_.terms.seed;
    out_.level = measurement_.terms.level;
    out_.notes = measurement_.notes;
    out_.warnings = measurement_.warnings;
    out_.session =
        Session{.terms = measurement_.terms, .origins = {}, .noise_floor_percent = measurement_.noise_floor_percent};
    for (const auto& name : measurement_.variants)
      out_.variants.push_back({.name = name, .metrics = {}, .exposure = {}});
    digest();
  }

  void digest() {
    Digest digest;
    for (const Series& series : measurement_.series) {
      digest.add(series.metric.name);
      digest.add(series.variant);
      digest.add(std::uint64_t(series.samples.size()));
      for (const Sample& sample : series.samples) digest.add(sample.value);
      if (series.summary) digest.add(series.summary->mean.value_or(0));
      auto& origins = out_.session->origins;
      if (std::ranges::find(origins, series.origin) == origins.end()) origins.push_back(series.origin);
    }
    out_.digest = digest.hex();
  }

  void observe(const Observations& seen) {
    append_unique(out_.notes, seen.notes);
    append_unique(out_.warnings, seen.warnings);
  }

  void add_metric(const std::string& name) {
    const Series* base = find_series(measurement_, name, measurement_.variants.front());
    if (!base) return out_.warnings.push_back(fmt::format("{} was not measured of the baseline: not compared", name));
    Design design = Design::paired;
    for (std::size_t i = 0; i < measurement_.variants.size(); ++i) {
      const Series* series = find_series(measurement_, name, measurement_.variants[i]);
      if (!series) continue;
      auto& metrics = out_.variants[i].metrics;
      metrics.push_back(describe(*series));
      if (i == 0) continue;
      Estimated estimated = estimate(*base, *series);
      add_delta(metrics.back(), out_.variants[0].metrics.back(), estimated.mean_interval_percent);
      if (estimated.estimate.design == Design::unpaired) design = Design::unpaired;
      pending_.push_back({i, metrics.size() - 1, std::move(estimated)});
    }
    for (const auto& variant : measurement_.variants)
      if (const Series* series = find_series(measurement_, name, variant); series && !series->samples.empty()) {
        observe(observe_trend(*series, design));
        observe(observe_shape(*series));
      }
  }

  Estimated estimate(const Series& base, const Series& series) {
    if (base.samples.empty() || series.samples.empty()) {
      Estimated estimated = estimate_from_summaries(base, series, measurement_.terms);
      if (estimated.estimate.shift_percent)
        out_.notes.push_back(fmt::format("{} of '{}': computed from printed figures, since the samples were not kept",
                                         series.metric.name, base.samples.empty() ? base.variant : series.variant));
      return estimated;
    }
    const Grouped grouped = group_runs(base, series, measurement_);
    append_unique(out_.notes, grouped.notes);
    observe(observe_ratio_trend(grouped, series));
    return estimate_shift(grouped, measurement_.terms);
  }

  void correct() {
    std::vector<double> p_values;
    for (const Pending& pending : pending_)
      if (pending.estimated.estimate.p) p_values.push_back(*pending.estimated.estimate.p);
    p_values.resize(p_values.size() + measurement_.left_out, 1);
    const auto corrected = statistics::holm(p_values);
    out_.session->comparisons = static_cast<std::uint32_t>(p_values.size());
    std::size_t next = 0;
    for (Pending& pending : pending_)
      if (pending.estimated.estimate.p) pending.estimated.estimate.p_holm = corrected[next++];
  }

  void finish(Pending& pending) {
    MetricSummary& metric = out_.variants[pending.variant].metrics[pending.metric];
    decide(pending.estimated, measurement_.terms, floor_of(metric));
    const Series& base = *find_series(measurement_, metric.info.name, measurement_.variants.front());
    const Series& series = *find_series(measurement_, metric.info.name, out_.variants[pending.variant].name);
    reserve(pending.estimated.estimate, base, series, measurement_.unfinished);
    const std::string name = fmt::format("{} of '{}'", metric.info.name, out_.variants[pending.variant].name);
    if (!can_show_change(pending.estimated.least_p, measurement_.terms, out_.session->comparisons))
      too_few_[std::min(pending.estimated.estimate.baseline_values, pending.estimated.estimate.variant_values)]
          .push_back(name);
    metric.estimate = std::move(pending.estimated.estimate);
    compare_with_mean(metric, name, std::max(rounding_percent(base), rounding_percent(series)));
  }

  /// Once for all comparisons of one number of values.
  void warn_of_few_values() {
    for (const auto& [values, names] : too_few_)
      out_.warnings.push_back(
          fmt::format("{} values are too few to show any change after Holm's correction for {} comparisons{}", values,
                      out_.session->comparisons, names.size() == pending_.size() ? "" : ": " + join(names, ", ")));
  }

  /// The floor was measured of the primary metric and says nothing of others.
  std::optional<double> floor_of(const MetricSummary& metric) const {
    const bool primary = metric.info.name == primary_metric(measurement_);
    return primary ? measurement_.noise_floor_percent : std::nullopt;
  }

  /// The shift of centres and the ratio of means answer two questions; a reader must know where they part: by more than the
  /// noise floor, half a printed step and a quarter of the interval's width, five times what normal values give; not inside the margin.
  void compare_with_mean(const MetricSummary& metric, const std::string& name, double rounding) {
    const RealEstimate& estimate = *metric.estimate;
    if (!estimate.shift_percent || !estimate.interval_percent || !metric.delta_percent) return;
    const double apart = std::abs(*metric.delta_percent - *estimate.shift_percent);
    const double width = estimate.interval_percent->high - estimate.interval_percent->low;
    const double margin = measurement_.terms.margin_percent.value_or(0);
    if (std::max(std::abs(*metric.delta_percent), std::abs(*estimate.shift_percent)) < margin) return;
    if (apart <= std::max({rounding, floor_of(metric).value_or(0), width / 4})) return;
    out_.warnings.push_back(fmt::format(
        "{}: the means differ by {:+.3g} %, the centres of the runs by {:+.3g} %: a few runs carry the means", name,
        *metric.delta_percent, *estimate.shift_percent));
  }

  const Measurement& measurement_;
  Comparison out_;
  std::vector<Pending> pending_;
  std::map<std::uint64_t, std::vector<std::string>> too_few_;  // comparisons by their number of values
};

}  // namespace

Result<void> check_terms(const Terms& terms) {
  if (!(terms.level > 50 && terms.level < 100))
    return fail(fmt::format("the level of intervals is {} %; it must lie between 50 and 100", terms.level));
  if (terms.margin_percent && !(*terms.margin_percent > 0 && *terms.margin_percent < 100))
    return fail(fmt::format("the margin is {} %; it must lie between 0 and 100", *terms.margin_percent));
  return {};
}

Result<Comparison> analyse(const Measurement& measurement) {
  TRY(check(measurement));
  return Analysis(measurement).run();
}

}  // namespace tollgate::evidence
