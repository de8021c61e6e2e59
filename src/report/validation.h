// The answer of `tollgate validate`: every published row beside its prediction, the misses and the rows that no
// question models included.
#pragma once

#include <cstdint>
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

struct Validation {
  std::vector<ValidationRow> rows;
  std::uint64_t seed = 0;
  std::size_t samples = 0;  // draws of each machine's figures
};

struct ValidationCounts {
  std::size_t hits = 0;
  std::size_t misses = 0;
  std::size_t not_modelled = 0;
  std::size_t not_scored = 0;  // all other verdicts
};
ValidationCounts count_verdicts(const std::vector<ValidationRow>& rows);

std::string validation_text(const Validation& validation);
std::string validation_markdown(const Validation& validation);
std::string validation_json(const Validation& validation);

}  // namespace tollgate::report
