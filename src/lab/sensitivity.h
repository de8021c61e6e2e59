// Sensitivity: which inputs an answer hangs on. An input is a figure with a range, of the machine, the workload or the
// kernel's paths; it is rerun at its low and at its high end on the same draws and streams as the answer.
//
// leverage: (high - low), in cycles, x (times paid an operation by the variant - by the baseline). What a variant pays more
// often than the baseline moves their difference.
// effect: the same with the baseline's count scaled by the variants' cycles an operation. What both pay alike moves the
// delta too, being part of what it is a share of. Figures are chosen by effect.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/compare.h"
#include "report/explanation.h"

namespace tollgate::lab {

struct Input {
  std::string name;  // "walk.fetch_near", "workload.base_cpi.kernel"
  config::Figure figure;
  std::vector<double> leverage;  // one a variant but the baseline; empty for inputs that are not paid by count
  double effect = 0;             // cycles an operation, the largest of all variants
  std::function<void(Question&, double value)> pin;
};

/// How often a run pays a figure, in units of the figure: 0 where it has no price of its own (a number of entries).
double times_paid(hw::FigureId id, const evidence::VariantResult& variant, const hw::DrawnMachine& typical);

/// The `most` counted figures of the machine with the largest effect, largest first, without those that move nothing; then every input with a range that
/// no count belongs to: geometry, the clock, the workload's own figures, the length of the kernel's paths. `variants` are
/// the answer's, the baseline first.
std::vector<Input> rank_inputs(const Question& question, const std::vector<evidence::VariantResult>& variants,
                               std::size_t most);

/// One row for each input and variant, in the order of the inputs.
Result<std::vector<report::SensitivityRow>> rerun_at_both_ends(const Question& question, const CompareOptions& options,
                                                               const std::vector<Input>& inputs);

}  // namespace tollgate::lab
