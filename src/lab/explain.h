// Explaining: the answer again with its reasons. Which machine figures it hangs on: for each figure, (high - low) times the
// difference in how often the variants pay it; the ten with the most leverage are rerun at low and at high with the same
// draws and streams. And where the answer steps in the layout, the delta at each value of the layout.
#pragma once

#include "lab/compare.h"
#include "report/explanation.h"

namespace tollgate::lab {

/// How often a run pays a figure, in units of the figure: 0 where it has no price of its own (a number of entries).
double times_paid(hw::FigureId id, const evidence::VariantResult& variant, const hw::DrawnMachine& typical);

/// The figures that differ most between a variant and the baseline, most leverage first.
std::vector<report::SensitivityRow> rank_figures(const hw::Machine& machine, const evidence::VariantResult& baseline,
                                                 const evidence::VariantResult& variant, std::size_t most);

Result<report::Explanation> explain(const QuestionRequest& request, const Question& question, const DataFinder& find,
                                    const CompareOptions& options,
                                    const std::vector<evidence::PublishedRow>& published);

}  // namespace tollgate::lab
