#include "cli/list_machines.h"

#include <fmt/core.h>

#include "base/text.h"
#include "cli/data_paths.h"
#include "cli/list_figures.h"
#include "cli/question.h"
#include "report/json_writer.h"

namespace tollgate::cli {
namespace {

using hw::FigureInfo;
using hw::Machine;
using hw::TlbArraySpec;

std::string sizes_text(const TlbArraySpec& array) {
  std::vector<std::string> sizes;
  for (const auto size : array.sizes) sizes.emplace_back(to_text(size));
  return join(sizes, " ");
}

std::string ways_text(const TlbArraySpec& array) {
  return array.ways == hw::kFullyAssociative ? "full" : std::to_string(array.ways);
}

std::string yes_no(bool value) { return value ? "yes" : "no"; }

std::string features_text(const hw::Features& features) {
  if (features.asid_bits > 0)
    return fmt::format("ASIDs of {} bits, VMIDs of {}.", features.asid_bits, features.vmid_bits);
  return fmt::format("PCID: {}. INVPCID: {}. Global pages: {}. Broadcast flush: {}.", yes_no(features.pcid),
                     yes_no(features.invpcid), yes_no(features.global_pages), yes_no(features.broadcast_flush));
}

std::string properties_text(const Machine& machine) {
  const auto& [cpus, threads, sockets] = machine.topology;
  return fmt::format("{}, {}, {} a core, {}. {}", machine.architecture, counted(cpus, "CPU"), threads,
                     counted(sockets, "socket"), features_text(machine.features));
}

report::Table array_table(const Machine& machine) {
  using report::Align;
  report::Table table{{{"array"},
                       {"level", Align::right},
                       {"side"},
                       {"pages"},
                       {"low", Align::right},
                       {"typical", Align::right},
                       {"high", Align::right},
                       {"ways", Align::right},
                       {"replacement"},
                       {"kind"},
                       {"source"}},
                      {}};
  for (const TlbArraySpec& array : machine.tlb)
    table.rows.push_back({array.per_thread ? array.name + " (a thread)" : array.name, std::to_string(array.level),
                          std::string(to_text(array.side)), sizes_text(array), bound_text(array.entries.low),
                          bound_text(array.entries.typical), bound_text(array.entries.high), ways_text(array),
                          std::string(to_text(array.replacement)), std::string(to_text(array.entries.kind)),
                          array.entries.source});
  return table;
}

std::vector<ListedFigure> listed_figures(const Machine& machine) {
  std::vector<ListedFigure> figures;
  for (const FigureInfo& info : hw::kFigures) {
    const bool has = machine.has_figure(info.id);
    figures.push_back({std::string(info.name),
                       fmt::format("{}{}", info.meaning, has ? "" : " (this machine does not have it)"),
                       has ? &machine.figure(info.id) : nullptr});
  }
  return figures;
}

void write_array(report::JsonWriter& json, const TlbArraySpec& array) {
  json.begin_object();
  json.key("name").text(array.name).key("level").whole(static_cast<std::uint64_t>(array.level));
  json.key("side").text(to_text(array.side)).key("sizes").begin_array();
  for (const auto size : array.sizes) json.text(to_text(size));
  json.end_array().key("entries");
  write_figure(json, array.entries);
  json.key("ways");
  if (array.ways == hw::kFullyAssociative) {
    json.text("full");
  } else {
    json.whole(static_cast<std::uint64_t>(array.ways));
  }
  json.key("replacement").text(to_text(array.replacement)).key("per_thread").flag(array.per_thread);
  json.end_object();
}

void write_properties(report::JsonWriter& json, const Machine& machine) {
  const auto& [cpus, threads, sockets] = machine.topology;
  json.key("features").begin_object();
  json.key("pcid").flag(machine.features.pcid).key("invpcid").flag(machine.features.invpcid);
  json.key("global_pages")
      .flag(machine.features.global_pages)
      .key("broadcast_flush")
      .flag(machine.features.broadcast_flush);
  json.key("asid_bits").whole(std::uint64_t(machine.features.asid_bits));
  json.key("vmid_bits").whole(std::uint64_t(machine.features.vmid_bits));
  json.end_object().key("topology").begin_object();
  json.key("cpus")
      .whole(static_cast<std::uint64_t>(cpus))
      .key("threads_per_core")
      .whole(static_cast<std::uint64_t>(threads));
  json.key("sockets").whole(static_cast<std::uint64_t>(sockets));
  json.end_object();
}

}  // namespace

report::Document machine_document(const Machine& machine) {
  const std::vector<ListedFigure> figures = listed_figures(machine);
  return {
      report::Heading{1, fmt::format("{}: {}", machine.name, machine.title)},
      report::Paragraph{properties_text(machine)},
      report::Heading{2, "TLB arrays"},
      array_table(machine),
      report::Heading{2, "Figures"},
      report::Paragraph{"Low and high are bounds, typical is the median. ns become cycles once, with the drawn clock."},
      figure_table(figures),
      report::Heading{2, "What the figures mean"},
      figure_meanings(figures)};
}

std::string machine_json(const Machine& machine) {
  report::JsonWriter json;
  json.begin_object().key("schema").text("tollgate.machine/1");
  json.key("name").text(machine.name).key("title").text(machine.title).key("architecture").text(machine.architecture);
  write_properties(json, machine);
  json.key("tlb").begin_array();
  for (const TlbArraySpec& array : machine.tlb) write_array(json, array);
  json.end_array().key("figures");
  write_figures(json, listed_figures(machine));
  json.end_object();
  return std::move(json).finish();
}

Result<std::vector<ListEntry>> machine_entries() {
  return file_entries("machines",
                      [](const std::string& path) -> Result<std::string> { return TRY(hw::load_machine(path)).title; });
}

Result<ListDetail> machine_detail(const std::string& name, const std::vector<std::string>& settings) {
  const auto path = TRY(find_data_file("machines", name));
  const Machine machine = TRY(hw::load_machine(
      path.string(), settings, [](const std::string& parent) { return find_data("machines", parent); }));
  return ListDetail{machine_document(machine), machine_json(machine)};
}

}  // namespace tollgate::cli
