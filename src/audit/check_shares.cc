// Shares of one row: "alloc 405 40.5%" beside "total 1000 100.0%", "patched 78.41 96.6%" beside "vanilla 81.20 100.0%".
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "audit/checks.h"

namespace tollgate::audit {
namespace {

/// A value and a percentage of one row.
struct Pair {
  Spot value, share;
};

constexpr std::size_t kMostRows = 200;  // of a table, above and below the row with 100 %

bool is_whole(const PrintedNumber& number) { return number.value == 100 && !number.has_sign(); }

Range share_of(const PrintedNumber& value, const PrintedNumber& whole) {
  return {100 * value.low() / whole.high(), 100 * value.value / whole.value, 100 * value.high() / whole.low()};
}

/// The rows of one table whose n-th value and m-th percentage stand in pairs.
void check_column(const Rows& rows, const std::vector<Pair>& pairs, Audited& out) {
  constexpr int kLeastDigits = 3;
  const auto is_base = [&](const Pair& pair) { return is_whole(number_at(rows, pair.share)); };
  const auto base = std::find_if(pairs.begin(), pairs.end(), is_base);
  if (base == pairs.end() || std::find_if(base + 1, pairs.end(), is_base) != pairs.end()) return;
  const PrintedNumber& whole = number_at(rows, base->value);
  if (whole.low() <= 0 || whole.digits < kLeastDigits) return;
  std::vector<const Pair*> off;
  std::size_t fits = 0;
  for (const Pair& pair : pairs) {
    const PrintedNumber &value = number_at(rows, pair.value), &share = number_at(rows, pair.share);
    if (&pair == &*base || share.has_sign() || value.unit != whole.unit) continue;
    const bool reached = fit(share, share_of(value, whole)).reach != Reach::none;
    fits += reached && share.digits >= kLeastDigits && share.value != 100;
    if (!reached) off.push_back(&pair);
  }
  if (fits < 2 * std::max<std::size_t>(off.size(), 1)) return;
  for (const Pair* pair : off) {
    Finding finding = finding_at(rows, pair->share);
    finding.kind = "share";
    finding.recomputed = share_of(number_at(rows, pair->value), whole);
    finding.message =
        fmt::format("{} is not {} of {}, which is {:.4g} %; the other rows are shares of that row", finding.printed,
                    printed_text(rows, pair->value), printed_text(rows, base->value), finding.recomputed->middle);
    finding.slip = "a digit wrong in one of these figures";
    finding.confidence = "likely";
    out.findings.push_back(std::move(finding));
  }
  if (off.empty())
    out.held.push_back(fmt::format("line {}: {} shares of this row", rows[base->value.row].line->number, fits));
}

void check_table(const Rows& rows, std::size_t begin, std::size_t end, Audited& out) {
  constexpr std::size_t kMostTokens = 8;
  using Column = std::tuple<std::size_t, std::size_t, std::size_t>;  // tokens of the row, value, percentage
  std::map<Column, std::vector<Pair>> columns;
  for (std::size_t i = begin; i < end; ++i) {
    const auto &values = rows[i].of(Part::value), &percents = rows[i].of(Part::percent);
    if (rows[i].tokens.size() > kMostTokens) continue;
    for (std::size_t v = 0; v < values.size(); ++v)
      for (std::size_t p = 0; p < percents.size(); ++p)
        if (values[v] < percents[p])
          columns[{values.size() + kMostTokens * percents.size(), v, p}].push_back({{i, values[v]}, {i, percents[p]}});
  }
  for (const auto& [column, pairs] : columns)
    if (pairs.size() > 2) check_column(rows, pairs, out);
}

}  // namespace

void check_shares(const Rows& rows, Audited& out) {
  const auto holds_whole = [](const Row& row) {
    const auto& percents = row.of(Part::percent);
    return std::any_of(percents.begin(), percents.end(), [&](std::size_t p) { return is_whole(row.tokens[p].number); });
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].of(Part::percent).empty() || !holds_whole(rows[i])) continue;
    std::size_t begin = i, end = i;  // of the table
    while (begin > 0 && i - begin < kMostRows && rows[begin - 1].kind != RowKind::blank) --begin;
    while (end < rows.size() && end - i < kMostRows && rows[end].kind != RowKind::blank) ++end;
    check_table(rows, begin, end, out);
    i = end - 1;
  }
}

}  // namespace tollgate::audit
