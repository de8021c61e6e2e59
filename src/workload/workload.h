// Workload: what a file under workloads/ says, drawn figures of one sample, and the tasks it becomes in a world.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "config/dimension.h"
#include "config/figure.h"
#include "world/timed/world.h"

namespace tollgate::workload {

/// A recording made ready for replay: shared, read-only, by all tasks of all runs.
struct Recording {
  std::string name;
  std::vector<world::ReplayStep> steps;
  std::vector<kernel::Area> areas;  // what its pages were: code and read-only data from files, the rest anonymous
  std::uint64_t instructions = 0;
  std::uint64_t references = 0;       // as recorded, before runs were collapsed
  std::uint64_t system_calls = 0;     // events of the recording
  std::vector<std::string> warnings;  // what was left out of it
};

/// How a run is measured.
enum class Extent { window, completion };

struct KindInfo;

struct Workload {
  std::string name;
  std::string title;
  const KindInfo* kind = nullptr;
  int cpus = 0;  // 0: all of the machine's
  config::Figure user_cpi;
  config::Figure kernel_cpi;
  std::map<std::string, config::Figure> figures;  // the kind's own
  std::string recording_path;                     // replay only
  std::shared_ptr<const Recording> recording;
};

/// One sample's values.
struct DrawnWorkload {
  double user_cpi = 1;
  double kernel_cpi = 1;
  std::map<std::string, double> values;
  std::uint64_t seed = 0;  // for what the programs themselves draw

  double value(const std::string& name) const;
};

struct FigureNeed {
  std::string_view name;
  config::Dimension dimension;
  double least;
  double most;
  std::string_view meaning;
};

/// A kind of workload: what its file must say and how it becomes tasks.
struct KindInfo {
  std::string_view name;
  std::string_view meaning;
  Extent extent;
  bool needs_recording;
  std::vector<FigureNeed> figures;
  void (*start)(world::World& world, const Workload& workload, const DrawnWorkload& drawn);
  /// Operations until the programs are done, where they are too many to simulate: a window's rate tells the time.
  double (*work)(const DrawnWorkload& drawn) = nullptr;
  std::string_view architecture = "x86_64";  // of the kernels whose paths it runs
};
const std::vector<KindInfo>& workload_kinds();

/// Reads and checks a workload file alone; `overrides` are KEY=VALUE in its own keys. `recording_path` is the file of the
/// recording it names, which exists but is not opened: for listings.
Result<Workload> read_workload(const std::string& path, const std::vector<std::string>& overrides);

/// The same, with the recording it names read whole.
Result<Workload> load_workload(const std::string& path, const std::vector<std::string>& overrides,
                               const ProgressCallback& progress);

/// The workload of kind `replay` with this recording. Where the recording holds system calls, their rate is its own.
Result<Workload> with_recording(Workload workload, const std::string& trace_path, const ProgressCallback& progress);

DrawnWorkload draw_workload(const Workload& workload, std::uint64_t seed, std::uint64_t draw, std::uint64_t replicate);

/// Reads a trace for replay: the user references of its first stream. What is left out becomes a warning.
Result<std::shared_ptr<const Recording>> load_recording(const std::string& path, const ProgressCallback& progress);

// The kinds, one file each.
void start_syscall_loop(world::World& world, const Workload& workload, const DrawnWorkload& drawn);
void start_replay(world::World& world, const Workload& workload, const DrawnWorkload& drawn);
void start_ping_pong(world::World& world, const Workload& workload, const DrawnWorkload& drawn);
void start_dontneed(world::World& world, const Workload& workload, const DrawnWorkload& drawn);
void start_tlb_flush(world::World& world, const Workload& workload, const DrawnWorkload& drawn);
void start_hackbench_vms(world::World& world, const Workload& workload, const DrawnWorkload& drawn);
double work_of_hackbench_vms(const DrawnWorkload& drawn);

}  // namespace tollgate::workload
