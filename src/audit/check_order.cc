// min <= mean <= max: the three may stand in one row, under headers that say so, or in rows below each other.
#include <fmt/core.h>

#include <array>
#include <optional>
#include <string>

#include "audit/checks.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kLongestRank = 24;  // characters, spaces around the word included

enum class Rank { none, min, middle, max };

Rank rank_of(std::string_view words) {
  const std::string inside = words.size() <= kLongestRank ? lower(trim(words)) : "";
  for (const auto word : {"min", "minimum", "best"})
    if (inside == word) return Rank::min;
  for (const auto word : {"mean", "avg", "average", "median", "amean", "hmean"})
    if (inside == word) return Rank::middle;
  for (const auto word : {"max", "maximum", "worst"})
    if (inside == word) return Rank::max;
  return Rank::none;
}

/// Adds a finding when `low` is above `high` by more than their rounding.
void compare(const std::vector<Row>& rows, Spot low, Spot high, std::string_view words, Audited& out) {
  const PrintedNumber& below = number_at(rows, low);
  const PrintedNumber& above = number_at(rows, high);
  if (below.low() <= above.high() || below.unit != above.unit) return;
  Finding finding = finding_at(rows, low);
  finding.kind = "order";
  finding.message = fmt::format("{}: {} is above {}", words, finding.printed, printed_text(rows, high));
  finding.slip = "two cells swapped, or a digit wrong in one of them";
  out.findings.push_back(std::move(finding));
}

struct Ranked {
  std::optional<Spot> min, middle, max;

  void set(Rank rank, Spot spot) {
    if (rank == Rank::min) min = spot;
    if (rank == Rank::middle) middle = spot;
    if (rank == Rank::max) max = spot;
  }
  void check(const std::vector<Row>& rows, Audited& out) const {
    if (min && middle) compare(rows, *min, *middle, "the minimum must not be above the mean", out);
    if (middle && max) compare(rows, *middle, *max, "the mean must not be above the maximum", out);
    if (min && max && !middle) compare(rows, *min, *max, "the minimum must not be above the maximum", out);
  }
};

/// Values of a row that stand under the given header cell.
std::optional<std::size_t> value_under(const Row& header, std::size_t cell, const Row& row) {
  std::optional<std::size_t> found;
  for (const std::size_t token : row.of(Part::value)) {
    const PrintedNumber& number = row.tokens[token].number;
    const bool under = header.kind == RowKind::pipes && header.cells.size() == row.cells.size()
                           ? row.tokens[token].cell == cell
                           : number.begin < header.cells[cell].end && number.end > header.cells[cell].begin;
    if (!under) continue;
    if (found) return std::nullopt;
    found = token;
  }
  return found;
}

void check_columns(const std::vector<Row>& rows, std::size_t header, Audited& out) {
  for (std::size_t i = header + 1; i < rows.size() && rows[i].kind != RowKind::blank; ++i) {
    if (rows[i].kind == RowKind::ruler) continue;
    if (rows[i].kind != rows[header].kind || (i > header + 1 && rows[i].of(Part::value).empty())) break;
    Ranked ranked;
    for (std::size_t c = 0; c < rows[header].cells.size(); ++c) {
      const Rank rank = rank_of(rows[header].cells[c].text);
      if (rank == Rank::none) continue;
      if (const auto token = value_under(rows[header], c, rows[i])) ranked.set(rank, {i, *token});
    }
    ranked.check(rows, out);
  }
}

/// "max 63.3 58.3", "min 4.4 5.6", "mean 12.0 10.3" on lines below each other: column by column.
void check_stack(const std::vector<Row>& rows, std::size_t begin, std::size_t end, Audited& out) {
  if (end - begin < 2) return;
  const std::size_t width = rows[begin].of(Part::value).size();
  for (std::size_t column = 0; column < width; ++column) {
    Ranked ranked;
    for (std::size_t i = begin; i < end; ++i) ranked.set(rank_of(rows[i].label), {i, rows[i].of(Part::value)[column]});
    ranked.check(rows, out);
  }
}

}  // namespace

void check_order(const std::vector<Row>& rows, Audited& out) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t ranks = 0;
    for (const Cell& cell : rows[i].cells) ranks += rank_of(cell.text) != Rank::none;
    if (ranks >= 2 && rows[i].of(Part::value).empty()) check_columns(rows, i, out);
  }
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i;
    const auto width = rows[i].of(Part::value).size();
    while (end < rows.size() && width > 0 && rank_of(rows[end].label) != Rank::none &&
           rows[end].of(Part::value).size() == width &&
           (end == i || rank_of(rows[end].label) != rank_of(rows[i].label)))
      ++end;
    check_stack(rows, i, end, out);
    i = std::max(end, i + 1);
  }
}

}  // namespace tollgate::audit
