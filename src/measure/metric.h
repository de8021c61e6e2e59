// Metrics: what is taken from a run, as the user names it: wall, user, sys, rss, perf:EVENT, regex:NAME=EXPRESSION,
// json:NAME=POINTER, output:NAME, output:NAME=WHAT, ftrace:FUNCTION.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "evidence/comparison.h"
#include "measure/run_command.h"

namespace tollgate::measure {

enum class Source : std::uint8_t {
  wall,
  user,
  sys,
  rss,
  perf,   // `argument`: the event
  regex,  // a POSIX extended expression; its first group is the value, matched once in the output
  json,   // a JSON pointer (RFC 6901) into the output
  output,  // the argument, of what `tollgate import` finds in the output; unit and direction are known after the first run
  function_calls,  // of the kernel's function `argument`
  function_total,
  function_mean,
};

struct MetricSpec {
  std::string text;  // as it can be parsed again, to this one metric
  Source source = Source::wall;
  std::string argument;
  evidence::MetricInfo info;
};

/// One metric, or the three of ftrace:FUNCTION. NAME may carry a unit: regex:rate[op/s]=...
Result<std::vector<MetricSpec>> parse_metric(const std::string& text);

/// Whether it is read from what the command prints.
bool reads_output(const MetricSpec& metric);
/// Whether it is one of a kernel function.
bool is_of_function(const MetricSpec& metric);

}  // namespace tollgate::measure
