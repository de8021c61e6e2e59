#include "evidence/perf_event.h"

#include <algorithm>
#include <array>

namespace tollgate::evidence {
namespace {

constexpr std::array<std::string_view, 6> kCostUnits{"s", "ms", "us", "ns", "msec", "Joules"};

constexpr std::array<std::string_view, 17> kCosts{"cycles",
                                                  "cpu-cycles",
                                                  "ref-cycles",
                                                  "bus-cycles",
                                                  "stalled-cycles-frontend",
                                                  "stalled-cycles-backend",
                                                  "instructions",
                                                  "page-faults",
                                                  "faults",
                                                  "cs",
                                                  "minor-faults",
                                                  "major-faults",
                                                  "migrations",
                                                  "context-switches",
                                                  "alignment-faults",
                                                  "emulation-faults",
                                                  "cpu-migrations"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// "cycles" of "cycles:u" and of "cpu_core/cycles/u".
std::string_view bare(std::string_view event) {
  if (const std::size_t pmu = event.find('/'); pmu != std::string_view::npos) event.remove_prefix(pmu + 1);
  return event.substr(0, event.find_first_of(":/"));
}

}  // namespace

MetricInfo perf_event_metric(std::string event, std::string_view unit) {
  const std::string_view name = bare(event);
  const bool cost =
      is_one_of(kCostUnits, unit) || (unit == kCountUnit && (is_one_of(kCosts, name) || name.ends_with("-misses")));
  return {std::move(event), std::string(unit), cost ? Better::lower : Better::neither};
}

}  // namespace tollgate::evidence
