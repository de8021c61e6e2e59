// Session: one real A/B measurement as it is kept: what was fixed before the first run, and every run that was made.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/measurement.h"

namespace tollgate::store {

/// Which boots a variant may run in. The words of the kernel's command line decide, not their order.
struct BootMatch {
  std::string kernel;                // shell pattern for the release (uname -r): "6.1.*"
  std::vector<std::string> with;     // words that must be on the command line: "pti=on"
  std::vector<std::string> without;  // words that must not
};

struct Variant {
  std::string name;
  std::string command;
  std::optional<BootMatch> boot;  // all variants of a session have one, or none has
};

struct Metric {
  std::string spec;  // as asked for: "perf:page-faults"
  evidence::MetricInfo info;
};

enum class OnFailure : std::uint8_t {
  stop,  // a command that fails ends the session, which can be resumed
  keep,  // its run counts, and the answer says so
};

/// What is fixed before the first run. `terms.runs` is a variant's, or with `boots` a boot's.
struct Session {
  std::int64_t id = 0;  // given by the store
  std::string name;
  double created = 0;             // seconds since 1970
  std::string machine;            // CPU model
  std::vector<Variant> variants;  // the baseline first
  std::vector<Metric> metrics;
  evidence::Terms terms;
  std::uint32_t boots = 0;   // planned, a variant; 0: variants are no boots
  std::uint32_t warmup = 0;  // runs of each variant that are made first, at every start, and not counted
  bool noise = false;        // the baseline is run against itself first
  OnFailure on_failure = OnFailure::stop;
  std::string prepare;  // command before every run, not measured; empty: none
};

/// The condition that is none: what the reader of a run's figures must know.
inline constexpr std::string_view kRemark = "remark";

/// Another that is none: which start of the program made the run, from 1; more than one where the session was resumed.
inline constexpr std::string_view kGo = "go";

/// Another that is none: bytes that the process of a run held before its exec, where the kernel saw no more of the command.
inline constexpr std::string_view kMemoryFloor = "memory floor";

/// The condition that holds the running kernel's command line.
inline constexpr std::string_view kCommandLine = "kernel command line";

/// Runs of a kind have their own numbers and order.
enum class RunKind : std::uint8_t {
  measured,
  noise,   // of the baseline against itself: `variant` 0 and 1 are both the baseline
  warmup,  // not counted in any answer
};

struct Run {
  RunKind kind = RunKind::measured;
  std::uint32_t variant = 0;  // index
  std::uint32_t number = 0;   // of its variant, from 0
  std::uint32_t position = 0;
  std::uint32_t block = 0;
  std::string boot;
  double start = 0;                               // seconds since 1970
  int exit_status = 0;                            // as a shell tells it: 128 + signal for a command that was killed
  std::vector<double> values;                     // one a metric, in its unit; NaN: a failed run gave none
  std::map<std::string, std::string> conditions;  // by name: "governor" -> "performance"
};

/// A session in a list.
struct SessionLine {
  std::int64_t id = 0;
  std::string name;
  double created = 0;
  std::uint32_t variants = 0;
  std::uint64_t made = 0;     // measured runs
  std::uint64_t planned = 0;  // measured runs
};

/// The metric's spec that is the largest resident set.
inline constexpr std::string_view kMemorySpec = "rss";

/// What the second side of the noise runs is called: "off again", where the baseline is "off".
std::string second_side(const Session& session);

/// Whether its values were read from what the command printed.
bool is_printed(const Metric& metric);

/// "exit status 4", or "exit status 137, that of signal 9 (Killed)".
std::string exit_text(int status);

/// Measured runs that `session` plans in all.
std::uint64_t planned_runs(const Session& session);

}  // namespace tollgate::store
