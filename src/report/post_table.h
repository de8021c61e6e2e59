// Tables of real runs as people post them: one metric or several, with all that a reader needs to judge them beneath: number
// of runs, spread, their order, the verdict. Every percentage can be recomputed from the figures beside it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evidence/comparison.h"
#include "evidence/measurement.h"

namespace tollgate::report {

enum class TableStyle {
  box,           // +----+ boxes, a row a variant: samples, mean, min, max, delta mean
  perf_stat,     // the lines of perf stat, one variant under the other, and the difference
  before_after,  // a row a metric: baseline, variant, change
  markdown,      // as box, in Markdown
};

/// "box", "perf-stat", "before-after", "markdown".
std::optional<TableStyle> table_style(std::string_view name);

/// `analysed` is the analysis of `given`. Variants with long names, such as commands, are called A, B, ... and explained.
std::string post_table(const evidence::Measurement& given, const evidence::Comparison& analysed, TableStyle style);

}  // namespace tollgate::report
