#include "cli/list_workloads.h"

#include <fmt/core.h>

#include <optional>

#include "base/text.h"
#include "cli/data_paths.h"
#include "cli/list_figures.h"
#include "report/json_writer.h"
#include "trace/reader.h"
#include "workload/workload.h"

namespace tollgate::cli {
namespace {

using workload::Extent;
using workload::Workload;

/// What a trace says of itself at its end.
struct RecordingTotals {
  std::string origin;
  trace::TraceTotals totals;
};

Result<std::optional<RecordingTotals>> read_totals(const Workload& workload) {
  if (workload.recording_path.empty()) return std::optional<RecordingTotals>();
  const auto reader = TRY(trace::TraceReader::open(workload.recording_path));
  return std::optional<RecordingTotals>({reader.header().origin, reader.totals()});
}

std::uint64_t system_calls(const RecordingTotals& recording) {
  return recording.totals.events[static_cast<std::size_t>(trace::Kind::syscall) - trace::kFirstEvent];
}

std::string kind_text(const Workload& workload) {
  return fmt::format("Kind {}: {}. Runs on {}; measured {}.", workload.kind->name, workload.kind->meaning,
                     workload.cpus > 0 ? counted(workload.cpus, "CPU") : "all CPUs of the machine",
                     workload.kind->extent == Extent::window ? "in a window, after a warm-up"
                                                             : "from the start until its programs have exited");
}

std::vector<ListedFigure> listed_figures(const Workload& workload) {
  std::vector<ListedFigure> figures = {
      {"base_cpi.user", "cycles an instruction of user code, page walks left out", &workload.user_cpi},
      {"base_cpi.kernel", "cycles an instruction of kernel code, page walks left out", &workload.kernel_cpi}};
  for (const auto& need : workload.kind->figures)
    figures.push_back({fmt::format("program.{}", need.name), std::string(need.meaning),
                       &workload.figures.at(std::string(need.name))});
  return figures;
}

std::string count(std::uint64_t number) { return with_commas(static_cast<long long>(number)); }

void add_recording(report::Document& document, const Workload& workload,
                   const std::optional<RecordingTotals>& recording) {
  if (!workload.kind->needs_recording) return;
  document.emplace_back(report::Heading{2, "Recording"});
  if (!recording) {
    document.emplace_back(report::Paragraph{"None of its own: it replays the FILE of --workload trace:FILE."});
    return;
  }
  const trace::TraceTotals& totals = recording->totals;
  report::Table table{{{"of the trace"}, {"value"}}, {}};
  table.rows = {
      {"file", workload.recording_path},
      {"origin", recording->origin},
      {"instructions", count(totals.instructions())},
      {"references", count(totals.references())},
      {"footprint", fmt::format("{} pages ({})", count(totals.pages), human_bytes(4096.0 * double(totals.pages)))},
      {"system calls", system_calls(*recording) > 0
                           ? count(system_calls(*recording)) + ", whose rate replaces program.syscalls_per_minsn"
                           : "not recorded: their rate is program.syscalls_per_minsn"}};
  document.emplace_back(table);
}

report::Document workload_document(const Workload& workload, const std::optional<RecordingTotals>& recording) {
  const std::vector<ListedFigure> figures = listed_figures(workload);
  report::Document document{report::Heading{1, fmt::format("{}: {}", workload.name, workload.title)},
                            report::Paragraph{kind_text(workload)}, report::Heading{2, "Figures"},
                            figure_table(figures), figure_meanings(figures)};
  add_recording(document, workload, recording);
  return document;
}

void write_recording(report::JsonWriter& json, const Workload& workload,
                     const std::optional<RecordingTotals>& recording) {
  if (!recording) {
    json.null();
    return;
  }
  json.begin_object().key("file").text(workload.recording_path).key("origin").text(recording->origin);
  json.key("instructions").whole(recording->totals.instructions());
  json.key("references").whole(recording->totals.references());
  json.key("pages").whole(recording->totals.pages);
  json.key("system_calls").whole(system_calls(*recording)).end_object();
}

std::string workload_json(const Workload& workload, const std::optional<RecordingTotals>& recording) {
  report::JsonWriter json;
  json.begin_object().key("schema").text("tollgate.workload/1");
  json.key("name").text(workload.name).key("title").text(workload.title).key("kind").text(workload.kind->name);
  json.key("cpus");
  if (workload.cpus > 0) {
    json.whole(std::uint64_t(workload.cpus));
  } else {
    json.text("all");
  }
  json.key("extent").text(workload.kind->extent == Extent::window ? "window" : "completion").key("figures");
  write_figures(json, listed_figures(workload));
  json.key("recording");
  write_recording(json, workload, recording);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace

Result<std::vector<ListEntry>> workload_entries() {
  return file_entries("workloads", [](const std::string& path) -> Result<std::string> {
    return TRY(workload::read_workload(path, {})).title;
  });
}

Result<ListDetail> workload_detail(const std::string& name, const std::vector<std::string>& settings) {
  const auto path = TRY(find_data_file("workloads", name));
  const Workload workload = TRY(workload::read_workload(path.string(), settings));
  const auto recording = TRY(read_totals(workload));
  return ListDetail{workload_document(workload, recording), workload_json(workload, recording)};
}

}  // namespace tollgate::cli
