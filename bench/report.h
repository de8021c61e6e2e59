// The report of a benchmark run: the catalogue's figures, beside a baseline that was kept from an earlier run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "bench/catalogue.h"

namespace tollgate::bench {

/// What one Google benchmark measured.
struct Measured {
  double seconds = 0;           // real time of one iteration
  double bytes_per_second = 0;  // 0 when the benchmark does not count them
  double items_per_second = 0;
};

using Measurements = std::map<std::string, Measured>;  // by benchmark name
using Values = std::map<std::string, double>;          // by figure name

/// The figure's value, or nothing when a benchmark it needs was not run (a filter) or does not count what it needs.
std::optional<double> figure_value(const FigureSpec& figure, const Measurements& measurements);

/// One row a figure: now, baseline, change in percent, goal and whether it is met.
std::string report_table(const std::vector<FigureSpec>& figures, const Values& now, const Values& baseline);

/// The baseline file: one JSON object, one line a figure, sorted, so that a change of it reads well in a diff.
std::string baseline_json(const Values& values);
Result<Values> read_baseline(const std::string& path);

}  // namespace tollgate::bench
