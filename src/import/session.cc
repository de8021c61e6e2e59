// tollgate measure --export json: a session of our own, with everything that the analysis can use: order, blocks, boots, conditions,
// the terms fixed before the runs, and the noise floor of --aa (docs/schema/session.schema.json).
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "evidence/noise_floor.h"
#include "import/catalogue.h"

namespace tollgate::import {
namespace {

using evidence::Measurement;
using Kind = JsonValue::Kind;

bool recognises(const Source& source) {
  const JsonValue* schema = source.json() ? source.json()->find("schema") : nullptr;
  return schema && schema->text == "tollgate.session/1";
}

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};
constexpr std::array<Named<evidence::Order>, 3> kOrders{{{"random", evidence::Order::random_blocks},
                                                         {"abba", evidence::Order::abba},
                                                         {"sequence", evidence::Order::in_sequence}}};
constexpr std::array<Named<evidence::Better>, 3> kBetter{
    {{"higher", evidence::Better::higher}, {"lower", evidence::Better::lower}, {"neither", evidence::Better::neither}}};

template <typename Table>
auto named(const Table& table, const JsonValue& object, std::string_view key) -> Result<decltype(table[0].value)> {
  const std::string name = TRY(object.text_at(key));
  for (const auto& [known, value] : table)
    if (known == name) return value;
  return fail_at(object.line, fmt::format("'{}' is '{}', which is no {} that is known", key, name, key));
}

Result<std::uint32_t> whole_at(const JsonValue& object, std::string_view key) {
  const double value = TRY(object.number_at(key));
  if (value >= 0 && value < 4294967296.0) return static_cast<std::uint32_t>(value);
  return fail_at(object.line, fmt::format("'{}' is {}, which is no count", key, value));
}

/// All 64 bits, which a double does not hold.
Result<std::uint64_t> seed_of(const JsonValue& terms) {
  const JsonValue* seed = terms.find("seed");
  const std::string digits = seed ? seed->text : "";
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value);
  if (parsed.ec == std::errc() && parsed.ptr == end) return value;
  return fail_at(terms.line, "'seed' is no whole number");
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
  terms.order = TRY(named(kOrders, object, "order"));
  terms.seed = TRY(seed_of(object));
  terms.runs = TRY(whole_at(object, "runs"));
  return terms;
}

class Reader {
 public:
  explicit Reader(const Source& source) : root_(*source.json()), name_(source.name()) {}

  Result<Measurement> read() {
    for (const JsonValue& variant : *TRY(root_.array_at("variants"))) variants_.push_back(TRY(variant.text_at("name")));
    if (variants_.empty()) return fail("holds no variants");
    for (const JsonValue& metric : *TRY(root_.array_at("metrics")))
      metrics_.push_back(
          {TRY(metric.text_at("name")), TRY(metric.text_at("unit")), TRY(named(kBetter, metric, "better"))});
    Measurement measured = TRY(runs_of("measured", variants_));
    if (measured.series.empty()) return fail("holds no measured runs");
    const Measurement noise = TRY(runs_of("noise", {variants_[0], variants_[0] + " again"}));
    if (const auto floor = noise.series.empty() ? fail("none") : evidence::noise_floor_percent(noise))
      measured.noise_floor_percent = *floor;
    return measured;
  }

 private:
  Result<Measurement> runs_of(std::string_view kind, std::vector<std::string> variants) {
    Measurement out;
    out.title = TRY(root_.text_at("name"));
    out.machine = TRY(root_.text_at("machine"));
    out.terms = TRY(terms_of(*TRY(object_at(root_, "terms"))));
    out.variants = std::move(variants);
    for (const auto& metric : metrics_)
      for (const auto& variant : out.variants) {
        evidence::Series& series = out.series.emplace_back();
        series.metric = metric;
        series.variant = variant;
      }
    for (const JsonValue& run : *TRY(root_.array_at("runs")))
      if (TRY(run.text_at("kind")) == kind) TRY(add_run(run, out));
    std::erase_if(out.series, [](const auto& series) { return series.samples.empty(); });
    std::ranges::stable_partition(out.series, [&](const auto& one) { return one.metric.name == out.terms.primary; });
    return out;
  }

  Result<void> add_run(const JsonValue& run, Measurement& out) {
    const std::uint32_t side = TRY(whole_at(run, "side"));
    if (side >= out.variants.size())
      return fail_at(run.line, fmt::format("'side' is {}: there is no such variant", side));
    const std::string& variant = out.variants[side];
    evidence::Sample sample;
    sample.run = TRY(whole_at(run, "run"));
    sample.position = TRY(whole_at(run, "position"));
    sample.block = TRY(whole_at(run, "block"));
    sample.boot = TRY(run.text_at("boot"));
    sample.start = TRY(run.optional_number_at("start"));
    const JsonValue& values = *TRY(object_at(run, "values"));
    for (evidence::Series& series : out.series) {
      if (series.variant != variant) continue;
      const auto value = TRY(values.optional_number_at(series.metric.name));
      if (!value) continue;
      sample.value = *value;
      if (series.samples.empty()) series.source = fmt::format("{}:{}", name_, values.line);
      series.samples.push_back(sample);
    }
    if (const double status = TRY(run.number_at("exit_status")); status != 0)
      out.warnings.push_back(
          fmt::format("{}:{}: a run of '{}' failed (exit status {}) and is counted", name_, run.line, variant, status));
    for (const JsonMember& condition : TRY(object_at(run, "conditions"))->members)
      out.conditions.push_back({variant, sample.run, condition.name, condition.value.text});
    return {};
  }

  const JsonValue& root_;
  std::string name_;
  std::vector<std::string> variants_;
  std::vector<evidence::MetricInfo> metrics_;
};

Result<Measurement> read(const Source& source) { return Reader(source).read(); }

}  // namespace

Importer session_json() { return {"Tollgate session JSON", "tollgate measure --export json", recognises, read}; }

}  // namespace tollgate::import
