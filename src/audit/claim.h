// Claim: a printed percentage and the two printed figures it may have been computed from. The layouts of published tables
// are many and none is declared, so every reader proposes groups of claims (a column of a table, a list), and the choice
// falls on the group whose own arithmetic bears it out. A figure is called wrong only where the layout names the two
// figures or where the rest of the group fits: a false alarm costs more than a miss.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "audit/arithmetic.h"
#include "audit/row.h"

namespace tollgate::audit {

/// A token of a row.
struct Spot {
  std::size_t row = 0;
  std::size_t token = 0;
  auto operator<=>(const Spot&) const = default;
};

struct Claim {
  Spot before, after, published;
  std::string_view label;  // of a row, or of the program
};

/// Claims of one layout, judged together: they share a formula and a sign convention.
struct ClaimGroup {
  std::vector<Claim> claims;
  bool named = false;  // words of the layout say which figure is which
};

struct JudgedClaim {
  Claim claim;
  Judgement judgement;
  std::size_t group = 0;
};

struct Reading {
  std::vector<JudgedClaim> claims;  // one for each percentage that could be traced to its figures, in file order
  std::vector<Formula> formulas;    // of each group

  /// Whether the percentage at this place was traced.
  bool holds(Spot percent) const;
};

inline const PrintedNumber& number_at(const Rows& rows, Spot spot) { return rows[spot.row].tokens[spot.token].number; }

/// "%stddev  %change  %stddev": the head of a kernel robot's report.
bool is_robot_header(const Row& row);

/// The readers; each appends what it sees.
void read_columns(Rows& rows, std::vector<ClaimGroup>& groups);
void read_lists(const Rows& rows, std::vector<ClaimGroup>& groups);
void read_sentences(const Rows& rows, std::vector<ClaimGroup>& groups);

/// All of them, and the choice. May mark figures of a "% diff" column as percentages.
Reading read_claims(Rows& rows);

}  // namespace tollgate::audit
