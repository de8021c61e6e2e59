// Three formats of few lines: ministat's table, pyperf's JSON, lmbench's lines.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.h"
#include "import/catalogue.h"
#include "import/collector.h"
#include "import/text_lines.h"

namespace tollgate::import {
namespace {

using evidence::Better;
using Kind = JsonValue::Kind;

// --- ministat: "x old.txt", "+ new.txt", then "    N  Min  Max  Median  Avg  Stddev" and a row a symbol

constexpr std::string_view kSymbols = "x+*%#@O";

bool is_ministat_header(std::string_view text) {
  static constexpr std::array<std::string_view, 6> kHeader{"N", "Min", "Max", "Median", "Avg", "Stddev"};
  return text.ends_with("Stddev") && std::ranges::equal(words_of(text), kHeader);
}

bool recognises_ministat(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) { return is_ministat_header(line.text); });
}

Result<evidence::Measurement> read_ministat(const Source& source) {
  Collector collector(source);
  std::map<std::string, std::string> names;  // by symbol
  std::set<std::string> rows;
  bool in_table = false;
  for (const Line& line : source.lines()) {
    const auto words = words_of(line.text);
    in_table = in_table || is_ministat_header(line.text);
    if (words.size() == 2 && words[0].size() == 1 && !in_table) names[std::string(words[0])] = words[1];
    if (!in_table || words.size() != 7 || words[0].size() != 1) continue;
    double values[6];
    for (std::size_t i = 0; i < 6; ++i) values[i] = TRY(collector.number(words[i + 1], line.number)).value;
    evidence::SummaryOnly summary;
    summary.count = static_cast<std::uint64_t>(std::clamp(values[0], 0.0, 1e9));
    summary.min = values[1];
    summary.max = values[2];
    summary.median = values[3];
    summary.mean = values[4];
    summary.deviation = values[5];
    const std::string symbol(words[0]);
    rows.insert(symbol);
    TRY(collector.summary(names.contains(symbol) ? names[symbol] : symbol, {"value", "", Better::neither}, summary,
                          line.number));
  }
  for (const auto& [symbol, name] : names)
    if (kSymbols.find(symbol) != std::string_view::npos && !rows.contains(symbol))
      return fail(fmt::format("'{}' has no row in the table: the output is truncated", printable(name)));
  collector.note("ministat knows neither what the values are nor their unit");
  return std::move(collector).finish();
}

// --- pyperf: {"benchmarks": [{"metadata", "runs": [{"metadata", "warmups", "values"}]}], "version"}

bool recognises_pyperf(const Source& source) {
  const JsonValue* all = source.json() ? source.json()->find("benchmarks") : nullptr;
  return all && all->is(Kind::array) && !all->items.empty() && all->items[0].has("runs");
}

std::optional<std::string> metadata_of(const JsonValue& object, std::string_view name) {
  const JsonValue* metadata = object.find("metadata");
  const JsonValue* value = metadata ? metadata->find(name) : nullptr;
  if (value == nullptr || !value->is(Kind::text)) return std::nullopt;
  return value->text;
}

/// The values of a process share its luck, so a process is a run and its mean the sample.
Result<void> take_process(const JsonValue& run, const evidence::MetricInfo& metric, const std::string& variant,
                          Collector& collector) {
  if (!run.has("values")) return {};  // a process that only calibrated
  double sum = 0;
  const auto& values = *TRY(run.array_at("values"));
  if (values.empty()) return fail_at(run.line, "a run of 0 values");
  for (const JsonValue& value : values) {
    if (!value.is(Kind::number)) return fail_at(value.line, "'values' holds what is no number");
    sum += value.number;
  }
  return collector.sample(variant, metric, sum / static_cast<double>(values.size()), run.line);
}

Result<evidence::Measurement> read_pyperf(const Source& source) {
  Collector collector(source);
  const JsonValue& root = *source.json();
  for (const JsonValue& benchmark : *TRY(root.array_at("benchmarks"))) {
    const auto told = [&](std::string_view name, std::string other) {
      auto own = metadata_of(benchmark, name);
      return own ? *own : metadata_of(root, name).value_or(std::move(other));
    };
    const std::string unit = told("unit", "second") == "second" ? "s" : told("unit", "");
    const evidence::MetricInfo metric{told("name", "value") + " " + unit, unit,
                                      unit == "s" || unit == "byte" ? Better::lower : Better::neither};
    for (const JsonValue& run : *TRY(benchmark.array_at("runs")))
      TRY(take_process(run, metric, source.stem(), collector));
  }
  collector.note("a run is one process of pyperf, its sample the mean of its values; warm-ups are left out");
  return std::move(collector).finish();
}

// --- lmbench: "Simple syscall: 0.0407 microseconds"

constexpr std::array<std::string_view, 9> kLmbench{"Simple ",      "Select on ",    "Signal handler ",
                                                   "Protection ",  "Pipe latency",  "AF_UNIX sock stream latency",
                                                   "Process fork", "Pagefaults on", "Semaphore latency"};

bool is_lmbench(std::string_view text) {
  return text.ends_with(" microseconds") && text.find(": ") != std::string_view::npos &&
         std::ranges::any_of(kLmbench, [&](std::string_view begin) { return text.starts_with(begin); });
}

bool recognises_lmbench(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) { return is_lmbench(line.text); });
}

Result<evidence::Measurement> read_lmbench(const Source& source) {
  Collector collector(source);
  for (const Line& line : source.lines()) {
    if (!is_lmbench(line.text)) continue;
    const std::string_view told = *before(line.text, " microseconds");
    const std::size_t colon = told.rfind(':');
    const std::string_view value = told.substr(colon + 1);
    TRY(collector.sample(source.stem(), {std::string(line.text.substr(0, colon)), "us", Better::lower},
                         TRY(collector.number(trim(value), line.number)), line.number));
  }
  return std::move(collector).finish();
}

}  // namespace

Importer ministat() { return {"ministat", "ministat OLD NEW", recognises_ministat, read_ministat}; }
Importer pyperf_json() { return {"pyperf JSON", "python3 -m pyperf timeit -o FILE", recognises_pyperf, read_pyperf}; }
Importer lmbench() { return {"lmbench", "lat_syscall null", recognises_lmbench, read_lmbench}; }

}  // namespace tollgate::import
