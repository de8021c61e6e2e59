// Explaining: the answer again with its reasons: which inputs it hangs on (sensitivity.h), and where it steps in the layout,
// the delta at each value of the layout.
#pragma once

#include "lab/compare.h"
#include "report/explanation.h"

namespace tollgate::lab {

/// `request` is the one `question` was loaded from: the layout sweep asks it again with other settings.
Result<report::Explanation> explain(const QuestionRequest& request, const Question& question, const DataFinder& find,
                                    const CompareOptions& options,
                                    const std::vector<evidence::PublishedRow>& published);

}  // namespace tollgate::lab
