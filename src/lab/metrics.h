// The metric catalogue: what can be measured of a run, with its unit and better direction. A metric is one line here.
#pragma once

#include <string>
#include <vector>

#include "evidence/comparison.h"

namespace tollgate::lab {

/// What one run of the timed world leaves behind.
struct RunResult {
  evidence::Ledger ledger;
  evidence::EventCounts events;
  evidence::Exposure exposure;
  std::int64_t elapsed_cycles = 0;
  std::int64_t kernel_cycles = 0;  // in kernel mode, idle left out
  double clock_ghz = 1;
  int cpus = 1;
  double work = 0;  // operations until the workload is done; 0 where that is not known

  double seconds(std::int64_t cycles) const { return double(cycles) / (clock_ghz * 1e9); }
};

/// `of` is not a number where it is an amount an operation and the run finished none.
struct Metric {
  evidence::MetricInfo info;
  std::string meaning;
  double (*of)(const RunResult& run);
  bool needs_an_end = false;   // measures the time until every task has exited
  std::string_view kind = "";  // the only kind of workload it means something for; "" for all
};

const std::vector<Metric>& metric_catalogue();
const Metric* find_metric(const std::string& name);
std::vector<std::string> metric_names();

}  // namespace tollgate::lab
