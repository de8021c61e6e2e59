#include "cli/trace_simulate.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/text.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/trace_simulation.h"
#include "trace/records.h"

namespace tollgate::cli {
namespace {

using simulate::Curve;
using simulate::Geometries;
using simulate::Geometry;
using simulate::Setup;

constexpr std::size_t kMostSetups = 256;
constexpr int kMostPoints = 4096;  // of a sweep

hw::Replacement policy_of(const std::string& text) {
  for (const auto policy : {hw::Replacement::fifo, hw::Replacement::plru, hw::Replacement::random})
    if (text == hw::to_text(policy)) return policy;
  return hw::Replacement::lru;
}

Result<std::vector<Geometry>> geometries_of(const Arguments& arguments, std::string_view option) {
  std::vector<Geometry> geometries;
  for (const std::string& text : split(arguments.text(option), ','))
    geometries.push_back(text == "none" && option == "--l2" ? Geometry{} : TRY(simulate::parse_geometry(text, option)));
  return geometries;
}

/// "32,4,4" to entries.
Result<simulate::WalkCaches::Entries> walk_caches_of(const std::string& text) {
  simulate::WalkCaches::Entries entries{};
  const auto parts = split(text, ',');
  for (std::size_t i = 0; i < parts.size() && parts.size() == entries.size(); ++i) {
    const auto [end, error] = std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), entries[i]);
    if (error == std::errc() && end == parts[i].data() + parts[i].size() && entries[i] <= 4096) continue;
    return fail(fmt::format("--walk-caches '{}': '{}' is no number of entries up to 4096", text, parts[i]));
  }
  if (parts.size() == entries.size()) return entries;
  return fail(fmt::format("--walk-caches '{}': write three numbers, of PDE, PDPTE and PML4E entries, as 32,4,4", text));
}

Result<std::vector<Setup>> geometry_setups(const Arguments& arguments) {
  const hw::Replacement policy = policy_of(arguments.text("--policy"));
  const auto walk_caches = TRY(walk_caches_of(arguments.text("--walk-caches")));
  std::vector<Setup> setups;
  for (const Geometry& l1d : TRY(geometries_of(arguments, "--l1d")))
    for (const Geometry& l1i : TRY(geometries_of(arguments, "--l1i")))
      for (const Geometry& l2 : TRY(geometries_of(arguments, "--l2"))) {
        setups.push_back(TRY(simulate::geometry_setup({l1d, l1i, l2}, policy)));
        setups.back().walk_caches = walk_caches;
        if (setups.size() > kMostSetups)
          return fail(fmt::format("more than {} combinations of geometries", kMostSetups));
      }
  return setups;
}

Result<std::vector<Setup>> setups_of(const Arguments& arguments) {
  std::vector<Setup> setups;
  if (!arguments.given("--machine")) {
    setups = TRY(geometry_setups(arguments));
  } else {
    for (const char* option : {"--l1d", "--l1i", "--l2", "--policy", "--walk-caches", "--sweep"})
      if (arguments.given(option))
        return fail(fmt::format("{} and --machine exclude each other: a machine has its own", option));
    for (const std::string& name : split(arguments.text("--machine"), ','))
      setups.push_back(simulate::machine_setup(TRY(hw::load_machine(TRY(find_data("machines", name))))));
  }
  for (Setup& setup : setups) {
    if (arguments.given("--tags"))
      setup.tags = arguments.text("--tags") == "pcid" ? simulate::Tags::pcid : simulate::Tags::none;
    if (arguments.given("--global"))
      setup.globals = arguments.text("--global") == "kernel" ? simulate::Globals::kernel : simulate::Globals::none;
    if (arguments.flag("--no-causes")) setup.why = simulate::WhyMissed::skip;
  }
  return setups;
}

Result<simulate::PageSizes> page_sizes_of(const std::string& text) {
  for (const auto size : {hw::PageSize::k4K, hw::PageSize::k2M, hw::PageSize::k1G})
    if (text == hw::to_text(size)) return simulate::PageSizes::all(size);
  std::uint32_t pages = text == "dense" ? 256 : 0;
  if (text.starts_with("dense:")) std::from_chars(text.data() + 6, text.data() + text.size(), pages);
  if (pages >= 1 && pages <= 512 && (text == "dense" || text == fmt::format("dense:{}", pages)))
    return simulate::PageSizes::dense(pages);
  const std::vector<std::string> known{"4K", "2M", "1G", "dense", "dense:N"};
  return fail(fmt::format("--page '{}': there is no such mapping{}", text, did_you_mean(text, known)));
}

/// A level and the ways that a range of entries comes to, with the number of sets it has.
Result<Sweep> sweep_of(const std::string& text, const Geometries& geometries) {
  Sweep sweep;
  const std::size_t equals = text.find('='), dots = text.find("..");
  const std::string level = text.substr(0, equals);
  const Geometry* base = level == "l1d" ? &geometries.l1d : level == "l1i" ? &geometries.l1i : &geometries.l2;
  if (level == "l1i") sweep.level = Curve::Level::l1i;
  if (level == "l2") sweep.level = Curve::Level::l2;
  if (level != "l1d" && level != "l1i" && level != "l2")
    return fail(fmt::format("--sweep '{}': the levels are l1d, l1i and l2; write l1d=16..256", text));
  if (base->entries == 0) return fail("--sweep l2 needs an l2: name its geometry with --l2 ExW");
  int low = 0, high = 0;
  if (equals != std::string::npos && dots != std::string::npos && dots > equals) {
    std::from_chars(text.data() + equals + 1, text.data() + dots, low);
    std::from_chars(text.data() + dots + 2, text.data() + text.size(), high);
  }
  if (low < 1 || high < low || text != fmt::format("{}={}..{}", level, low, high))
    return fail(fmt::format("--sweep '{}' is no range of entries: write {}=16..256", text, level));
  sweep.sets = std::uint64_t(base->sets());
  const int sets = base->sets();
  if (high > 1 << 20 || high / sets - (low - 1) / sets > kMostPoints)
    return fail(fmt::format("--sweep '{}': more than {} sizes", text, kMostPoints));
  for (int ways = (low + sets - 1) / sets; ways * sets <= high; ++ways) sweep.ways.push_back(ways);
  if (sweep.ways.empty())
    return fail(
        fmt::format("--sweep '{}': no size of {} sets (from --{} {}) lies in it", text, sets, level, base->text()));
  return sweep;
}

/// The requests of a run: setups, and the curves of the first of them.
struct Plan {
  std::vector<Setup> setups;
  std::vector<simulate::CurveRequest> curves;
};

/// Adds what --sweep asks for, by its stack where the policy has one, else size by size.
Result<std::vector<Sweep>> add_sweeps(const Arguments& arguments, Plan& plan) {
  std::vector<Sweep> sweeps;
  if (!arguments.given("--sweep")) return sweeps;
  if (plan.setups.size() != 1) return fail("--sweep needs one geometry to start from");
  const hw::Replacement policy = policy_of(arguments.text("--policy"));
  const Geometries base{TRY(geometries_of(arguments, "--l1d"))[0], TRY(geometries_of(arguments, "--l1i"))[0],
                        TRY(geometries_of(arguments, "--l2"))[0]};
  for (const std::string& text : split(arguments.text("--sweep"), ',')) {
    Sweep& sweep = sweeps.emplace_back(TRY(sweep_of(text, base)));
    if (policy == hw::Replacement::lru) {
      sweep.curve = int(plan.curves.size());
      plan.curves.push_back({sweep.level, sweep.sets, sweep.ways.back()});
      continue;
    }
    if (policy == hw::Replacement::plru)
      std::erase_if(sweep.ways, [](int ways) { return (ways & (ways - 1)) != 0 || ways > 64; });
    for (const int ways : sweep.ways) {
      Geometries varied = base;
      Geometry& geometry = sweep.level == Curve::Level::l1d   ? varied.l1d
                           : sweep.level == Curve::Level::l1i ? varied.l1i
                                                              : varied.l2;
      geometry = {int(sweep.sets) * ways, ways};
      Setup setup = TRY(simulate::geometry_setup(varied, policy));
      setup.tags = plan.setups[0].tags;
      setup.globals = plan.setups[0].globals;
      setup.why = simulate::WhyMissed::skip;
      sweep.setups.push_back(plan.setups.size());
      plan.setups.push_back(std::move(setup));
      if (plan.setups.size() > kMostSetups)
        return fail(
            fmt::format("--sweep with --policy {}: more than {} sizes to simulate", hw::to_text(policy), kMostSetups));
    }
    if (sweep.ways.empty()) return fail(fmt::format("--sweep '{}': no size in it has a power of two of ways", text));
  }
  return sweeps;
}

std::vector<std::string> setup_warnings(const std::vector<Setup>& setups) {
  std::vector<std::string> texts;
  for (const Setup& setup : setups)
    for (const auto& array : setup.machine.tlb)
      if (array.level == 1 && array.side == hw::Side::both)
        texts.push_back(
            fmt::format("{}: its first level is shared by fetches and accesses, whose runs are collapsed apart: "
                        "its misses are not exact",
                        setup.name));
  return texts;
}

Result<Simulation> simulate_trace(const Arguments& arguments) {
  Simulation simulation;
  simulation.path = arguments.text("FILE");
  std::error_code ignored;
  if (std::filesystem::equivalent(simulation.path, arguments.text("-o"), ignored))
    return fail("the output is the input; name another file", {simulation.path});
  Plan plan{TRY(setups_of(arguments)), {}};
  simulation.shown = plan.setups.size();
  simulation.sweeps = TRY(add_sweeps(arguments, plan));
  simulate::PageSizes sizes = TRY(page_sizes_of(arguments.text("--page")));
  ProgressBar bar("simulating");
  if (sizes.needs_notes()) {
    if (simulation.path == "-")
      return fail("--page dense reads the trace twice, and standard input can be read once: save it first");
    TRY(trace::read_records(simulation.path, [&](std::span<const trace::Record> records) -> Result<void> {
      sizes.note(records);
      return {};
    }));
    sizes.settle();
  }
  simulation.page_sizes = sizes.text();
  simulate::Simulator simulator(plan.setups, std::move(sizes), plan.curves);
  const trace::RecordsRead read = TRY(trace::read_records(
      simulation.path, [&](std::span<const trace::Record> records) { return simulator.take(records); },
      bar.callback()));
  simulation.origin = read.header.origin;
  simulation.policy = arguments.given("--machine") ? "as the machine's file says" : arguments.text("--policy");
  simulation.setups = simulator.setups();
  simulation.streams = simulator.results();
  simulation.switches = simulator.switches();
  simulation.flushes = simulator.flushes();
  simulation.warnings = read.warnings;
  for (std::string& text : setup_warnings(plan.setups)) simulation.warnings.push_back(std::move(text));
  return simulation;
}

std::string text_of(const Simulation& simulation) { return report::render_text(trace_simulation_document(simulation)); }
std::string markdown_of(const Simulation& simulation) {
  return report::render_markdown(trace_simulation_document(simulation));
}

Result<ExitStatus> run_simulate(const Arguments& arguments) {
  const Simulation simulation = TRY(simulate_trace(arguments));
  for (const std::string& warning : simulation.warnings)
    fmt::print(stderr, "tollgate trace simulate: warning: {}\n", warning);
  return deliver<Simulation>(arguments, simulation, {text_of, markdown_of, trace_simulation_json});
}

std::vector<OptionSpec> simulate_options() {
  return {
      {"--l1d", "ExW",
       "first-level data TLB: entries x ways, or xfull; several, with commas, are simulated in one pass", "64x4"},
      {"--l1i", "ExW", "first-level instruction TLB", "64x4"},
      {"--l2", "ExW", "second-level TLB of both, or none; it sees what missed the first", "1536x12"},
      {"--machine", "NAME[,NAME...]",
       "the TLBs of these machines instead, with their tags, global pages and walk caches"},
      {"--page", "SIZE", "in what memory is mapped: 4K, 2M, 1G; dense[:N]: 2M where N (256) of 512 pages are used",
       "4K"},
      {"--policy", "POLICY", "replacement", "lru", {"lru", "fifo", "plru", "random"}},
      {"--tags",
       "TAGS",
       "whether entries are tagged with their address space (none; a machine's own)",
       "",
       {"none", "pcid"}},
      {"--global", "WHICH", "which entries all address spaces share (none; a machine's own)", "", {"none", "kernel"}},
      {"--walk-caches", "PDE,PDPTE,PML4E", "entries of the walk caches", "0,0,0"},
      {"--sweep", "LEVEL=LOW..HIGH[,...]", "misses for every size of l1d, l1i or l2 with the sets of its geometry"},
      {"--no-causes", "", "do not say why references missed: faster"},
      {"--format", "FORMAT", "the form of the output", "text", {"text", "markdown", "json"}},
      {"-o", "FILE", "write it there instead of standard output"}};
}

}  // namespace

CommandSpec simulate_command() {
  return {
      .name = "simulate",
      .summary = "what TLBs make of a trace: hits, misses, why, page walks",
      .description =
          "Runs the references of FILE through TLBs of one or many geometries or machines in one pass. FILE is a "
          "Tollgate trace, lackey text or a drmemtrace recording, packed or not, or - for standard input. Each stream "
          "has TLBs of its own. A look-up is counted for each page that an instruction or access touches.",
      .positionals = {{"FILE", "the trace or recording; - for standard input"}},
      .options = simulate_options(),
      .examples =
          {"tollgate trace simulate program.tgt --l1d 64x4 --l1i 128x8 --l2 1024x8,1536x12,2048x16",
           "tollgate trace simulate program.tgt --machine skylake-desktop,zen4-server",
           "tollgate trace simulate program.tgt --l1d 64x4 --sweep l1d=16..256,l2=512..4096",
           "valgrind --tool=lackey --trace-mem=yes --log-fd=9 PROGRAM 9>&1 >/dev/null | tollgate trace simulate -"},
      .run = run_simulate};
}

}  // namespace tollgate::cli
