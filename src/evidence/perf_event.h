// Perf events as metrics: the one place that says of which of them fewer are better, whoever counted.
#pragma once

#include <string>
#include <string_view>

#include "evidence/metric.h"

namespace tollgate::evidence {

/// Of `event`, as perf list calls it, with modifiers (":u") or a PMU ("cpu_core/cycles/") around it. Times, energy and what is a
/// cost whatever ran (cycles, misses, faults, switches) are better when lower; of work (loads, branches) and of events that are
/// not known, neither more nor fewer are better.
MetricInfo perf_event_metric(std::string event, std::string_view unit = kCountUnit);

}  // namespace tollgate::evidence
