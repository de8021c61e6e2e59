#include "report/measurement_report.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "base/text.h"
#include "evidence/names.h"
#include "evidence/reservations.h"
#include "evidence/verdict.h"
#include "report/numbers.h"
#include "report/sections.h"

namespace tollgate::report {
namespace {

using evidence::Measurement;
using evidence::Series;
using evidence::SummaryOnly;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Shown {
  std::string samples;
  double mean = kNone, min = kNone, max = kNone;
  std::string spread = "-";
};

/// Benchmarks of nanoseconds are printed in seconds by some tools.
std::string value_text(double value) {
  return value != 0 && std::abs(value) < 1e-4 ? fmt::format("{:.5g}", value) : number_text(value);
}

Shown shown_samples(const Series& series) {
  Shown shown;
  shown.samples = fmt::format("{}", series.samples.size());
  double sum = 0;
  for (const auto& sample : series.samples) {
    sum += sample.value;
    shown.min = std::fmin(shown.min, sample.value);  // of a NaN and a number, the number
    shown.max = std::fmax(shown.max, sample.value);
  }
  shown.mean = sum / static_cast<double>(series.samples.size());
  return shown;
}

Shown shown_summary(const SummaryOnly& summary) {
  Shown shown;
  shown.samples = summary.count ? fmt::format("{}, summary only", *summary.count) : "?, summary only";
  shown.mean = summary.mean.value_or(kNone);
  shown.min = summary.min.value_or(kNone);
  shown.max = summary.max.value_or(kNone);
  std::vector<std::string> spread;
  if (!summary.mean && summary.median) spread.push_back("median " + value_text(*summary.median));
  if (summary.deviation) spread.push_back("sd " + value_text(*summary.deviation));
  if (summary.standard_error) spread.push_back("se " + value_text(*summary.standard_error));
  if (!spread.empty()) shown.spread = join(spread, ", ");
  return shown;
}

std::string unit_text(const evidence::MetricInfo& metric) { return metric.unit.empty() ? "-" : metric.unit; }

Table series_table(const Measurement& measurement) {
  Table table{{{"variant", Align::left},
               {"metric", Align::left},
               {"unit", Align::left},
               {"samples", Align::right},
               {"mean", Align::right},
               {"min", Align::right},
               {"max", Align::right},
               {"spread", Align::left}},
              {}};
  for (const Series& series : measurement.series) {
    const Shown shown = series.summary ? shown_summary(*series.summary) : shown_samples(series);
    table.rows.push_back({series.variant, series.metric.name, unit_text(series.metric), shown.samples,
                          value_text(shown.mean), value_text(shown.min), value_text(shown.max), shown.spread});
  }
  return table;
}

Document found_document(const std::vector<FoundResults>& found) {
  Document document;
  for (const FoundResults& one : found) {
    const Measurement& measurement = one.measurement;
    document.push_back(Heading{1, one.file});
    document.push_back(Paragraph{fmt::format("{}; order of runs: {}{}", one.format, to_text(measurement.terms.order),
                                             measurement.machine.empty() ? "" : "; " + measurement.machine)});
    document.push_back(series_table(measurement));
    add_list(document, "notes", measurement.notes);
    add_list(document, "warnings", measurement.warnings);
  }
  return document;
}

void write_samples(JsonWriter& json, const Series& series) {
  json.key("samples").begin_array();
  for (const auto& sample : series.samples) {
    json.begin_object();
    json.key("value").number(sample.value);
    json.key("run").whole(sample.run);
    if (sample.position) json.key("position").whole(*sample.position);
    if (sample.block) json.key("block").whole(*sample.block);
    if (!sample.boot.empty()) json.key("boot").text(sample.boot);
    if (sample.start) json.key("start").number(*sample.start);
    json.end_object();
  }
  json.end_array();
}

void write_summary(JsonWriter& json, const SummaryOnly& summary) {
  json.begin_object();
  json.key("count");
  if (summary.count)
    json.whole(*summary.count);
  else
    json.null();
  json.key("mean").number(summary.mean);
  json.key("median").number(summary.median);
  json.key("min").number(summary.min);
  json.key("max").number(summary.max);
  json.key("deviation").number(summary.deviation);
  json.key("standard_error").number(summary.standard_error);
  json.end_object();
}

void write_series(JsonWriter& json, const Series& series) {
  json.begin_object();
  json.key("metric").text(series.metric.name);
  json.key("unit").text(series.metric.unit);
  json.key("better").text(to_text(series.metric.better));
  json.key("variant").text(series.variant);
  json.key("source").text(series.source);
  json.key("half_step").number(series.half_step);
  json.key("summary");
  if (series.summary)
    write_summary(json, *series.summary);
  else
    json.null();
  write_samples(json, series);
  json.end_object();
}

void write_conditions(JsonWriter& json, const Measurement& measurement) {
  json.begin_array();
  for (const auto& condition : evidence::conditions_with_reservations(measurement)) {
    json.begin_object();
    json.key("variant").text(condition.variant);
    json.key("run").whole(condition.run);
    json.key("name").text(condition.name);
    json.key("value").text(condition.value);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string found_text(const std::vector<FoundResults>& found) { return render_text(found_document(found)); }
std::string found_markdown(const std::vector<FoundResults>& found) { return render_markdown(found_document(found)); }

void write_measurement(JsonWriter& json, const Measurement& measurement) {
  json.begin_object();
  json.key("title").text(measurement.title);
  json.key("machine").text(measurement.machine);
  json.key("variants").texts(measurement.variants);
  json.key("primary").text(measurement.terms.primary);
  json.key("order").text(to_text(measurement.terms.order));
  json.key("seed").whole(measurement.terms.seed);
  json.key("level").number(measurement.terms.level);
  json.key("margin_percent").number(measurement.terms.margin_percent);
  json.key("noise_floor_percent").number(measurement.noise_floor_percent);
  json.key("series").begin_array();
  for (const Series& series : measurement.series) write_series(json, series);
  json.end_array();
  json.key("conditions");
  write_conditions(json, measurement);
  json.key("notes").texts(measurement.notes);
  json.key("warnings").texts(measurement.warnings);
  json.end_object();
}

std::string found_json(const std::vector<FoundResults>& found) {
  JsonWriter json;
  json.begin_object();
  json.key("schema").text("tollgate.import/1");
  json.key("files").begin_array();
  for (const FoundResults& one : found) {
    json.begin_object();
    json.key("file").text(one.file);
    json.key("format").text(one.format);
    json.key("measurement");
    write_measurement(json, one.measurement);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return std::move(json).finish();
}

}  // namespace tollgate::report
