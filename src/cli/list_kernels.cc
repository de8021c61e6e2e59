#include "cli/list_kernels.h"

#include <fmt/core.h>

#include "base/text.h"
#include "cli/data_paths.h"
#include "cli/list_figures.h"
#include "kernel/era.h"
#include "report/json_writer.h"

namespace tollgate::cli {
namespace {

using kernel::Era;
using kernel::PathSpec;
using kernel::PathStep;

std::string step_text(const PathStep& step) {
  const std::string& place = kernel::kPlaceNames[static_cast<std::size_t>(step.place)];
  switch (step.op) {
    case PathStep::Op::fetch:
      return fmt::format("fetch {} {}", place, step.instructions);
    case PathStep::Op::read:
      return "read " + place;
    case PathStep::Op::write:
      return "write " + place;
    case PathStep::Op::load_kernel_root:
      return "load kernel root";
    case PathStep::Op::load_user_root:
      return "load user root";
  }
  return "";
}

/// The steps as the file has them.
std::vector<std::string> step_texts(const kernel::Path& path) {
  std::vector<std::string> texts;
  for (const PathStep& step : path) texts.push_back(step_text(step));
  return texts;
}

std::string memory_text(const Era& era) {
  return fmt::format(
      "Timer tick: {} Hz. Kernel memory in 2M pages: {} of text, {} of read-only data, {} of data. Behind "
      "the direct map: {}.",
      era.hz, era.text_large_pages, era.rodata_large_pages, era.data_large_pages,
      human_bytes(double(era.memory_bytes)));
}

report::Table sequence_table(const Era& era) {
  report::Table table{{{"sequence"}, {"steps"}}, {}};
  for (const std::string& name : kernel::required_sequences(era.architecture))
    table.rows.push_back({name, join(step_texts(era.sequence(name)), ", ")});
  return table;
}

std::vector<ListedFigure> path_figures(const Era& era) {
  std::vector<ListedFigure> figures;
  for (const std::string& name : kernel::required_paths(era.architecture))
    figures.push_back({fmt::format("path.{}.instructions", name), "", &era.paths.at(name).instructions});
  return figures;
}

report::Table footprint_table(const Era& era) {
  using enum report::Align;
  report::Table table{{{"path"},
                       {"text", right},
                       {"in 2M", right},
                       {"objects", right},
                       {"in 2M", right},
                       {"per-CPU", right},
                       {"rodata", right},
                       {"stack", right},
                       {"source"}},
                      {}};
  for (const std::string& name : kernel::required_paths(era.architecture)) {
    const PathSpec& path = era.paths.at(name);
    std::vector<std::string> row{name};
    for (const int count : {path.text_pages, path.text_large_pages, path.direct_objects, path.direct_large_pages,
                            path.percpu_pages, path.rodata_pages, path.stack_pages})
      row.push_back(std::to_string(count));
    row.push_back(path.source);
    table.rows.push_back(std::move(row));
  }
  return table;
}

report::Document era_document(const Era& era) {
  return {
      report::Heading{1, fmt::format("{}: {}", era.name, era.title)},
      report::Paragraph{memory_text(era)},
      report::Heading{2, "Entry and exit"},
      report::Paragraph{
          "'fetch PLACE N' is N instructions in a page, 'read' and 'write' one reference, 'load ... root' a "
          "write of CR3. A place is the page that the running CPU or task has there."},
      sequence_table(era),
      report::Heading{2, "Instructions of the paths"},
      figure_table(path_figures(era)),
      report::Heading{2, "Pages of the paths"},
      report::Paragraph{"4K pages of kernel text and the 2M pages they lie in; objects in the direct map and the 2M "
                        "pages they lie in; 4K pages of the CPU's per-CPU area, of read-only data, of the stack."},
      footprint_table(era)};
}

void write_path(report::JsonWriter& json, const PathSpec& path) {
  const auto count = [&](std::string_view key, int value) { json.key(key).whole(std::uint64_t(value)); };
  json.begin_object().key("instructions");
  write_figure(json, path.instructions);
  count("text_pages", path.text_pages);
  count("text_large_pages", path.text_large_pages);
  count("direct_objects", path.direct_objects);
  count("direct_large_pages", path.direct_large_pages);
  count("percpu_pages", path.percpu_pages);
  count("rodata_pages", path.rodata_pages);
  count("stack_pages", path.stack_pages);
  json.key("source").text(path.source).end_object();
}

void write_memory(report::JsonWriter& json, const Era& era) {
  json.key("tick").begin_object().key("hz").whole(std::uint64_t(era.hz)).end_object();
  json.key("memory").begin_object();
  json.key("text_large_pages").whole(std::uint64_t(era.text_large_pages));
  json.key("rodata_large_pages").whole(std::uint64_t(era.rodata_large_pages));
  json.key("data_large_pages").whole(std::uint64_t(era.data_large_pages));
  json.key("bytes").whole(era.memory_bytes).end_object();
}

std::string era_json(const Era& era) {
  report::JsonWriter json;
  json.begin_object().key("schema").text("tollgate.kernel/1");
  json.key("name").text(era.name).key("title").text(era.title);
  write_memory(json, era);
  json.key("sequence").begin_object();
  for (const std::string& name : kernel::required_sequences(era.architecture))
    json.key(name).texts(step_texts(era.sequence(name)));
  json.end_object().key("path").begin_object();
  for (const std::string& name : kernel::required_paths(era.architecture)) {
    json.key(name);
    write_path(json, era.paths.at(name));
  }
  json.end_object().end_object();
  return std::move(json).finish();
}

}  // namespace

Result<std::vector<ListEntry>> kernel_entries() {
  return file_entries("kernels",
                      [](const std::string& path) -> Result<std::string> { return TRY(kernel::load_era(path)).title; });
}

Result<ListDetail> kernel_detail(const std::string& name, const std::vector<std::string>& settings) {
  const auto path = TRY(find_data_file("kernels", name));
  const Era era = TRY(kernel::load_era(path.string(), settings));
  return ListDetail{era_document(era), era_json(era)};
}

}  // namespace tollgate::cli
