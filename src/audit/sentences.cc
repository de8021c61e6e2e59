// Claims in one line of words: "A -> B (N%)", "from A to B, N%", "Before=A, After=B, chg N%".
#include <algorithm>

#include "audit/claim.h"
#include "audit/role.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

std::string_view between(const Row& row, std::size_t left, std::size_t right) {
  const std::size_t begin = row.tokens[left].number.end, end = row.tokens[right].number.begin;
  return begin <= end ? std::string_view(row.line->text).substr(begin, end - begin) : std::string_view();
}

/// The word before '=', for "Before=6418562".
std::string_view name_before(const Row& row, std::size_t token) {
  std::string_view text = std::string_view(row.line->text).substr(0, row.tokens[token].number.begin);
  if (!text.ends_with("=")) return {};
  text.remove_suffix(1);
  const auto space = text.find_last_of(" ,;(");
  return space == std::string_view::npos ? text : text.substr(space + 1);
}

bool from_to(const Row& row, std::size_t left, std::size_t right) {
  const std::string_view gap = between(row, left, right);
  if (gap.find("->") != std::string_view::npos || gap.find("=>") != std::string_view::npos) return true;
  const std::string_view before = std::string_view(row.line->text).substr(0, row.tokens[left].number.begin);
  return has_word(gap, "to") && gap.size() <= 24 && trim(before).ends_with("from");
}

bool named_pair(const Row& row, std::size_t left, std::size_t right) {
  return role_of(name_before(row, left)) == Role::before && role_of(name_before(row, right)) == Role::after;
}

}  // namespace

void read_sentences(const std::vector<Row>& rows, std::vector<ClaimGroup>& groups) {
  ClaimGroup group;
  std::size_t last = 0;
  const auto flush = [&] {
    if (!group.claims.empty()) groups.push_back(std::move(group));
    group = {.claims = {}, .named = true};
  };
  flush();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    if (row.kind == RowKind::blank || row.tokens.size() < 3) continue;
    const auto values = row.of(Part::value), percents = row.of(Part::percent);
    for (std::size_t v = 0; v + 1 < values.size(); ++v) {
      if (!from_to(row, values[v], values[v + 1]) && !named_pair(row, values[v], values[v + 1])) continue;
      const auto percent = std::upper_bound(percents.begin(), percents.end(), values[v + 1]);
      if (percent == percents.end() || (v + 2 < values.size() && values[v + 2] < *percent)) continue;
      if (i > last + 1) flush();
      last = i;
      group.claims.push_back({{i, values[v]}, {i, values[v + 1]}, {i, *percent}, row.label});
    }
  }
  flush();
}

}  // namespace tollgate::audit
