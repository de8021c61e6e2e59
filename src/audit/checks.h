// The checks: each looks at the rows, or at the claims read from them, and adds what it finds. docs/audit.md lists the
// kinds of findings.
#pragma once

#include <vector>

#include "audit/claim.h"
#include "audit/finding.h"
#include "audit/record.h"

namespace tollgate::audit {

/// Printed percentages against the figures they stand on: unreachable, truncated, another base, wrong sign.
void check_percentages(const Rows& rows, const Reading& reading, Audited& out);
/// Statistics of one sample against each other: order, bounds, coefficient of variation, standard error, whole numbers.
void check_statistics(const Rows& rows, const std::vector<RecordGroup>& groups, Audited& out);
/// Columns that follow from each other: sums, differences, products, units, inverses.
void check_relations(const Rows& rows, const std::vector<RecordGroup>& groups, Audited& out);
/// "1.26x" beside its two figures.
void check_factors(const Rows& rows, const std::vector<RecordGroup>& groups, Audited& out);
/// Lines in which a tool says one thing twice.
void check_tools(const Rows& rows, Audited& out);
/// A column of percentages that are shares of the row with 100 %.
void check_shares(const Rows& rows, Audited& out);
/// The head of a bloat-o-meter report against its rows and its last line.
void check_bloat(const Rows& rows, Audited& out);
/// Percentages that imply the figure they compare with; differences of percentages.
void check_implied(const Rows& rows, const Reading& reading, Audited& out);
/// Sentences that repeat a table's figures, or name its largest.
void check_prose(const Rows& rows, const Reading& reading, Audited& out);
/// Blocks of values that stand in two places though they should be independent.
void check_duplicates(const Rows& rows, const Reading& reading, Audited& out);
/// Rows called total against the rows above them; printed differences and "+[lo, hi] %" against their figures.
void check_totals(const Rows& rows, Audited& out);
void check_differences(const Rows& rows, const Reading& reading, Audited& out);
/// What a reader needs to judge: number of runs, spread, what the printed spreads say of the difference, orientation.
void check_reporting(const Rows& rows, const Reading& reading, Audited& out);

/// A finding about one printed figure, with its place and the line filled in.
Finding finding_at(const Rows& rows, Spot spot);
/// A finding about a whole line.
Finding finding_at(const Row& row);
/// The figure as it was printed.
std::string printed_text(const Rows& rows, Spot spot);

}  // namespace tollgate::audit
