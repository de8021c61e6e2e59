#include "cli/measure_answer.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "report/document.h"
#include "report/json_writer.h"
#include "report/numbers.h"
#include "store/export.h"
#include "store/measurement.h"

namespace tollgate::cli {
namespace {

using report::Align;

std::string rendered(const report::Document& document, const std::string& format) {
  return format == "markdown" ? report::render_markdown(document) : report::render_text(document);
}

std::string time_text(double seconds) { return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::time_t(seconds))); }

report::Table table_of(const evidence::Measurement& measurement) {
  report::Table table{{{"metric"},
                       {"variant"},
                       {"runs", Align::right},
                       {"mean", Align::right},
                       {"min", Align::right},
                       {"max", Align::right}},
                      {}};
  for (const auto& series : measurement.series) {
    std::vector<double> values;
    for (const auto& sample : series.samples) values.push_back(sample.value);
    if (values.empty()) continue;
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    table.rows.push_back({fmt::format("{} [{}]", series.metric.name, series.metric.unit), series.variant,
                          std::to_string(values.size()), report::number_text(mean), report::number_text(*low),
                          report::number_text(*high)});
  }
  return table;
}

std::string list_json(std::span<const store::SessionLine> lines) {
  report::JsonWriter json;
  json.begin_object();
  json.key("schema").text("tollgate.sessions/1");
  json.key("sessions").begin_array();
  for (const auto& line : lines) {
    json.begin_object();
    json.key("id").whole(std::uint64_t(line.id));
    json.key("name").text(line.name);
    json.key("created").number(line.created);
    json.key("variants").whole(line.variants);
    json.key("made").whole(line.made);
    json.key("planned").whole(line.planned);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return std::move(json).finish();
}

}  // namespace

std::string answer_text(const store::Session& session, std::span<const store::Run> runs, const std::string& format) {
  if (format == "json") return store::session_json(session, runs);
  const auto measurement = store::measurement_of(session, runs);
  report::Document document = {report::Heading{1, measurement.title}, table_of(measurement)};
  if (!measurement.warnings.empty()) document.emplace_back(report::Bullets{measurement.warnings});
  return rendered(document, format);
}

std::string list_text(std::span<const store::SessionLine> lines, const std::string& format) {
  if (format == "json") return list_json(lines);
  report::Table table{{{"id", Align::right},
                       {"name"},
                       {"begun"},
                       {"variants", Align::right},
                       {"runs", Align::right},
                       {"planned", Align::right}},
                      {}};
  for (const auto& line : lines)
    table.rows.push_back({std::to_string(line.id), line.name, time_text(line.created), std::to_string(line.variants),
                          std::to_string(line.made), std::to_string(line.planned)});
  return rendered({table}, format);
}

}  // namespace tollgate::cli
