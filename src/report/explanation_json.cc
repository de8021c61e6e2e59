// `tollgate explain` for programs: one document of schema "tollgate.explanation/1", in the order of the text report.
#include "evidence/ledger_difference.h"
#include "report/comparison_json.h"
#include "report/explanation.h"
#include "report/sections.h"

namespace tollgate::report {
namespace {

using evidence::AccountDifference;
using evidence::Comparison;
using evidence::Event;
using evidence::FlushCause;
using evidence::VariantResult;

void write_account(JsonWriter& json, const AccountDifference& row) {
  json.key(evidence::kAccountInfo[static_cast<std::size_t>(row.account)].name).begin_object();
  json.key("baseline").number(row.baseline);
  json.key("variant").number(row.variant);
  json.key("difference").number(row.difference);
  json.key("percent").number(row.percent);
  json.end_object();
}

void write_difference(JsonWriter& json, const VariantResult& baseline, const VariantResult& variant) {
  const auto difference = ledger_difference(baseline, variant);
  json.begin_object();
  json.key("variant").text(variant.name);
  json.key("per_operation").flag(difference.per_operation);
  json.key("baseline_total").number(difference.baseline_total);
  json.key("variant_total").number(difference.variant_total);
  json.key("difference").number(difference.difference);
  json.key("percent").number(difference.percent);
  json.key("accounts").begin_object();
  for (const auto& row : difference.accounts) write_account(json, row);
  json.end_object().end_object();
}

void write_misses(JsonWriter& json, const VariantResult& variant) {
  const auto event = [&](Event which) { return variant.events[static_cast<std::size_t>(which)]; };
  json.begin_object();
  json.key("variant").text(variant.name);
  json.key("operations").number(event(Event::operations));
  json.key("walks_cold").number(event(Event::walks_cold));
  json.key("walks_capacity").number(event(Event::walks_capacity));
  json.key("walks_refill").number(event(Event::walks_refill));
  json.key("refill_cycles").begin_object();
  for (std::size_t cause = 0; cause < evidence::kFlushCauses; ++cause) {
    const auto account = static_cast<std::size_t>(refill_account(static_cast<FlushCause>(cause)));
    json.key(evidence::kFlushCauseNames[cause]).number(variant.ledger[account]);
  }
  json.end_object().end_object();
}

void write_sensitivity(JsonWriter& json, const SensitivityRow& row) {
  json.begin_object();
  json.key("variant").text(row.variant);
  json.key("figure").text(row.figure);
  json.key("low").number(row.low);
  json.key("typical").number(row.typical);
  json.key("high").number(row.high);
  json.key("unit").text(row.unit);
  json.key("kind").text(row.kind);
  json.key("source").text(row.source);
  json.key("leverage").number(row.leverage);
  json.key("delta_percent_low").number(row.delta_percent_low);
  json.key("delta_percent_drawn").number(row.delta_percent_drawn);
  json.key("delta_percent_high").number(row.delta_percent_high);
  json.end_object();
}

void write_step(JsonWriter& json, const LayoutStep& step) {
  json.begin_object();
  json.key("variant").text(step.variant);
  json.key("key").text(step.key);
  json.key("value").text(step.value);
  json.key("median_percent").number(step.median_percent);
  json.key("interval_percent");
  write_interval(json, evidence::Interval{step.low_percent, step.high_percent});
  json.end_object();
}

void write_tip(JsonWriter& json, const TippingPoint& tip) {
  json.begin_object();
  json.key("variant").text(tip.variant);
  json.key("key").text(tip.key);
  json.key("before").text(tip.before.value);
  json.key("after").text(tip.after.value);
  json.end_object();
}

void write_head(JsonWriter& json, const Comparison& comparison) {
  json.key("schema").text("tollgate.explanation/1");
  write_asked(json, comparison);
  json.key("baseline").text(comparison.variants.empty() ? "" : comparison.variants[0].name);
  json.key("deltas").begin_object();
  for (const auto& variant : comparison.variants)
    if (!variant.metrics.empty()) json.key(variant.name).number(variant.metrics[0].delta_percent);
  json.end_object();
}

void write_variants(JsonWriter& json, const Comparison& comparison) {
  json.key("ledger_differences").begin_array();
  for (std::size_t i = 1; i < comparison.variants.size(); ++i)
    write_difference(json, comparison.variants[0], comparison.variants[i]);
  json.end_array();
  json.key("misses").begin_array();
  for (const auto& variant : comparison.variants) write_misses(json, variant);
  json.end_array();
  json.key("exposure").begin_object();
  for (const auto& variant : comparison.variants) {
    json.key(variant.name);
    write_exposure(json, variant.exposure);
  }
  json.end_object();
}

void write_unidentifiable(JsonWriter& json, const Unidentifiable& is) {
  json.begin_object();
  json.key("id")
      .text(is.row.id)
      .key("variant")
      .text(is.row.variant)
      .key("published_percent")
      .number(is.row.delta_percent);
  json.key("least");
  write_step(json, is.least);
  json.key("most");
  write_step(json, is.most);
  json.end_object();
}

}  // namespace

std::string explanation_json(const Explanation& explanation) {
  JsonWriter json;
  json.begin_object();
  write_head(json, explanation.comparison);
  write_variants(json, explanation.comparison);
  json.key("sensitivity").begin_array();
  for (const auto& row : explanation.sensitivity) write_sensitivity(json, row);
  json.end_array();
  json.key("layout").begin_array();
  for (const auto& step : explanation.layout) write_step(json, step);
  json.end_array();
  json.key("tipping_points").begin_array();
  for (const auto& tip : tipping_points(explanation.layout)) write_tip(json, tip);
  json.end_array();
  json.key("not_identifiable").begin_array();
  for (const auto& row : unidentifiable(explanation.comparison, explanation.layout)) write_unidentifiable(json, row);
  json.end_array();
  json.key("missing").texts(explanation.missing);
  json.key("warnings").texts(explanation.comparison.warnings);
  json.key("notes").texts(notes_of(explanation.comparison));
  json.end_object();
  return std::move(json).finish();
}

}  // namespace tollgate::report
