#include "cli/trace_simulation.h"

#include <fmt/core.h>

#include "base/text.h"
#include "report/json_writer.h"

namespace tollgate::cli {
namespace {

using simulate::Counts;
using simulate::Curve;
using simulate::SideCounts;
using simulate::StreamResult;

constexpr std::array<const char*, 2> kModes{"user", "kernel"};
constexpr std::array<const char*, 2> kSides{"data", "instruction"};

std::string count(std::uint64_t number) { return with_commas(static_cast<long long>(number)); }
std::string percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.4g}", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

SideCounts total(const Simulation& simulation, std::size_t setup) {
  SideCounts sum{};
  for (const StreamResult& stream : simulation.streams) sum += stream.counts[setup];
  return sum;
}

std::vector<std::string> level_row(std::string mode, std::string level, std::uint64_t lookups, std::uint64_t misses,
                                   const simulate::Causes& causes) {
  std::vector<std::string> row{std::move(mode),         std::move(level), count(lookups),
                               count(lookups - misses), count(misses),    percent(misses, lookups)};
  const bool known = causes.total() == misses;
  for (const std::uint64_t cause : {causes.cold, causes.capacity, causes.refill_mm_switch, causes.refill_flush})
    row.push_back(known ? count(cause) : "-");
  return row;
}

report::Table levels_table(const SideCounts& sum) {
  using enum report::Align;
  report::Table table{{{"mode"},
                       {"level"},
                       {"lookups", right},
                       {"hits", right},
                       {"misses", right},
                       {"%", right},
                       {"cold", right},
                       {"capacity", right},
                       {"after mm switch", right},
                       {"after flush", right}},
                      {}};
  for (std::size_t mode = 0; mode < 2; ++mode) {
    const Counts& data = sum[2 * mode];
    const Counts& fetch = sum[2 * mode + 1];
    if (data.lookups + fetch.lookups == 0) continue;
    simulate::Causes walks = data.walk_causes;
    walks += fetch.walk_causes;
    table.rows.push_back(level_row(kModes[mode], "L1 I", fetch.lookups, fetch.l1_misses, fetch.l1_causes));
    table.rows.push_back(level_row(kModes[mode], "L1 D", data.lookups, data.l1_misses, data.l1_causes));
    table.rows.push_back(
        level_row(kModes[mode], "L2", data.l1_misses + fetch.l1_misses, data.walks + fetch.walks, walks));
  }
  return table;
}

report::Table walks_table(const SideCounts& sum) {
  using enum report::Align;
  report::Table table{{{"mode"},
                       {"walks of"},
                       {"walks", right},
                       {"from PDE", right},
                       {"from PDPTE", right},
                       {"from PML4E", right},
                       {"from root", right},
                       {"entries read", right}},
                      {}};
  for (std::size_t mode = 0; mode < 2; ++mode)
    for (std::size_t side : {1, 0}) {
      const Counts& counts = sum[2 * mode + side];
      if (counts.lookups == 0) continue;
      const auto& cached = counts.walk_cache_hits;
      table.rows.push_back({kModes[mode], side != 0 ? "fetches" : "accesses", count(counts.walks), count(cached[0]),
                            count(cached[1]), count(cached[2]), count(counts.walks - cached[0] - cached[1] - cached[2]),
                            count(counts.table_fetches)});
    }
  return table;
}

report::Table streams_table(const Simulation& simulation, std::size_t setup) {
  using enum report::Align;
  report::Table table{{{"stream", right},
                       {"mode"},
                       {"L1 I lookups", right},
                       {"L1 I misses", right},
                       {"L1 D lookups", right},
                       {"L1 D misses", right},
                       {"walks", right}},
                      {}};
  for (const StreamResult& stream : simulation.streams)
    for (std::size_t mode = 0; mode < 2; ++mode) {
      const Counts& data = stream.counts[setup][2 * mode];
      const Counts& fetch = stream.counts[setup][2 * mode + 1];
      if (data.lookups + fetch.lookups == 0) continue;
      table.rows.push_back({count(stream.stream), kModes[mode], count(fetch.lookups), count(fetch.l1_misses),
                            count(data.lookups), count(data.l1_misses), count(data.walks + fetch.walks)});
    }
  return table;
}

const char* level_name(Curve::Level level) {
  return level == Curve::Level::l1d ? "l1d" : level == Curve::Level::l1i ? "l1i" : "l2";
}

/// What a swept level saw, and what of it missed.
struct Point {
  std::array<std::uint64_t, 2> lookups{};  // by mode
  std::array<std::uint64_t, 2> misses{};
};
Point point_of(const Simulation& simulation, const Sweep& sweep, std::size_t index) {
  Point point;
  const std::size_t setup = sweep.curve >= 0 ? 0 : sweep.setups[index];
  for (const StreamResult& stream : simulation.streams)
    for (std::size_t mode = 0; mode < 2; ++mode) {
      const Counts& data = stream.counts[setup][2 * mode];
      const Counts& fetch = stream.counts[setup][2 * mode + 1];
      const bool l2 = sweep.level == Curve::Level::l2;
      const Counts& side = sweep.level == Curve::Level::l1i ? fetch : data;
      point.lookups[mode] += l2 ? data.l1_misses + fetch.l1_misses : side.lookups;
      if (sweep.curve >= 0)
        point.misses[mode] +=
            stream.curves[std::size_t(sweep.curve)].misses(static_cast<trace::Mode>(mode), sweep.ways[index]);
      else
        point.misses[mode] += l2 ? data.walks + fetch.walks : side.l1_misses;
    }
  return point;
}

std::string sweep_words(const Simulation& simulation, const Sweep& sweep) {
  return fmt::format("Misses of {} in {} {} of {} to {} ways, the other arrays as in '{}': {}.",
                     level_name(sweep.level), count(sweep.sets), sweep.sets == 1 ? "set" : "sets", sweep.ways.front(),
                     sweep.ways.back(), simulation.setups.front().name,
                     sweep.curve >= 0
                         ? "exact for every size, from one pass over its LRU lists"
                         : "plain simulation of each size, since " + simulation.policy + " has no stack property");
}

report::Table sweep_table(const Simulation& simulation, const Sweep& sweep) {
  using enum report::Align;
  report::Table table{{{"entries", right},
                       {"ways", right},
                       {"lookups", right},
                       {"misses", right},
                       {"%", right},
                       {"user", right},
                       {"kernel", right}},
                      {}};
  for (std::size_t i = 0; i < sweep.ways.size(); ++i) {
    const Point point = point_of(simulation, sweep, i);
    const std::uint64_t lookups = point.lookups[0] + point.lookups[1], misses = point.misses[0] + point.misses[1];
    table.rows.push_back({count(sweep.sets * std::uint64_t(sweep.ways[i])), count(std::uint64_t(sweep.ways[i])),
                          count(lookups), count(misses), percent(misses, lookups), count(point.misses[0]),
                          count(point.misses[1])});
  }
  return table;
}

std::string setup_words(const simulate::Setup& setup) {
  return fmt::format("{}; {}{}.",
                     setup.tags == simulate::Tags::pcid ? "Entries are tagged with their address space"
                                                        : "Entries are not tagged: an mm switch flushes",
                     setup.globals == simulate::Globals::kernel ? "the kernel's half is global" : "no entry is global",
                     setup.walk_caches == simulate::WalkCaches::Entries{}
                         ? "; no walk caches"
                         : fmt::format("; walk caches of {} PDE, {} PDPTE and {} PML4E entries", setup.walk_caches[0],
                                       setup.walk_caches[1], setup.walk_caches[2]));
}

void write_causes(report::JsonWriter& json, const simulate::Causes& causes, std::uint64_t misses) {
  json.key("causes");
  if (causes.total() != misses) {
    json.null();
    return;
  }
  json.begin_object().key("cold").whole(causes.cold).key("capacity").whole(causes.capacity);
  json.key("after_mm_switch").whole(causes.refill_mm_switch).key("after_flush").whole(causes.refill_flush).end_object();
}

void write_counts(report::JsonWriter& json, const SideCounts& sum) {
  for (std::size_t mode = 0; mode < 2; ++mode) {
    json.key(kModes[mode]).begin_object();
    for (std::size_t side : {1, 0}) {
      const Counts& counts = sum[2 * mode + side];
      json.key(kSides[side]).begin_object();
      json.key("l1").begin_object().key("lookups").whole(counts.lookups);
      json.key("hits").whole(counts.lookups - counts.l1_misses).key("misses").whole(counts.l1_misses);
      write_causes(json, counts.l1_causes, counts.l1_misses);
      json.end_object().key("l2").begin_object().key("lookups").whole(counts.l1_misses);
      json.key("hits").whole(counts.l1_misses - counts.walks).key("misses").whole(counts.walks);
      write_causes(json, counts.walk_causes, counts.walks);
      json.end_object().key("walks").begin_object().key("total").whole(counts.walks);
      json.key("from_pde").whole(counts.walk_cache_hits[0]).key("from_pdpte").whole(counts.walk_cache_hits[1]);
      json.key("from_pml4e").whole(counts.walk_cache_hits[2]).key("entries_read").whole(counts.table_fetches);
      json.end_object().end_object();
    }
    json.end_object();
  }
}

void write_setup(report::JsonWriter& json, const Simulation& simulation, std::size_t index) {
  const simulate::Setup& setup = simulation.setups[index];
  json.begin_object().key("name").text(setup.name);
  json.key("tags").text(setup.tags == simulate::Tags::pcid ? "pcid" : "none");
  json.key("global").text(setup.globals == simulate::Globals::kernel ? "kernel" : "none");
  json.key("walk_caches")
      .begin_object()
      .key("pde")
      .whole(setup.walk_caches[0])
      .key("pdpte")
      .whole(setup.walk_caches[1]);
  json.key("pml4e").whole(setup.walk_caches[2]).end_object();
  json.key("arrays").begin_array();
  for (const auto& array : setup.machine.tlb) {
    json.begin_object().key("name").text(array.name).key("level").whole(std::uint64_t(array.level));
    json.key("side").text(hw::to_text(array.side)).key("sets").whole(std::uint64_t(array.sets));
    json.key("ways")
        .whole(std::uint64_t(array.ways))
        .key("replacement")
        .text(hw::to_text(array.replacement))
        .end_object();
  }
  json.end_array().key("total").begin_object();
  write_counts(json, total(simulation, index));
  json.end_object().key("streams").begin_array();
  for (const StreamResult& stream : simulation.streams) {
    json.begin_object().key("stream").whole(stream.stream);
    write_counts(json, stream.counts[index]);
    json.end_object();
  }
  json.end_array().end_object();
}

}  // namespace

report::Document trace_simulation_document(const Simulation& simulation) {
  report::Document document{report::Heading{1, simulation.path}};
  document.emplace_back(report::Paragraph{
      fmt::format("Replacement: {}. Page sizes: {}. Switches of the address space: {}; "
                  "flushes: {}.",
                  simulation.policy, simulation.page_sizes, count(simulation.switches), count(simulation.flushes))});
  for (std::size_t i = 0; i < simulation.shown; ++i) {
    const SideCounts sum = total(simulation, i);
    document.emplace_back(report::Heading{2, simulation.setups[i].name});
    document.emplace_back(report::Paragraph{setup_words(simulation.setups[i])});
    document.emplace_back(levels_table(sum));
    document.emplace_back(walks_table(sum));
    if (simulation.streams.size() > 1) document.emplace_back(streams_table(simulation, i));
  }
  for (const Sweep& sweep : simulation.sweeps) {
    document.emplace_back(report::Heading{2, fmt::format("sweep of {}", level_name(sweep.level))});
    document.emplace_back(report::Paragraph{sweep_words(simulation, sweep)});
    document.emplace_back(sweep_table(simulation, sweep));
  }
  return document;
}

std::string trace_simulation_json(const Simulation& simulation) {
  report::JsonWriter json;
  json.begin_object().key("schema").text("tollgate.trace_simulation/1").key("path").text(simulation.path);
  json.key("origin").text(simulation.origin).key("replacement").text(simulation.policy);
  json.key("page_sizes").text(simulation.page_sizes);
  json.key("mm_switches").whole(simulation.switches).key("flushes").whole(simulation.flushes);
  json.key("setups").begin_array();
  for (std::size_t i = 0; i < simulation.shown; ++i) write_setup(json, simulation, i);
  json.end_array().key("sweeps").begin_array();
  for (const Sweep& sweep : simulation.sweeps) {
    json.begin_object().key("level").text(level_name(sweep.level)).key("sets").whole(sweep.sets);
    json.key("method").text(sweep.curve >= 0 ? "stack" : "simulation").key("points").begin_array();
    for (std::size_t i = 0; i < sweep.ways.size(); ++i) {
      const Point point = point_of(simulation, sweep, i);
      json.begin_object().key("entries").whole(sweep.sets * std::uint64_t(sweep.ways[i]));
      json.key("ways").whole(std::uint64_t(sweep.ways[i])).key("lookups").whole(point.lookups[0] + point.lookups[1]);
      json.key("misses").whole(point.misses[0] + point.misses[1]).key("misses_user").whole(point.misses[0]);
      json.key("misses_kernel").whole(point.misses[1]).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().key("warnings").texts(simulation.warnings).end_object();
  return std::move(json).finish();
}

}  // namespace tollgate::cli
