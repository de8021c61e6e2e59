#include "cli/measure_answer.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include "report/document.h"
#include "report/json_writer.h"

namespace tollgate::cli {
namespace {

using report::Align;

std::string rendered(const report::Document& document, const std::string& format) {
  return format == "markdown" ? report::render_markdown(document) : report::render_text(document);
}

std::string time_text(double seconds) { return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::time_t(seconds))); }

std::string list_json(std::span<const store::SessionLine> lines, std::span<const store::ImportedLine> imported) {
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
  json.key("imported").begin_array();
  for (const auto& line : imported) {
    json.begin_object();
    json.key("name").text(line.name);
    json.key("format").text(line.format);
    json.key("created").number(line.created);
    json.key("variants").whole(line.variants);
    json.key("runs").whole(line.runs);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return std::move(json).finish();
}

}  // namespace

std::string list_text(std::span<const store::SessionLine> lines, std::span<const store::ImportedLine> imported,
                      const std::string& format) {
  if (format == "json") return list_json(lines, imported);
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
  for (const auto& line : imported)
    table.rows.push_back({"-", line.name, time_text(line.created), std::to_string(line.variants),
                          std::to_string(line.runs), "imported"});
  return rendered({table}, format);
}

}  // namespace tollgate::cli
