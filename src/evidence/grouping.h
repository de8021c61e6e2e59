// What counts as one value of a series of real runs. Runs of one boot or one build share whatever that boot or build did to
// all of them, so where a variant has several, each is one value. Blocks of runs that were scheduled together are pairs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evidence/comparison.h"
#include "evidence/measurement.h"

namespace tollgate::evidence {

/// The name of the condition that tells builds apart.
inline constexpr std::string_view kBuild = "build";

/// Two series with one number a pair, group or run; paired ones have one length and order.
struct Grouped {
  Design design = Design::unpaired;
  std::string group = "run";  // "block", "boot", "build" or "run"
  std::vector<double> baseline, variant;
  std::vector<double> baseline_logs, variant_logs;       // means of logs; empty where a value is not above zero
  double baseline_half_step = 0, variant_half_step = 0;  // as the series'
  bool below_zero = false;                               // a value is: no ratio of such values has a meaning
  std::optional<Levels> levels;
  bool one_boot_each =
      false;  // the variants ran in one boot each, and not the same: boot and variant cannot be told apart
  std::vector<std::string> notes;
};

/// `baseline` and `variant` hold samples of one metric of `measurement`.
Grouped group_runs(const Series& baseline, const Series& variant, const Measurement& measurement);

}  // namespace tollgate::evidence
