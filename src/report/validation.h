// The answer of `tollgate validate`: every published row beside its prediction, the misses and the rows that no
// question models included.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/comparison.h"
#include "evidence/verdict.h"

namespace tollgate::report {

struct ValidationRow {
  evidence::PublishedRow published;
  std::optional<double> predicted_percent;
  std::optional<evidence::Interval> interval_percent;
  evidence::Verdict verdict = evidence::Verdict::not_modelled;
};

/// The row judged by the answer to its question; nullptr where there is none, as for a row without a question.
ValidationRow validation_row(const evidence::PublishedRow& published, const evidence::Comparison* comparison);

struct ValidationCounts {
  std::size_t hits = 0;
  std::size_t misses = 0;
  std::size_t not_modelled = 0;
  std::size_t not_scored = 0;  // all other verdicts
};
ValidationCounts count_verdicts(const std::vector<ValidationRow>& rows);

std::string validation_text(const std::vector<ValidationRow>& rows);
std::string validation_markdown(const std::vector<ValidationRow>& rows);
std::string validation_json(const std::vector<ValidationRow>& rows);

}  // namespace tollgate::report
