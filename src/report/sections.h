// The sections that reports share: metric tables, exposure, published rows, lists.
#pragma once

#include <string>
#include <vector>

#include "evidence/comparison.h"
#include "report/document.h"

namespace tollgate::report {

/// Title, and a line of question, machine, workload and seed.
void add_title(Document& document, const evidence::Comparison& comparison);

/// The posted table of the primary metric, then a short table of each other one. Of real runs they show shift and verdict too.
void add_metrics(Document& document, const evidence::Comparison& comparison);

/// Of real runs: how each estimate was made and why the verdict is what it is. Nothing otherwise.
void add_estimates(Document& document, const evidence::Comparison& comparison);

/// The `rows` accounts that differ most, a column a variant, and the sum. Nothing when no variant differs.
void add_why(Document& document, const evidence::Comparison& comparison, std::size_t rows);

/// What user mode could reach and still hit, a row a kind of memory, a column a variant. Nothing when all is zero.
void add_exposure(Document& document, const evidence::Comparison& comparison);

/// Published rows beside the prediction, with verdict and source. Nothing when there are none.
void add_published(Document& document, const evidence::Comparison& comparison);

/// A heading and bullets; nothing when there are none.
void add_list(Document& document, const std::string& heading, const std::vector<std::string>& items);

/// The comparison's notes, and one that marks the intervals of few draws.
std::vector<std::string> notes_of(const evidence::Comparison& comparison);

/// Of a metric of real runs: "on, wall_s: changed (worse): the 95% interval leaves out zero; ...".
std::string estimate_line(const std::string& variant, const evidence::MetricSummary& metric);

/// Of real runs: "machine M, order of runs: random blocks (seed 7), margin +-1 %, noise floor 0.3 %".
std::string session_line(const evidence::Comparison& comparison);

/// "elapsed_s (s, lower is better)".
std::string metric_heading(const evidence::MetricInfo& info);

/// "id: source; note" of a published row.
std::string source_line(const evidence::PublishedRow& row);

/// "90% interval", with a star when it is of few draws.
std::string interval_header(const evidence::Comparison& comparison);

}  // namespace tollgate::report
