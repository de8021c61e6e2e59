#include "lab/metrics.h"

#include <algorithm>
#include <limits>

namespace tollgate::lab {

using evidence::Better;
using evidence::Event;

namespace {

double operations(const RunResult& run) { return double(run.events[Event::operations]); }
double per_second(const RunResult& run, Event event) {
  return double(run.events[event]) / run.seconds(run.elapsed_cycles);
}
double per_operation(const RunResult& run, double amount) {
  return operations(run) > 0 ? amount / operations(run) : std::numeric_limits<double>::quiet_NaN();
}

constexpr std::string_view kPingPong = "ping-pong";
constexpr std::string_view kGuests = "hackbench-vms";

}  // namespace

const std::vector<Metric>& metric_catalogue() {
  static const std::vector<Metric> kMetrics = {
      {{"ops_per_s", "1/s", Better::higher},
       "operations of all tasks in a second",
       [](const RunResult& run) { return operations(run) / run.seconds(run.elapsed_cycles); }},
      {{"elapsed_s", "s", Better::lower},
       "time until the last task has exited",
       [](const RunResult& run) { return run.seconds(run.elapsed_cycles); },
       true},
      {{"sys_s", "s", Better::lower},
       "CPU time in kernel mode",
       [](const RunResult& run) { return run.seconds(run.kernel_cycles); },
       true},
      {{"switch_us", "us", Better::lower},
       "time from one process's wake-up of the other to the next",
       [](const RunResult& run) { return per_operation(run, run.seconds(run.elapsed_cycles) * 1e6); },
       false,
       kPingPong},
      {{"ns_per_op", "ns", Better::lower},
       "time of one operation",
       [](const RunResult& run) { return per_operation(run, run.seconds(run.elapsed_cycles) * 1e9); }},
      {{"cycles_per_op", "cycles", Better::lower},
       "cycles of one operation, over all CPUs",
       [](const RunResult& run) { return per_operation(run, double(run.elapsed_cycles) * run.cpus); }},
      {{"dtlb_walks", "walks/op", Better::lower},
       "data-side page walks an operation",
       [](const RunResult& run) { return per_operation(run, double(run.events[Event::dtlb_walks])); }},
      {{"ipis", "IPIs/op", Better::lower},
       "interrupts sent to other CPUs an operation",
       [](const RunResult& run) { return per_operation(run, double(run.events[Event::ipis])); }},
      {{"time_s", "s", Better::lower},
       "time until the workload is done, at the rate of the window",
       [](const RunResult& run) { return per_operation(run, run.work * run.seconds(run.elapsed_cycles)); },
       false,
       kGuests},
      {{"exits", "exits", Better::neither},
       "exits from guests until the workload is done, at the rate of the window",
       [](const RunResult& run) { return per_operation(run, run.work * double(run.events[Event::vm_exits])); },
       false,
       kGuests},
      {{"loads_per_exit", "ratio", Better::neither},
       "vCPUs loaded on a CPU, an exit",
       [](const RunResult& run) {
         return double(run.events[Event::vcpu_loads]) / std::max(1.0, double(run.events[Event::vm_exits]));
       },
       false,
       kGuests},
      {{"rollovers_per_s", "1/s", Better::lower},
       "times the VMIDs ran out, a second",
       [](const RunResult& run) { return per_second(run, Event::vmid_rollovers); }},
      {{"slow_paths_per_s", "1/s", Better::lower},
       "VMID updates that took the allocator's lock, a second",
       [](const RunResult& run) { return per_second(run, Event::vmid_slow_paths); }},
  };
  return kMetrics;
}

const Metric* find_metric(const std::string& name) {
  for (const Metric& metric : metric_catalogue())
    if (metric.info.name == name) return &metric;
  return nullptr;
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const Metric& metric : metric_catalogue()) names.push_back(metric.info.name);
  return names;
}

}  // namespace tollgate::lab
