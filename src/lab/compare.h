// Comparing: every variant of a question on the same draws and streams.
#pragma once

#include <optional>

#include "evidence/summary.h"
#include "lab/experiment.h"
#include "lab/metrics.h"

namespace tollgate::lab {

struct CompareOptions {
  int samples = 20;  // draws of the machine's figures
  std::uint64_t seed = 1;
  int threads = 1;                         // host threads; the answer does not depend on them
  int replicates = 2;                      // of each draw, with other streams
  std::optional<double> until_mc_percent;  // go on doubling replicates until every mc_error is below
  ProgressCallback progress;
};

/// One run: `variant` on machine draw `draw`, replicate `replicate`.
RunResult simulate(const Question& question, const VariantSpec& variant, const hw::DrawnMachine& machine,
                   std::uint64_t seed, int draw, int replicate);

/// The runs of all variants: [variant][draw][replicate].
using RunTable = std::vector<std::vector<std::vector<RunResult>>>;
Result<RunTable> simulate_all(const Question& question, const CompareOptions& options);

/// The primary metric of every variant: its samples, one a draw, and its delta against the baseline.
evidence::Summaries summarize_primary(const Question& question, const RunTable& runs);

/// Runs the question. An interruption by the user is an error.
Result<evidence::Comparison> compare(const Question& question, const CompareOptions& options,
                                     const std::vector<evidence::PublishedRow>& published);

}  // namespace tollgate::lab
