// What the three forms of perf stat's output share: what an event is called and measured in, and what perf says of a count
// beside its value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "import/collector.h"

namespace tollgate::import {

/// One line of perf stat. With -r perf's +- is the standard error of the mean of all runs, in percent of the value. The value
/// is that mean up to perf 5.13; since "perf stat: Use aggregated counts directly" (Linux 5.14) it is the last run's count
/// (seen with 6.1.192, whose elapsed time is still a mean), and the output does not say of which kind it is.
struct PerfCount {
  std::string event;
  std::string unit;  // as perf prints it: "msec"; "" for counts
  Number value;
  std::string why_none;                   // "<not counted>", "<not supported>": there is no value
  std::optional<double> error_percent;    // with -r only; not where it is 0
  std::optional<double> percent_running;  // below 100: the event had the counter for this share of the time
  std::optional<std::uint64_t> runs;      // of -r, where the output says it
  unsigned line = 0;
};

/// Adds a sample, or a summary with -r, whose standard error holds for a mean and for a last run alike; what was not counted
/// becomes a warning.
Result<void> add_perf_count(const std::string& variant, const PerfCount& count, Collector& collector);

}  // namespace tollgate::import
