// A comparison made by hand for the tests of this folder and for the worked example of docs/output.md. Its samples,
// ledgers and exposure are invented; its summaries are computed from the samples as for a real answer.
#pragma once

#include <vector>

#include "evidence/comparison.h"
#include "report/explanation.h"
#include "report/validation.h"

namespace tollgate::report {

/// Three variants of 20 draws and 2 replicates, two metrics, all sections filled.
evidence::Comparison example_comparison();

/// Two variants of one metric that do not differ, over `draws` draws, without published rows.
evidence::Comparison equal_comparison(std::size_t draws);

/// Ten blocks of two variants and two metrics as if they had been run, analysed: a change, an equivalence, a far value, a
/// drift that both share, a condition in step with the variant.
evidence::Comparison example_real_comparison();

/// The explanation of `example_comparison`, all sections filled.
Explanation example_explanation();

/// A row of every use, one without a question.
Validation example_validation();

}  // namespace tollgate::report
