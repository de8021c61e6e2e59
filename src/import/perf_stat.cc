#include "import/perf_stat.h"

#include <fmt/core.h>

#include <cmath>

#include "evidence/perf_event.h"

namespace tollgate::import {
namespace {

evidence::MetricInfo metric_of(const PerfCount& count) {
  // perf prints user_time and the like in ns, and the clocks in msec.
  if (count.unit.empty()) return evidence::perf_event_metric(count.event);
  return evidence::perf_event_metric(count.event, count.unit == "msec" ? "ms" : std::string_view(count.unit));
}

/// As exact as one run, not as a mean: see PerfCount.
evidence::SummaryOnly summary_of(const PerfCount& count, Collector& collector) {
  evidence::SummaryOnly summary;
  summary.count = count.runs;
  summary.mean = count.value.value;
  collector.warn(
      "perf stat -r prints the mean of a count, since perf 5.14 the count of the last run, and does not say which" +
      std::string(count.runs ? ": its standard error is taken to be that of one run; elapsed time is a mean" : ""));
  // perf leaves the +- out where it is 0, but so does a line that was shortened by hand: not known. Of 0 it is no percentage.
  if (!count.error_percent || count.value.value == 0) return summary;
  const double of_mean = count.value.value * *count.error_percent / 100;
  summary.standard_error = of_mean * std::sqrt(static_cast<double>(count.runs.value_or(1)));
  return summary;
}

}  // namespace

Result<void> add_perf_count(const std::string& variant, const PerfCount& count, Collector& collector) {
  if (!count.why_none.empty()) {
    collector.warn_at(count.line, fmt::format("{} has no value: {}", count.event, count.why_none));
    return {};
  }
  if (count.percent_running && *count.percent_running < 100)
    collector.warn_at(count.line, fmt::format("{} was counted {:g} % of the time: its value is scaled up from that",
                                              count.event, *count.percent_running));
  if (!count.error_percent && !count.runs) return collector.sample(variant, metric_of(count), count.value, count.line);
  // A count of one run is exact; a mean printed without decimals is rounded.
  const double half_step = count.value.half_unit > 0 ? count.value.half_unit : 0.5;
  return collector.summary(variant, metric_of(count), summary_of(count, collector), count.line, half_step);
}

}  // namespace tollgate::import
