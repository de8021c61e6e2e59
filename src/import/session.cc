// tollgate measure --export json: a session of our own, whole, with everything that the analysis can use: order, blocks, boots,
// conditions, the terms fixed before the runs, and the noise floor of --aa (docs/schema/session.schema.json).
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "evidence/noise_floor.h"
#include "import/catalogue.h"
#include "import/collector.h"
#include "store/measurement.h"
#include "store/names.h"

namespace tollgate::import {
namespace {

using Kind = JsonValue::Kind;

bool recognises(const Source& source) {
  const JsonValue* schema = source.json() ? source.json()->find("schema") : nullptr;
  return schema && schema->text == kSessionSchema;
}

/// The value that the store's word for it means.
template <typename Enum, std::size_t N>
Result<Enum> named_at(const JsonValue& object, std::string_view key, const config::Choice<Enum> (&choices)[N]) {
  const std::string name = TRY(object.text_at(key));
  if (const auto value = store::value_named(choices, name)) return *value;
  return fail_at(object.line, fmt::format("'{}' is '{}', which is none that is known", key, name));
}

Result<const JsonValue*> object_at(const JsonValue& object, std::string_view key) {
  const JsonValue* value = object.find(key);
  if (value == nullptr || !value->is(Kind::object)) return fail_at(object.line, fmt::format("'{}' is no object", key));
  return value;
}

Result<evidence::Terms> terms_of(const JsonValue& object) {
  evidence::Terms terms;
  terms.primary = TRY(object.text_at("primary"));
  terms.margin_percent = TRY(object.optional_number_at("margin_percent"));
  terms.level = TRY(object.number_at("level"));
  terms.order = TRY(named_at(object, "order", store::kOrders));
  terms.seed = TRY(whole_at<std::uint64_t>(object, "seed"));
  terms.runs = TRY(whole_at<std::uint32_t>(object, "runs"));
  return terms;
}

Result<store::Session> session_of(const JsonValue& root) {
  store::Session session;
  session.name = TRY(root.text_at("name"));
  session.machine = TRY(root.text_at("machine"));
  for (const JsonValue& variant : *TRY(root.array_at("variants"))) {
    store::Variant& added = session.variants.emplace_back();
    added.name = TRY(variant.text_at("name"));
    added.command = TRY(variant.text_at("command"));
  }
  for (const JsonValue& metric : *TRY(root.array_at("metrics"))) {
    store::Metric& added = session.metrics.emplace_back();
    added.info.name = TRY(metric.text_at("name"));
    added.info.unit = TRY(metric.text_at("unit"));
    added.info.better = TRY(named_at(metric, "better", store::kBetter));
    added.spec = TRY(metric.text_at("spec"));
  }
  if (session.variants.empty() || session.metrics.empty()) return fail_at(root.line, "holds no variants or no metrics");
  const JsonValue& terms = *TRY(object_at(root, "terms"));
  session.terms = TRY(terms_of(terms));
  session.boots = TRY(whole_at<std::uint32_t>(terms, "boots"));
  return session;
}

/// What the user reads out of a command's output may be anything: a difference, a temperature.
bool is_of_unknown_kind(const store::Metric& metric) {
  return metric.spec.starts_with("regex:") || metric.spec.starts_with("json:");
}

Result<store::Run> run_of(const JsonValue& object, const store::Session& session) {
  store::Run run;
  run.kind = TRY(named_at(object, "kind", store::kRunKinds));
  run.variant = TRY(whole_at<std::uint32_t>(object, "side"));
  if (run.variant >= std::max<std::size_t>(session.variants.size(), 2))
    return fail_at(object.line, fmt::format("'side' is {}: there is no such variant", run.variant));
  run.number = TRY(whole_at<std::uint32_t>(object, "run"));
  run.position = TRY(whole_at<std::uint32_t>(object, "position"));
  run.block = TRY(whole_at<std::uint32_t>(object, "block"));
  run.boot = TRY(object.text_at("boot"));
  run.start = TRY(object.number_at("start"));
  run.exit_status = TRY(whole_at<int>(object, "exit_status"));
  const JsonValue& values = *TRY(object_at(object, "values"));
  for (const store::Metric& metric : session.metrics) {
    const bool none = run.exit_status != 0 && values.find(metric.info.name) == nullptr;
    run.values.push_back(none ? std::numeric_limits<double>::quiet_NaN() : TRY(values.number_at(metric.info.name)));
    if (!none && !is_of_unknown_kind(metric)) TRY(check_value(metric.info, run.values.back(), object.line));
  }
  for (const JsonMember& condition : TRY(object_at(object, "conditions"))->members)
    run.conditions[condition.name] = condition.value.text;
  return run;
}

/// As in the store, a run is one of its kind, variant and number, and no two were made at once.
Result<std::vector<store::Run>> runs_of(const JsonValue& root, const store::Session& session) {
  std::vector<store::Run> runs;
  std::set<std::tuple<store::RunKind, std::uint32_t, std::uint32_t>> numbers;
  std::set<std::pair<store::RunKind, std::uint32_t>> positions;
  for (const JsonValue& object : *TRY(root.array_at("runs"))) {
    store::Run& run = runs.emplace_back(TRY(run_of(object, session)));
    const auto kind = config::name_of<store::RunKind>(store::kRunKinds, run.kind);
    if (!numbers.emplace(run.kind, run.variant, run.number).second)
      return fail_at(object.line, fmt::format("run {} of side {} ({}) is there twice", run.number, run.variant, kind));
    if (!positions.emplace(run.kind, run.position).second)
      return fail_at(object.line, fmt::format("two runs ({}) have the position {}", kind, run.position));
  }
  return runs;
}

Result<evidence::Measurement> read(const Source& source) {
  const store::Session session = TRY(session_of(*source.json()));
  const auto runs = TRY(runs_of(*source.json(), session));
  auto measured = store::measurement_of(session, runs);
  std::erase_if(measured.series, [](const evidence::Series& series) { return series.samples.empty(); });
  if (measured.series.empty()) return fail("holds no measured runs");
  if (const auto floor = evidence::noise_floor_percent(store::noise_of(session, runs));
      floor && measured.terms.primary == session.terms.primary)
    measured.noise_floor_percent = *floor;
  return measured;
}

}  // namespace

Importer session_json() { return {"Tollgate session JSON", "tollgate measure --export json", recognises, read}; }

}  // namespace tollgate::import
