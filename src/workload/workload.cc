#include "workload/workload.h"

#include <fmt/core.h>

#include <filesystem>

#include "base/check.h"
#include "config/document.h"

namespace tollgate::workload {

using config::Dimension;

namespace {
constexpr double kMostInstructions = 1e9;  // between two looks at the clock
constexpr double kLeastCpi = 0.01;         // or time would hardly move
}  // namespace

const std::vector<KindInfo>& workload_kinds() {
  static const std::vector<KindInfo> kKinds = {
      {"syscall-loop",
       "a task on each CPU makes one system call after another",
       Extent::window,
       false,
       {{"user_instructions", Dimension::instructions, 0, kMostInstructions, "user instructions between two calls"}},
       start_syscall_loop},
      {"replay",
       "each CPU forks, executes, replays a recording, exits; again and again",
       Extent::completion,
       true,
       {{"jobs", Dimension::count, 1, 1e6, "programs run by each CPU, one after the other"},
        {"syscalls_per_minsn", Dimension::count, 0, 1e6, "system calls in a million user instructions"}},
       start_replay},
      {"ping-pong",
       "two processes on one CPU wake each other in turn",
       Extent::window,
       false,
       {{"pages", Dimension::count, 0, 65536, "pages of its own that each touches before it wakes the other"},
        {"user_instructions", Dimension::instructions, 0, kMostInstructions, "user instructions between two switches"}},
       start_ping_pong},
      {"dontneed",
       "one thread drops and touches a page; the others of its process spin",
       Extent::window,
       false,
       {{"threads", Dimension::count, 1, kMaxCpus, "threads, one a CPU"},
        {"user_instructions", Dimension::instructions, 0, kMostInstructions, "user instructions an operation"}},
       start_dontneed},
      {"tlb-flush",
       "threads of one process write, drop and read a page each, over 1 MiB of anonymous memory",
       Extent::window,
       false,
       {{"threads", Dimension::count, 1, kMaxCpus, "threads, one a CPU"},
        {"user_instructions", Dimension::instructions, 0, kMostInstructions, "user instructions an operation"},
        {"lru_locks_per_op", Dimension::count, 0, 1000, "takings of the page-list lock in one operation"},
        {"lru_hold", Dimension::instructions, 0, kMostInstructions, "instructions under the page-list lock"}},
       start_tlb_flush},
      {"hackbench-vms",
       "VMs whose guests run hackbench: vCPUs work, exit, wait for each other and wake each other",
       Extent::window,
       false,
       {{"vms", Dimension::count, 1, 4096, "virtual machines"},
        {"vcpus", Dimension::count, 1, 64, "vCPUs of each; as many on every CPU, for good"},
        {"exits_each", Dimension::count, 1, 1e9,
         "exits of each vCPU until it is done, forced and timer exits left out"},
        {"guest_ns", Dimension::time, 100, 1e7,
         "time in the guest between two exits: uniform from half to one and a half"},
        {"loads_per_exit", Dimension::ratio, 0, 0.5, "share of exits at which a vCPU waits and gives its CPU up"},
        {"processes", Dimension::count, 1, world::kMostGuestProcesses, "processes of a guest, each with an ASID"},
        {"user_pages", Dimension::count, 0, 512, "pages of its own that a process touches between two exits"},
        {"kernel_pages", Dimension::count, 0, 512, "pages of the guest's kernel touched between two exits"}},
       start_hackbench_vms,
       work_of_hackbench_vms,
       "aarch64"},
  };
  return kKinds;
}

double DrawnWorkload::value(const std::string& name) const {
  const auto at = values.find(name);
  CHECK(at != values.end(), "the loader demands every figure of the kind");
  return at->second;
}

namespace {

Result<const KindInfo*> read_kind(const config::Table& root) {
  std::vector<config::Choice<const KindInfo*>> choices;
  for (const auto& kind : workload_kinds()) choices.push_back({kind.name, &kind});
  return root.choice<const KindInfo*>("kind", choices);
}

/// The file of the recording, which a workload file names from its own folder; "" without one.
Result<std::string> read_recording_path(const config::Table& root, const std::string& workload_path) {
  const std::string named = TRY(root.optional_text("recording")).value_or("");
  if (named.empty()) return named;
  const auto file = std::filesystem::path(workload_path).parent_path() / named;
  if (std::filesystem::exists(file)) return file.string();
  return fail(fmt::format("recording '{}' does not exist", file.string()), root.place_of("recording"));
}

/// A figure whose whole range lies in [least, most].
Result<config::Figure> read_figure(const config::Table& table, std::string_view name, Dimension dimension, double least,
                                   double most) {
  const config::Figure figure = TRY(table.figure(name, dimension));
  if (dimension == Dimension::time && figure.unit != "ns")
    return fail(fmt::format("'{}' must be in ns: a workload knows no machine's cycles", name), figure.place);
  if (figure.low >= least && figure.high <= most) return figure;
  return fail(
      fmt::format("'{}' goes from {} to {}, it must stay within {} to {}", name, figure.low, figure.high, least, most),
      figure.place);
}

Result<config::Figure> read_cpi(const config::Table& table, std::string_view name) {
  return read_figure(table, name, Dimension::cpi, kLeastCpi, 1000);
}

}  // namespace

Result<Workload> read_workload(const std::string& path, const std::vector<std::string>& overrides) {
  config::Document document = TRY(config::Document::load(path));
  TRY(document.set_all(overrides, "workload"));
  const config::Table root = document.root();
  Workload workload;
  workload.name = TRY(root.text("name"));
  workload.title = TRY(root.text("title"));
  workload.kind = TRY(read_kind(root));
  workload.cpus = int(TRY(root.optional_integer("cpus", 1, kMaxCpus)).value_or(0));
  const config::Table cpi = TRY(root.table("base_cpi"));
  workload.user_cpi = TRY(read_cpi(cpi, "user"));
  workload.kernel_cpi = TRY(read_cpi(cpi, "kernel"));
  const config::Table program = TRY(root.table("program"));
  for (const auto& need : workload.kind->figures)
    workload.figures[std::string(need.name)] =
        TRY(read_figure(program, need.name, need.dimension, need.least, need.most));
  if (workload.kind->needs_recording) workload.recording_path = TRY(read_recording_path(root, path));
  TRY(document.finish());
  return workload;
}

Result<Workload> load_workload(const std::string& path, const std::vector<std::string>& overrides,
                               const ProgressCallback& progress) {
  Workload workload = TRY(read_workload(path, overrides));
  if (workload.recording_path.empty()) return workload;
  const std::string recording = workload.recording_path;
  return with_recording(std::move(workload), recording, progress);
}

Result<Workload> with_recording(Workload workload, const std::string& trace_path, const ProgressCallback& progress) {
  workload.recording_path = trace_path;
  workload.recording = TRY(load_recording(trace_path, progress));
  if (workload.recording->system_calls > 0) {
    const double rate = double(workload.recording->system_calls) * 1e6 / double(workload.recording->instructions);
    workload.figures["syscalls_per_minsn"] = {rate, rate, rate, "count", config::Knowledge::measured, trace_path};
  }
  return workload;
}

DrawnWorkload draw_workload(const Workload& workload, std::uint64_t seed, std::uint64_t draw, std::uint64_t replicate) {
  const auto value = [&](const std::string& name, const config::Figure& figure) {
    RandomStream stream = RandomStream::named(seed, "workload." + name, {draw});
    return figure.draw(stream);
  };
  DrawnWorkload drawn;
  drawn.user_cpi = value("base_cpi.user", workload.user_cpi);
  drawn.kernel_cpi = value("base_cpi.kernel", workload.kernel_cpi);
  for (const auto& [name, figure] : workload.figures) drawn.values[name] = value(name, figure);
  drawn.seed = RandomStream::named(seed, "workload run", {draw, replicate}).next();
  return drawn;
}

}  // namespace tollgate::workload
