// tollgate import --format json, and measure --export json of an imported session: results as they were read once, whole
// (docs/schema/import.schema.json). How they were measured is in their notes and warnings, which come with them.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "evidence/names.h"
#include "evidence/reservations.h"
#include "evidence/verdict.h"
#include "import/catalogue.h"
#include "import/collector.h"
#include "import/units.h"

namespace tollgate::import {
namespace {

using evidence::Better;
using evidence::Measurement;
using evidence::Order;
using evidence::Series;
using evidence::SummaryOnly;
using Kind = JsonValue::Kind;

bool recognises(const Source& source) {
  const JsonValue* schema = source.json() ? source.json()->find("schema") : nullptr;
  return schema && schema->text == kImportSchema;
}

/// The value whose word stands there.
template <typename Enum>
Result<Enum> named_at(const JsonValue& object, std::string_view key, std::initializer_list<Enum> values) {
  const std::string name = TRY(object.text_at(key));
  for (const Enum value : values)
    if (name == evidence::to_text(value)) return value;
  return fail_at(object.line, fmt::format("'{}' is '{}', which is none that is known", key, printable(name)));
}

Result<std::vector<std::string>> texts_at(const JsonValue& object, std::string_view key) {
  std::vector<std::string> texts;
  for (const JsonValue& text : *TRY(object.array_at(key))) {
    if (!text.is(Kind::text)) return fail_at(text.line, fmt::format("'{}' holds what is no text", key));
    texts.push_back(text.text);
  }
  return texts;
}

/// Present, a whole number.
Result<std::optional<std::uint32_t>> optional_whole_at(const JsonValue& object, std::string_view key) {
  if (!object.has(key)) return std::nullopt;
  return TRY(whole_at<std::uint32_t>(object, key));
}

Result<evidence::Sample> sample_of(const JsonValue& object) {
  evidence::Sample sample;
  sample.value = TRY(object.number_at("value"));
  sample.run = TRY(whole_at<std::uint32_t>(object, "run"));
  sample.position = TRY(optional_whole_at(object, "position"));
  sample.block = TRY(optional_whole_at(object, "block"));
  sample.boot = TRY(object.optional_text_at("boot")).value_or("");
  sample.start = TRY(object.optional_number_at("start"));
  return sample;
}

Result<SummaryOnly> summary_of(const JsonValue& object) {
  SummaryOnly summary;
  const JsonValue* count = object.find("count");
  if (count != nullptr && !count->is(Kind::null)) summary.count = TRY(whole_at<std::uint64_t>(object, "count"));
  if (summary.count == 0u) return fail_at(object.line, "a summary of 0 samples");
  summary.mean = TRY(object.optional_number_at("mean"));
  summary.median = TRY(object.optional_number_at("median"));
  summary.min = TRY(object.optional_number_at("min"));
  summary.max = TRY(object.optional_number_at("max"));
  summary.deviation = TRY(object.optional_number_at("deviation"));
  summary.standard_error = TRY(object.optional_number_at("standard_error"));
  for (const double spread : {summary.deviation.value_or(0), summary.standard_error.value_or(0)})
    if (spread < 0) return fail_at(object.line, fmt::format("a spread is {}: it cannot be negative", spread));
  return summary;
}

Result<Series> series_of(const JsonValue& object) {
  Series series;
  series.metric.name = TRY(object.text_at("metric"));
  series.metric.unit = TRY(object.text_at("unit"));
  series.metric.better = TRY(named_at(object, "better", {Better::higher, Better::lower, Better::neither}));
  series.variant = TRY(object.text_at("variant"));
  series.source = TRY(object.text_at("source"));
  const JsonValue* summary = object.find("summary");
  if (summary != nullptr && !summary->is(Kind::null)) series.summary = TRY(summary_of(*summary));
  std::set<std::uint32_t> runs;
  for (const JsonValue& one : *TRY(object.array_at("samples"))) {
    const auto& sample = series.samples.emplace_back(TRY(sample_of(one)));
    if (!runs.insert(sample.run).second) return fail_at(one.line, fmt::format("run {} is there twice", sample.run));
    if (may_not_be_negative(series.metric.unit)) TRY(check_value(series.metric, sample.value, one.line));
  }
  if (series.samples.empty() != series.summary.has_value())
    return fail_at(object.line, "a series has samples, or else a summary");
  if (series.summary && may_not_be_negative(series.metric.unit))
    for (const auto& value : {series.summary->mean, series.summary->median, series.summary->min, series.summary->max})
      if (value) TRY(check_value(series.metric, *value, summary->line));
  series.half_step = TRY(object.number_at("half_step"));
  if (series.half_step < 0) return fail_at(object.line, "'half_step' cannot be negative");
  if (series.source.empty()) return fail_at(object.line, "'source' is empty");
  return series;
}

/// Takes series that go together: each of a variant, once, a metric always in one unit.
class SeriesCheck {
 public:
  explicit SeriesCheck(const std::vector<std::string>& variants) : variants_(variants) {}

  Result<void> check(const Series& series, unsigned line) {
    if (std::ranges::find(variants_, series.variant) == variants_.end())
      return fail_at(line, fmt::format("'{}' is no variant", printable(series.variant)));
    if (!seen_.emplace(series.variant, series.metric.name).second)
      return fail_at(line, fmt::format("{} of '{}' is there twice", series.metric.name, printable(series.variant)));
    const auto [unit, fresh] = units_.try_emplace(series.metric.name, series.metric.unit);
    if (unit->second == series.metric.unit) return {};
    return fail_at(line, fmt::format("mixed units: {} is in '{}' here and in '{}' above", series.metric.name,
                                     series.metric.unit, unit->second));
  }

  bool has_metric(const std::string& name) const { return units_.contains(name); }

 private:
  const std::vector<std::string>& variants_;
  std::set<std::pair<std::string, std::string>> seen_;
  std::map<std::string, std::string> units_;
};

Result<void> read_conditions(const JsonValue& object, Measurement& measurement) {
  for (const JsonValue& condition : *TRY(object.array_at("conditions"))) {
    auto& added = measurement.conditions.emplace_back();
    added.variant = TRY(condition.text_at("variant"));
    added.run = TRY(whole_at<std::uint32_t>(condition, "run"));
    added.name = TRY(condition.text_at("name"));
    added.value = TRY(condition.text_at("value"));
  }
  return {};
}

Result<Measurement> measurement_of(const JsonValue& object) {
  Measurement measurement;
  measurement.title = TRY(object.text_at("title"));
  measurement.machine = TRY(object.text_at("machine"));
  measurement.variants = TRY(texts_at(object, "variants"));
  measurement.terms.primary = TRY(object.text_at("primary"));
  measurement.terms.order =
      TRY(named_at(object, "order", {Order::unknown, Order::in_sequence, Order::random_blocks, Order::abba}));
  measurement.terms.seed = TRY(whole_at<std::uint64_t>(object, "seed"));
  measurement.terms.level = TRY(object.number_at("level"));
  measurement.terms.margin_percent = TRY(object.optional_number_at("margin_percent"));
  measurement.noise_floor_percent = TRY(object.optional_number_at("noise_floor_percent"));
  measurement.notes = TRY(texts_at(object, "notes"));
  measurement.warnings = TRY(texts_at(object, "warnings"));
  SeriesCheck check(measurement.variants);
  for (const JsonValue& one : *TRY(object.array_at("series"))) {
    Series series = TRY(series_of(one));
    TRY(check.check(series, one.line));
    measurement.series.push_back(std::move(series));
  }
  if (!check.has_metric(measurement.terms.primary))
    return fail_at(object.line, fmt::format("holds no '{}', its primary metric", printable(measurement.terms.primary)));
  TRY(read_conditions(object, measurement));
  evidence::take_reservations(measurement);
  return measurement;
}

Result<Measurement> read(const Source& source) {
  const auto& files = *TRY(source.json()->array_at("files"));
  if (files.size() != 1)
    return fail_at(source.json()->line, fmt::format("holds what {} files held; one can be read", files.size()));
  const JsonValue* measurement = files[0].find("measurement");
  if (measurement == nullptr || !measurement->is(Kind::object))
    return fail_at(files[0].line, "'measurement' is no object");
  return measurement_of(*measurement);
}

}  // namespace

Importer import_json() { return {"Tollgate import JSON", "tollgate import --format json FILE", recognises, read}; }

}  // namespace tollgate::import
