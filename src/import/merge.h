// Several result files as one measurement, and the terms it is analysed under.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "import/import.h"

namespace tollgate::import {

/// A file, and what the user calls it.
struct NamedFile {
  std::string name;  // "" when the file speaks for itself
  Imported imported;
};

/// That no results come twice, under whatever names: their runs would count twice, or differ from themselves in nothing. Files of
/// one run in steps so large that two runs may print the same bytes get a warning instead.
Result<void> check_distinct(std::span<NamedFile> files);

struct Choice {
  std::string baseline;                  // "": the first variant
  std::vector<std::string> metrics;      // the first one decides, and only these are kept; empty: all
  std::optional<double> margin_percent;  // absent: that of the plan, if there was one
};

/// Files that the user gave one name are runs of one variant. Files without a name keep the variants they hold; where two files
/// hold variants of one name, such as two benchmarks of a command, each file is a variant, called as the file. A file of several
/// variants that becomes one gives each metric the name "VARIANT.METRIC". Of several files the order of the runs is not known.
/// A metric that files have in different units of time is converted to the first one's. An unknown name in `choice` is an error
/// with a likely one.
Result<evidence::Measurement> merge(std::vector<NamedFile> files, const Choice& choice = {});

/// That the baseline and some other variant have a metric in common; a measurement of one variant passes.
Result<void> check_common_metric(const evidence::Measurement& measurement);

}  // namespace tollgate::import
