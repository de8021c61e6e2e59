// Values in what a command prints: by a regular expression, by a JSON pointer, or by the reader that `tollgate import` has for
// that benchmark's results.
#pragma once

#include <string>

#include "base/result.h"
#include "evidence/comparison.h"
#include "measure/metric.h"

namespace tollgate::measure {

struct OutputValue {
  double value = 0;
  evidence::MetricInfo info;  // as the metric says, or the benchmark's reader
};

/// Of a metric that reads output.
Result<OutputValue> value_in_output(const MetricSpec& metric, const std::string& output);

}  // namespace tollgate::measure
