#include "cli/trace_info.h"

#include <fmt/core.h>

#include "base/text.h"
#include "report/json_writer.h"

namespace tollgate::cli {
namespace {

using trace::Examination;
using trace::TraceTotals;
using trace::WorkingSet;

std::string count(std::uint64_t number) { return with_commas(static_cast<long long>(number)); }

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

/// Bytes in the file for one reference before collapsing.
double bytes_per_reference(const Examination& found) {
  return ratio(static_cast<double>(found.chunk_bytes), static_cast<double>(found.totals.references()));
}

std::string pages_with_size(std::uint64_t pages) {
  return fmt::format("{} ({})", count(pages), human_bytes(4096.0 * static_cast<double>(pages)));
}

report::Table facts_table(const Examination& found) {
  const TraceTotals& totals = found.totals;
  report::Table table{{{""}, {""}}, {}};
  const auto row = [&](std::string name, std::string value) {
    table.rows.push_back({std::move(name), std::move(value)});
  };
  row("state", found.damage ? "DAMAGED: the figures are of the good part" : "complete");
  row("format", fmt::format("{}.{}", found.header.major, found.header.minor));
  row("architecture", found.header.architecture);
  row("origin", found.header.origin);
  row("kernel references", found.header.kernel == trace::KernelReferences::included ? "included" : "not recorded");
  row("streams", count(totals.streams.size()));
  row("references", count(totals.references()));
  row("runs", fmt::format("{} ({:.1f} references each)", count(totals.runs()),
                          ratio(static_cast<double>(totals.references()), static_cast<double>(totals.runs()))));
  row("footprint", fmt::format("{} pages", pages_with_size(totals.pages)));
  row("  fetched", fmt::format("{} pages", pages_with_size(totals.fetch_pages)));
  row("  read or written", fmt::format("{} pages", pages_with_size(totals.data_pages)));
  row("chunks", count(found.chunks));
  row("file", fmt::format("{} bytes", count(found.file_bytes)));
  row("compression",
      fmt::format("{:.1f} to 1 over its own encoding, {:.4f} bytes a reference",
                  ratio(static_cast<double>(found.uncompressed_bytes), static_cast<double>(found.chunk_bytes)),
                  bytes_per_reference(found)));
  return table;
}

report::Table modes_table(const TraceTotals& totals) {
  using enum report::Align;
  report::Table table{{{"mode"},
                       {"instructions", right},
                       {"reads", right},
                       {"writes", right},
                       {"fetch runs", right},
                       {"data runs", right}},
                      {}};
  for (std::size_t i = 0; i < totals.modes.size(); ++i) {
    const trace::ModeTotals& mode = totals.modes[i];
    table.rows.push_back({i == 0 ? "user" : "kernel", count(mode.instructions), count(mode.reads), count(mode.writes),
                          count(mode.fetch_runs), count(mode.data_runs)});
  }
  return table;
}

constexpr std::array<const char*, 3> kPageSizes{"4K", "2M", "1G"};

report::Table footprint_table(const WorkingSet& memory) {
  using enum report::Align;
  report::Table table{{{"distinct pages"}, {"4K", right}, {"2M", right}, {"1G", right}}, {}};
  const auto footprint = memory.footprint();
  for (std::size_t mode = 0; mode < 2; ++mode)
    table.rows.push_back({mode == 0 ? "user" : "kernel", count(footprint[mode][0]), count(footprint[mode][1]),
                          count(footprint[mode][2])});
  return table;
}

/// Windows up to the first that holds the longest stream.
std::size_t windows_shown(const WorkingSet& memory) {
  std::size_t shown = 1;
  while (shown < WorkingSet::kWindows.size() && WorkingSet::kWindows[shown - 1] < memory.longest_stream()) ++shown;
  return shown;
}

report::Table working_set_table(const WorkingSet& memory) {
  using enum report::Align;
  report::Table table{{{"last references of a stream", right}, {"mean 4K pages among them", right}}, {}};
  for (std::size_t i = 0; i < windows_shown(memory); ++i)
    table.rows.push_back({count(WorkingSet::kWindows[i]), fmt::format("{:.1f}", memory.mean_pages(i))});
  return table;
}

void write_memory(report::JsonWriter& json, const WorkingSet* memory) {
  if (memory == nullptr) {
    json.key("distinct_pages").null().key("working_set").null();
    return;
  }
  json.key("distinct_pages").begin_object();
  const auto footprint = memory->footprint();
  for (std::size_t mode = 0; mode < 2; ++mode) {
    json.key(mode == 0 ? "user" : "kernel").begin_object();
    for (std::size_t size = 0; size < kPageSizes.size(); ++size)
      json.key(kPageSizes[size]).whole(footprint[mode][size]);
    json.end_object();
  }
  json.end_object().key("working_set").begin_array();
  for (std::size_t i = 0; i < windows_shown(*memory); ++i) {
    json.begin_object().key("window_references").whole(WorkingSet::kWindows[i]);
    json.key("mean_pages").number(memory->mean_pages(i)).end_object();
  }
  json.end_array();
}

report::Table events_table(const TraceTotals& totals) {
  report::Table table{{{"event"}, {"count", report::Align::right}}, {}};
  for (std::size_t i = 0; i < totals.events.size(); ++i)
    if (totals.events[i] > 0)
      table.rows.push_back({std::string(trace::kEventKindInfo[i].name), count(totals.events[i])});
  if (totals.unknown_events > 0) table.rows.push_back({"of unknown kinds", count(totals.unknown_events)});
  return table;
}

report::Table streams_table(const Examination& found) {
  using enum report::Align;
  report::Table table{{{"stream", right}, {"records", right}, {"references", right}}, {}};
  for (const trace::StreamSummary& stream : found.streams)
    table.rows.push_back({count(stream.stream), count(stream.records), count(stream.references)});
  return table;
}

void write_totals(report::JsonWriter& json, const TraceTotals& totals) {
  json.key("references").whole(totals.references()).key("instructions").whole(totals.instructions());
  json.key("reads").whole(totals.reads()).key("writes").whole(totals.writes()).key("runs").whole(totals.runs());
  json.key("modes").begin_object();
  for (std::size_t i = 0; i < totals.modes.size(); ++i) {
    const trace::ModeTotals& mode = totals.modes[i];
    json.key(i == 0 ? "user" : "kernel").begin_object();
    json.key("instructions").whole(mode.instructions).key("reads").whole(mode.reads).key("writes").whole(mode.writes);
    json.key("fetch_runs").whole(mode.fetch_runs).key("data_runs").whole(mode.data_runs).end_object();
  }
  json.end_object();
  json.key("footprint_pages").begin_object().key("fetch").whole(totals.fetch_pages);
  json.key("data").whole(totals.data_pages).key("all").whole(totals.pages).end_object();
  json.key("events").begin_object();
  for (std::size_t i = 0; i < totals.events.size(); ++i)
    if (totals.events[i] > 0) json.key(trace::kEventKindInfo[i].name).whole(totals.events[i]);
  json.end_object().key("unknown_events").whole(totals.unknown_events);
}

}  // namespace

report::Document trace_info_document(const std::string& path, const Examination& found, const WorkingSet* memory) {
  report::Document document{report::Heading{1, path}, facts_table(found), modes_table(found.totals)};
  if (memory != nullptr) {
    document.emplace_back(footprint_table(*memory));
    document.emplace_back(working_set_table(*memory));
  }
  if (auto events = events_table(found.totals); !events.rows.empty()) document.emplace_back(std::move(events));
  if (found.streams.size() > 1) document.emplace_back(streams_table(found));
  return document;
}

std::string trace_info_json(const std::string& path, const Examination& found, const WorkingSet* memory) {
  report::JsonWriter json;
  json.begin_object().key("schema").text("tollgate.trace_info/1").key("path").text(path);
  json.key("complete").flag(!found.damage.has_value()).key("damage");
  if (found.damage)
    json.text(found.damage->message);
  else
    json.null();
  json.key("format").text(fmt::format("{}.{}", found.header.major, found.header.minor));
  json.key("architecture").text(found.header.architecture).key("page_shift").whole(found.header.page_shift);
  json.key("kernel_references").flag(found.header.kernel == trace::KernelReferences::included);
  json.key("origin").text(found.header.origin);
  write_totals(json, found.totals);
  write_memory(json, memory);
  json.key("streams").begin_array();
  for (const trace::StreamSummary& stream : found.streams) {
    json.begin_object().key("stream").whole(stream.stream).key("records").whole(stream.records);
    json.key("references").whole(stream.references).end_object();
  }
  json.end_array().key("chunks").whole(found.chunks).key("file_bytes").whole(found.file_bytes);
  json.key("chunk_bytes").whole(found.chunk_bytes).key("uncompressed_bytes").whole(found.uncompressed_bytes);
  json.key("bytes_per_reference").number(bytes_per_reference(found)).end_object();
  return std::move(json).finish();
}

}  // namespace tollgate::cli
