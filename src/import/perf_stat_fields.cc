// perf stat -x SEPARATOR and perf stat -j (tools/perf/util/stat-display.c, perf-stat(1) "CSV FORMAT" and "JSON FORMAT").
//   value,unit,event[,relative standard error %, with -r],run time ns,percent running[,metric,metric unit]
//   {"counter-value" : "66.75", "unit" : "msec", "event" : "task-clock", "variance" : 0.14, "pcnt-running" : 100.00, ...}
// "variance" is the same relative standard error. Elapsed time is in neither form unless duration_time is counted. An
// event that comes again is another run.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/text.h"
#include "import/catalogue.h"
#include "import/perf_stat.h"
#include "import/text_lines.h"

namespace tollgate::import {
namespace {

using Fields = std::vector<std::string>;

bool is_numeric(std::string_view text) { return read_number(text, 0, Comma::decimals).has_value(); }

/// "100.00": perf prints the share of the time with two decimals, in some locales behind a comma, which may be the separator too.
bool is_percentage(const Fields& fields, std::size_t at, char separator) {
  const std::string& field = fields[at];
  const std::size_t point = field.find_first_of(".,");
  std::string_view whole = field, decimals;
  if (point != std::string::npos) {
    whole = whole.substr(0, point);
    decimals = std::string_view(field).substr(point + 1);
  } else if (separator == ',' && at + 1 < fields.size()) {
    decimals = fields[at + 1];
  }
  return all_digits(whole) && whole.size() <= 3 && whole <= (whole.size() == 3 ? "100" : "99") &&
         decimals.size() == 2 && all_digits(decimals);
}

/// "msec", "Joules", "MiB", "%", "per_sec": no unit of an event has a digit in it.
bool is_unit(std::string_view text) { return text.find_first_of("0123456789") == std::string_view::npos; }

/// "cycles:u", "L1-dcache-loads", "cpu_core/cycles/", "r1a8".
bool is_event(std::string_view text) {
  return !is_numeric(text) &&
         std::ranges::any_of(text, [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

/// Whether the fields from `first` on are a count.
bool is_count(const Fields& fields, std::size_t first, char separator) {
  if (fields.size() < first + 5) return false;
  const std::size_t time = first + (fields[first + 3].ends_with('%') ? 4 : 3);
  return (is_numeric(trim(fields[first])) || fields[first].starts_with("<not ")) && is_unit(fields[first + 1]) &&
         is_event(fields[first + 2]) && fields.size() > time + 1 && all_digits(fields[time]) &&
         is_percentage(fields, time + 1, separator);
}

/// What a line of fields is, and why some are not taken.
enum class Shape { count, metric_only, interval, aggregate, decimal_comma, other };

Shape shape_of(const Fields& fields, char separator) {
  if (is_count(fields, 0, separator)) return Shape::count;
  if (fields.size() >= 7 && trim(fields[0]).empty() && trim(fields[2]).empty()) return Shape::metric_only;
  if (fields.size() >= 6 && is_numeric(trim(fields[0])) &&
      (is_count(fields, 1, separator) || is_count(fields, 2, separator)))
    return separator == ',' && all_digits(fields[0]) && all_digits(fields[1]) ? Shape::decimal_comma : Shape::interval;
  if (is_count(fields, 1, separator) || is_count(fields, 2, separator)) return Shape::aggregate;
  if (fields.size() > 5) {  // value, unit, event, cgroup
    Fields without = fields;
    without.erase(without.begin() + 3);
    if (is_count(without, 0, separator)) return Shape::aggregate;
  }
  return Shape::other;
}

bool is_comment(std::string_view text) { return text.empty() || text.starts_with('#'); }

/// The separator of the first line that is no comment.
std::optional<char> separator_of(const Source& source) {
  for (const Line& line : source.lines()) {
    if (is_comment(trim(line.text))) continue;
    for (const char separator : {',', ';', '\t', '|', ':', ' '}) {
      const Shape shape = shape_of(split(line.text, separator), separator);
      if (shape != Shape::other && shape != Shape::metric_only) return separator;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

bool recognises_fields(const Source& source) { return separator_of(source).has_value(); }

Result<PerfCount> count_of(const Fields& fields, unsigned line, Collector& collector) {
  PerfCount count;
  count.line = line;
  count.unit = fields[1];
  count.event = fields[2];
  const bool repeated = fields[3].ends_with('%');
  if (fields[0].starts_with("<not "))
    count.why_none = fields[0];
  else
    count.value = TRY(collector.number(trim(fields[0]), line));
  if (repeated) count.error_percent = TRY(collector.number(fields[3].substr(0, fields[3].size() - 1), line)).value;
  if (repeated) count.runs = collector.told_runs();
  count.percent_running = TRY(collector.number(fields[repeated ? 5 : 4], line)).value;
  return count;
}

Result<void> take_line(const Line& line, char separator, const std::string& variant, Collector& collector) {
  if (is_comment(trim(line.text))) return {};
  const Fields fields = split(line.text, separator);
  switch (shape_of(fields, separator)) {
    case Shape::count:
      return add_perf_count(variant, TRY(count_of(fields, line.number, collector)), collector);
    case Shape::metric_only:
      return {};
    case Shape::interval:
      return fail_at(line.number, "is of perf stat -I: intervals of one run are no runs; count whole runs instead");
    case Shape::aggregate:
      return fail_at(
          line.number,
          "is of one CPU, socket, thread or cgroup: import reads totals, without -A, --per-* and --for-each-cgroup");
    case Shape::decimal_comma:
      return fail_at(
          line.number,
          "has decimal commas between commas: separate fields by another character (-x ';') or set LC_ALL=C");
    case Shape::other:
      break;
  }
  return fail_at(line.number, "is no line of perf stat -x: value, unit, event, run time, percent running");
}

void set_primary(Collector& collector) {
  const auto& series = collector.measurement().series;
  if (std::ranges::any_of(series, [](const auto& one) { return one.metric.name == "duration_time"; }))
    collector.measurement().terms.primary = "duration_time";
  if (std::ranges::any_of(series, [](const auto& one) { return one.summary.has_value(); }))
    collector.note(
        "perf's +- is the standard error of the mean; how many runs there were is not in this form (--runs tells it)");
}

Result<evidence::Measurement> read_fields(const Source& source) {
  Collector collector(source);
  const char separator = *separator_of(source);
  for (const Line& line : source.lines()) TRY(take_line(line, separator, source.stem(), collector));
  set_primary(collector);
  collector.warn_of_gaps();
  return std::move(collector).finish();
}

bool recognises_json(const Source& source) {
  for (const Line& line : source.lines()) {
    const std::string_view text = trim(line.text);
    if (is_comment(text)) continue;
    return text.starts_with('{') && text.find("\"counter-value\"") != std::string_view::npos;
  }
  return false;
}

Result<void> refuse_aggregates(const JsonValue& object) {
  if (object.has("interval"))
    return fail_at(object.line, "is of perf stat -I: intervals of one run are no runs; count whole runs instead");
  for (const std::string_view name : {"cpu", "core", "die", "socket", "node", "thread", "cgroup"})
    if (object.has(name))
      return fail_at(object.line,
                     fmt::format("is of one {}: import reads totals, without -A, --per-* and --for-each-cgroup", name));
  return {};
}

Result<void> take_object(const JsonValue& object, const std::string& variant, Collector& collector) {
  TRY(refuse_aggregates(object));
  if (!object.has("event") || !object.has("counter-value")) return {};  // a metric on its own
  PerfCount count;
  count.line = object.line;
  count.event = TRY(object.text_at("event"));
  count.unit = TRY(object.optional_text_at("unit")).value_or("");
  const std::string value = TRY(object.text_at("counter-value"));
  if (value.starts_with("<not "))
    count.why_none = value;
  else
    count.value = TRY(collector.number(value, object.line));
  count.error_percent = TRY(object.optional_number_at("variance"));
  if (count.error_percent) count.runs = collector.told_runs();
  count.percent_running = TRY(object.optional_number_at("pcnt-running"));
  return add_perf_count(variant, count, collector);
}

Result<evidence::Measurement> read_json(const Source& source) {
  Collector collector(source);
  for (const Line& line : source.lines()) {
    if (is_comment(trim(line.text))) continue;
    TRY(take_object(TRY(parse_json(line.text, line.number)), source.stem(), collector));
  }
  set_primary(collector);
  collector.warn_of_gaps();
  return std::move(collector).finish();
}

}  // namespace

Importer perf_stat_fields() { return {"perf stat -x", "perf stat -x, COMMAND", recognises_fields, read_fields}; }
Importer perf_stat_json() { return {"perf stat -j", "perf stat -j COMMAND", recognises_json, read_json}; }

}  // namespace tollgate::import
