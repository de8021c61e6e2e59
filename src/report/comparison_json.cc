#include "report/comparison_json.h"

#include <limits>

#include "evidence/names.h"
#include "evidence/verdict.h"
#include "report/sections.h"

namespace tollgate::report {
namespace {

using evidence::Comparison;
using evidence::MetricInfo;
using evidence::MetricSummary;
using evidence::PublishedRow;
using evidence::VariantResult;

void write_values(JsonWriter& json, const MetricSummary& metric) {
  json.key("samples").numbers(metric.samples);
  json.key("mean").number(metric.mean);
  json.key("min").number(metric.min);
  json.key("max").number(metric.max);
  json.key("delta_percent").number(metric.delta_percent);
  json.key("interval_percent");
  write_interval(json, metric.interval_percent);
}

void write_levels(JsonWriter& json, const std::optional<evidence::Levels>& levels) {
  json.key("levels");
  if (!levels) {
    json.null();
    return;
  }
  json.begin_object();
  json.key("group").text(levels->group);
  json.key("share_between").number(levels->share_between);
  json.key("effective_samples").number(levels->effective_samples);
  json.end_object();
}

void write_estimate(JsonWriter& json, const std::optional<evidence::RealEstimate>& estimate) {
  json.key("estimate");
  if (!estimate) {
    json.null();
    return;
  }
  json.begin_object();
  json.key("verdict").text(to_text(estimate->finding));
  json.key("reason").text(estimate->reason);
  json.key("method").text(estimate->method);
  json.key("design").text(to_text(estimate->design));
  json.key("baseline_values").whole(estimate->baseline_values);
  json.key("variant_values").whole(estimate->variant_values);
  json.key("shift_percent").number(estimate->shift_percent);
  json.key("interval_percent");
  write_interval(json, estimate->interval_percent);
  json.key("p").number(estimate->p);
  json.key("p_holm").number(estimate->p_holm);
  json.key("equivalence_level").number(estimate->equivalence_level);
  json.key("equivalence_interval_percent");
  write_interval(json, estimate->equivalence_interval_percent);
  json.key("p_equivalence").number(estimate->p_equivalence);
  write_levels(json, estimate->levels);
  json.end_object();
}

/// What only real runs have.
void write_real(JsonWriter& json, const MetricSummary& metric) {
  write_estimate(json, metric.estimate);
  const std::vector<double> outliers(metric.outliers.begin(), metric.outliers.end());
  json.key("outliers").numbers(outliers);
  json.key("printed_count").number(metric.printed_count ? std::optional(double(*metric.printed_count)) : std::nullopt);
}

void write_session(JsonWriter& json, const evidence::Session& session) {
  json.key("session").begin_object();
  json.key("order").text(to_text(session.terms.order));
  json.key("runs").whole(session.terms.runs);
  json.key("margin_percent").number(session.terms.margin_percent);
  json.key("noise_floor_percent").number(session.noise_floor_percent);
  json.key("comparisons").whole(session.comparisons);
  json.key("origins").begin_array();
  for (const auto origin : session.origins) json.text(to_text(origin));
  json.end_array();
  json.end_object();
}

void write_metrics(JsonWriter& json, const VariantResult& variant, const Comparison& comparison) {
  json.key("metrics").begin_object();
  for (const auto& metric : variant.metrics) {
    json.key(metric.info.name).begin_object();
    json.key("unit").text(metric.info.unit);
    json.key("better").text(to_text(metric.info.better));
    write_values(json, metric);
    if (comparison.session) write_real(json, metric);
    json.end_object();
  }
  json.end_object();
}

/// {name: value} for every entry of a catalogue.
template <typename Infos, typename Values>
void write_counts(JsonWriter& json, const Infos& infos, const Values& values) {
  json.begin_object();
  for (std::size_t i = 0; i < infos.size(); ++i) json.key(infos[i].name).number(values[i]);
  json.end_object();
}

/// What the model counted and charged; null for real runs.
void write_mechanism(JsonWriter& json, const VariantResult& variant, const Comparison& comparison) {
  if (comparison.session) {
    for (const char* name : {"ledger", "events", "ledger_per_operation", "exposure"}) json.key(name).null();
    return;
  }
  json.key("ledger");
  write_counts(json, evidence::kAccountInfo, variant.ledger);
  json.key("events");
  write_counts(json, evidence::kEventInfo, variant.events);
  json.key("ledger_per_operation");
  write_counts(json, evidence::kAccountInfo, variant.ledger_per_operation);
  json.key("exposure");
  write_exposure(json, variant.exposure);
}

void write_variant(JsonWriter& json, const VariantResult& variant, const MetricSummary& primary,
                   const Comparison& comparison) {
  json.begin_object();
  json.key("name").text(variant.name);
  write_values(json, primary);
  json.key("mc_error_percent").number(primary.mc_error_percent);
  if (comparison.session) write_real(json, primary);
  write_metrics(json, variant, comparison);
  write_mechanism(json, variant, comparison);
  json.end_object();
}

void write_published(JsonWriter& json, const PublishedRow& row, const Comparison& comparison) {
  const auto prediction = predict(row, comparison);
  json.begin_object();
  json.key("id").text(row.id);
  json.key("baseline")
      .text(row.baseline.empty() && !comparison.variants.empty() ? comparison.variants[0].name : row.baseline);
  json.key("variant").text(row.variant);
  json.key("metric").text(row.metric);
  json.key("delta_percent").number(row.delta_percent);
  json.key("source").text(row.source);
  json.key("use").text(to_text(row.use));
  json.key("predicted_percent").number(prediction.delta_percent);
  json.key("predicted_interval_percent");
  write_interval(json, prediction.interval_percent);
  json.key("verdict").text(to_text(judge(row, comparison)));
  json.end_object();
}

void write_head(JsonWriter& json, const Comparison& comparison, const MetricInfo& primary) {
  json.key("schema").text("tollgate.comparison/1");
  write_asked(json, comparison);
  json.key("level").number(comparison.level);
  if (comparison.session) write_session(json, *comparison.session);
  json.key("metric").begin_object();
  json.key("name").text(primary.name);
  json.key("unit").text(primary.unit);
  json.key("better").text(to_text(primary.better));
  json.end_object();
  json.key("baseline").text(comparison.variants.empty() ? "" : comparison.variants[0].name);
}

MetricInfo primary_of(const Comparison& comparison) {
  if (comparison.variants.empty() || comparison.variants[0].metrics.empty()) return {};
  return comparison.variants[0].metrics[0].info;
}

/// Every number of it is written as null.
MetricSummary absent_metric() {
  MetricSummary metric;
  metric.mean = metric.min = metric.max = std::numeric_limits<double>::quiet_NaN();
  return metric;
}

}  // namespace

void write_asked(JsonWriter& json, const Comparison& comparison) {
  json.key("experiment").text(comparison.experiment);
  json.key("machine").text(comparison.machine);
  json.key("workload").text(comparison.workload);
  json.key("seed").whole(comparison.seed);
  json.key("settings").begin_array();
  for (const auto& setting : comparison.settings) json.text(setting);
  json.end_array();
  json.key("digest").text(comparison.digest);
}

void write_interval(JsonWriter& json, const std::optional<evidence::Interval>& interval) {
  if (!interval) {
    json.null();
    return;
  }
  const double ends[] = {interval->low, interval->high};
  json.numbers(ends);
}

void write_exposure(JsonWriter& json, const evidence::Exposure& exposure) {
  json.begin_object().key("user").begin_object();
  for (std::size_t kind = 0; kind < evidence::kMemoryKinds; ++kind) {
    json.key(evidence::kMemoryKindNames[kind]).begin_object();
    json.key("mapped_bytes").number(exposure.mapped_bytes[kind]);
    json.key("cached_bytes").number(exposure.cached_bytes[kind]);
    json.end_object();
  }
  json.end_object().key("stale").begin_object();
  json.key("entries").number(exposure.stale_entries);
  json.key("mean_us").number(exposure.stale_mean_us);
  json.key("max_us").number(exposure.stale_max_us);
  json.end_object().end_object();
}

std::string comparison_json(const Comparison& comparison) {
  const MetricInfo primary = primary_of(comparison);
  JsonWriter json;
  json.begin_object();
  write_head(json, comparison, primary);
  json.key("variants").begin_array();
  for (const auto& variant : comparison.variants) {
    const MetricSummary* metric = find_metric(variant, primary.name);
    write_variant(json, variant, metric ? *metric : absent_metric(), comparison);
  }
  json.end_array();
  json.key("published").begin_array();
  for (const auto& row : comparison.published) write_published(json, row, comparison);
  json.end_array();
  json.key("warnings").texts(comparison.warnings);
  json.key("notes").texts(notes_of(comparison));
  json.end_object();
  return std::move(json).finish();
}

}  // namespace tollgate::report
