// hyperfine --export-json and --export-csv (sharkdp/hyperfine, src/export; versions 1.15 to 1.20). Times are seconds. The
// JSON has every run's wall time; of user and system time only means. A run's memory is the largest of all children so
// far (getrusage RUSAGE_CHILDREN), so it is not taken.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "import/catalogue.h"
#include "import/collector.h"
#include "import/csv.h"

namespace tollgate::import {
namespace {

using evidence::SummaryOnly;
using Kind = JsonValue::Kind;

bool recognises_json(const Source& source) {
  const JsonValue* results = source.json() ? source.json()->find("results") : nullptr;
  return results && results->is(Kind::array) && !results->items.empty() && results->items[0].has("command") &&
         results->items[0].has("mean");
}

Result<void> take_times(const JsonValue& result, const std::string& variant, Collector& collector) {
  const auto& times = *TRY(result.array_at("times"));
  if (times.empty()) return fail_at(result.line, fmt::format("'{}' has 0 samples", variant));
  double sum = 0;
  for (const JsonValue& time : times) {
    if (!time.is(Kind::number)) return fail_at(time.line, "'times' holds what is no number");
    TRY(collector.sample(variant, elapsed_metric(), time.number, time.line));
    sum += time.number;
  }
  const double mean = TRY(result.number_at("mean")), own = sum / static_cast<double>(times.size());
  if (std::abs(mean - own) > 1e-6 * std::abs(own))
    collector.warn_at(result.line,
                      fmt::format("'mean' is {} and the mean of 'times' {}: the file was changed", mean, own));
  return {};
}

Result<SummaryOnly> summary_of(const JsonValue& result) {
  SummaryOnly summary;
  summary.mean = TRY(result.number_at("mean"));
  summary.median = TRY(result.optional_number_at("median"));
  summary.min = TRY(result.optional_number_at("min"));
  summary.max = TRY(result.optional_number_at("max"));
  summary.deviation = TRY(result.optional_number_at("stddev"));
  return summary;
}

Result<void> take_exit_codes(const JsonValue& result, const std::string& variant, Collector& collector) {
  if (!result.has("exit_codes")) return {};
  const auto& codes = *TRY(result.array_at("exit_codes"));
  std::size_t failed = 0;
  for (std::size_t run = 0; run < codes.size(); ++run) {
    const bool number = codes[run].is(Kind::number);
    const std::string code = number ? fmt::format("{:g}", codes[run].number) : "signal";
    collector.condition(variant, static_cast<std::uint32_t>(run), "exit status", code);
    failed += code != "0";
  }
  if (failed > 0) collector.warn(fmt::format("{} of {} runs of '{}' failed", failed, codes.size(), variant));
  return {};
}

Result<void> take_result(const JsonValue& result, Collector& collector) {
  const std::string variant = collector.free_name(TRY(result.text_at("command")));
  const bool raw = result.has("times");
  if (raw)
    TRY(take_times(result, variant, collector));
  else
    TRY(collector.summary(variant, elapsed_metric(), TRY(summary_of(result)), result.line));
  std::optional<std::uint64_t> count;
  if (raw) count = result.find("times")->items.size();
  for (const auto& [name, metric] : {std::pair{"user", user_metric()}, {"system", sys_metric()}}) {
    SummaryOnly summary;
    summary.count = count;
    summary.mean = TRY(result.optional_number_at(name));
    if (summary.mean) TRY(collector.summary(variant, metric, summary, result.find(name)->line));
  }
  if (result.has("memory_usage_byte"))
    collector.note("memory was left out: hyperfine's is the largest of all runs so far, not of the run");
  return take_exit_codes(result, variant, collector);
}

/// hyperfine runs a command to its end before the next.
void set_order(evidence::Measurement& measurement) {
  measurement.terms.order = evidence::Order::in_sequence;
  std::uint32_t position = 0;
  for (auto& series : measurement.series)
    for (auto& sample : series.samples) sample.position = position++;
}

Result<evidence::Measurement> read_json(const Source& source) {
  Collector collector(source);
  for (const JsonValue& result : *TRY(source.json()->array_at("results"))) {
    if (!result.is(Kind::object)) return fail_at(result.line, "'results' holds what is no object");
    TRY(take_result(result, collector));
  }
  collector.note("hyperfine keeps only means of user and system time");
  set_order(collector.measurement());
  return std::move(collector).finish();
}

constexpr std::string_view kCsvHeader = "command,mean,stddev,median,user,system,min,max";

bool recognises_csv(const Source& source) { return begins_with_columns(source.lines().front().text, kCsvHeader); }

Result<evidence::Measurement> read_csv(const Source& source) {
  const CsvTable table = TRY(parse_csv_table(source.text()));
  Collector collector(source);
  for (const CsvRecord& row : table.rows) {
    const auto number = [&](std::string_view column) -> Result<double> {
      return TRY(collector.number(table.field(row, column), row.line)).value;
    };
    const std::string variant = collector.free_name(table.field(row, "command"));
    SummaryOnly elapsed;
    elapsed.mean = TRY(number("mean"));
    elapsed.median = TRY(number("median"));
    elapsed.min = TRY(number("min"));
    elapsed.max = TRY(number("max"));
    const double deviation = TRY(number("stddev"));
    if (deviation > 0)
      elapsed.deviation = deviation;
    else
      collector.warn_at(row.line, "a standard deviation of 0 is what hyperfine writes for a single run");
    TRY(collector.summary(variant, elapsed_metric(), elapsed, row.line));
    for (const auto& [column, metric] : {std::pair{"user", user_metric()}, {"system", sys_metric()}}) {
      SummaryOnly summary;
      summary.mean = TRY(number(column));
      TRY(collector.summary(variant, metric, summary, row.line));
    }
  }
  collector.measurement().terms.order = evidence::Order::in_sequence;
  collector.note("hyperfine's CSV does not say how many runs there were; its JSON does, and has them all");
  return std::move(collector).finish();
}

}  // namespace

Importer hyperfine_json() { return {"hyperfine JSON", "hyperfine --export-json FILE", recognises_json, read_json}; }
Importer hyperfine_csv() { return {"hyperfine CSV", "hyperfine --export-csv FILE", recognises_csv, read_csv}; }

}  // namespace tollgate::import
