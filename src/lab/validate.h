// Validating: every published row beside what its question predicts, the misses included.
#pragma once

#include "lab/compare.h"
#include "report/validation.h"

namespace tollgate::lab {

/// Asks each question once for every machine and workload that a row of it names.
Result<report::Validation> validate(const std::vector<evidence::PublishedRow>& published, const DataFinder& find,
                                    const CompareOptions& options);

}  // namespace tollgate::lab
