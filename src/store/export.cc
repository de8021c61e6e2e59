#include "store/export.h"

#include <fmt/core.h>

#include <cmath>

#include "report/json_writer.h"
#include "store/names.h"

namespace tollgate::store {
namespace {

using report::JsonWriter;

const std::string& variant_name(const Session& session, const Run& run) {
  return session.variants[run.kind == RunKind::noise ? 0 : run.variant].name;
}

/// CSV has no field for the side of a noise run: the second has the name that it has in noise_of.
std::string csv_name(const Session& session, const Run& run) {
  return run.kind == RunKind::noise && run.variant == 1 ? second_side(session) : variant_name(session, run);
}

void write_boot(JsonWriter& json, const std::optional<BootMatch>& boot) {
  if (!boot) {
    json.null();
    return;
  }
  json.begin_object();
  json.key("kernel").text(boot->kernel);
  json.key("command_line").texts(boot->with);
  json.key("without").texts(boot->without);
  json.end_object();
}

void write_variants(JsonWriter& json, const Session& session) {
  json.key("variants").begin_array();
  for (const Variant& variant : session.variants) {
    json.begin_object();
    json.key("name").text(variant.name);
    json.key("command").text(variant.command);
    write_boot(json.key("boot"), variant.boot);
    json.end_object();
  }
  json.end_array();
}

void write_metrics(JsonWriter& json, const Session& session) {
  json.key("metrics").begin_array();
  for (const Metric& metric : session.metrics) {
    json.begin_object();
    json.key("name").text(metric.info.name);
    json.key("unit").text(metric.info.unit);
    json.key("better").text(config::name_of<evidence::Better>(kBetter, metric.info.better));
    json.key("spec").text(metric.spec);
    json.end_object();
  }
  json.end_array();
}

void write_terms(JsonWriter& json, const Session& session) {
  const auto& terms = session.terms;
  json.key("terms").begin_object();
  json.key("primary").text(terms.primary);
  json.key("margin_percent").number(terms.margin_percent);
  json.key("level").number(terms.level);
  json.key("order").text(config::name_of<evidence::Order>(kOrders, terms.order));
  json.key("seed").whole(terms.seed);
  json.key("runs").whole(terms.runs);
  json.key("boots").whole(session.boots);
  json.key("warmup").whole(session.warmup);
  json.key("prepare").text(session.prepare);
  json.key("on_failure").text(config::name_of<OnFailure>(kOnFailure, session.on_failure));
  json.end_object();
}

void write_run(JsonWriter& json, const Session& session, const Run& run) {
  json.begin_object();
  json.key("kind").text(config::name_of<RunKind>(kRunKinds, run.kind));
  json.key("variant").text(variant_name(session, run));
  json.key("side").whole(run.variant);
  json.key("run").whole(run.number);
  json.key("position").whole(run.position);
  json.key("block").whole(run.block);
  json.key("boot").text(run.boot);
  json.key("start").number(run.start);
  json.key("exit_status").whole(std::uint64_t(run.exit_status));
  json.key("values").begin_object();
  for (std::size_t i = 0; i < run.values.size() && i < session.metrics.size(); ++i)
    if (!std::isnan(run.values[i])) json.key(session.metrics[i].info.name).number(run.values[i]);
  json.end_object();
  json.key("conditions").begin_object();
  for (const auto& [name, value] : run.conditions) json.key(name).text(value);
  json.end_object();
  json.end_object();
}

/// A field of CSV, in quotes where it must be.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

template <typename Value>
std::string optional_text(const std::optional<Value>& value, fmt::format_string<const Value&> format = "{}") {
  return value ? fmt::format(format, *value) : "";
}

constexpr std::string_view kCsvHeader = "kind,variant,run,position,block,boot,start,exit_status,metric,unit,value\r\n";

std::string summary_csv(const evidence::Series& series, const evidence::SummaryOnly& summary) {
  const auto line = [&](std::string_view kind, const auto& value) {
    if (!value) return std::string();
    return fmt::format("{},{},,,,,,,{},{},{}\r\n", kind, field(series.variant), field(series.metric.name),
                       field(series.metric.unit), *value);
  };
  return line("count", summary.count) + line("mean", summary.mean) + line("median", summary.median) +
         line("min", summary.min) + line("max", summary.max) + line("deviation", summary.deviation) +
         line("standard error", summary.standard_error);
}

}  // namespace

std::string session_json(const Session& session, std::span<const Run> runs) {
  JsonWriter json;
  json.begin_object();
  json.key("schema").text("tollgate.session/1");
  json.key("id").whole(std::uint64_t(session.id));
  json.key("name").text(session.name);
  json.key("created").number(session.created);
  json.key("machine").text(session.machine);
  write_variants(json, session);
  write_metrics(json, session);
  write_terms(json, session);
  json.key("runs").begin_array();
  for (const Run& run : runs) write_run(json, session, run);
  json.end_array();
  json.end_object();
  return std::move(json).finish();
}

std::string session_csv(const Session& session, std::span<const Run> runs) {
  std::string csv(kCsvHeader);
  for (const Run& run : runs) {
    const std::string about = fmt::format("{},{},{},{},{},{},{:.6f},{}", config::name_of<RunKind>(kRunKinds, run.kind),
                                          field(csv_name(session, run)), run.number, run.position, run.block,
                                          field(run.boot), run.start, run.exit_status);
    for (std::size_t i = 0; i < run.values.size() && i < session.metrics.size(); ++i)
      if (!std::isnan(run.values[i]))
        csv += fmt::format("{},{},{},{}\r\n", about, field(session.metrics[i].info.name),
                           field(session.metrics[i].info.unit), run.values[i]);
  }
  return csv;
}

std::string measurement_csv(const evidence::Measurement& measurement) {
  std::string csv(kCsvHeader);
  for (const evidence::Series& series : measurement.series) {
    if (series.summary) csv += summary_csv(series, *series.summary);
    for (const auto& sample : series.samples)
      csv += fmt::format("imported,{},{},{},{},{},{},,{},{},{}\r\n", field(series.variant), sample.run,
                         optional_text(sample.position), optional_text(sample.block), field(sample.boot),
                         optional_text(sample.start, "{:.6f}"), field(series.metric.name), field(series.metric.unit),
                         sample.value);
  }
  return csv;
}

}  // namespace tollgate::store
