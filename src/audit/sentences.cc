// Claims in one line of words: "A -> B (N%)", "from A to B, N%", "Before=A, After=B, chg N%".
#include <algorithm>
#include <cmath>

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

constexpr std::size_t kLongestGap = 40;  // characters from the second figure to its percentage
constexpr double kPlausible = 4;         // a slip leaves a figure within this factor; beyond, it is another thing

/// Whether the percentage can be the change of the two figures before it: "10% of the boards" is a share, and a new
/// sentence or "which is less than" speaks of something else.
bool speaks_of_change(const Row& row, std::size_t after, std::size_t percent) {
  static const WordSet kOther{"at", "than", "which", "means", "to", "with", "when", "if", "while"};
  const std::string_view text = row.line->text;
  const std::string_view gap = between(row, after, percent);
  const bool share = text.substr(row.tokens[percent].number.end).starts_with(" of ");
  const bool figures = gap.find_first_of("0123456789") != std::string_view::npos;  // "-> 14765 (15926 3.54%)"
  return !share && !figures && gap.size() <= kLongestGap && gap.find(". ") == std::string_view::npos &&
         gap.find(';') == std::string_view::npos && !kOther.any_in(gap);
}

bool is_plausible(const PrintedNumber& before, const PrintedNumber& after, const PrintedNumber& published) {
  const Judgement judgement = judge(before, after, published);
  if (judgement.fit.reach != Reach::none || !judgement.standard) return true;
  const double apart = std::fabs(published.value) / std::max(1e-9, std::fabs(judgement.standard->middle));
  return apart < kPlausible && apart > 1 / kPlausible;
}

constexpr std::size_t kMostPairs = 200;

/// Two figures without a percentage of their own that prose may speak of.
struct Pair {
  Spot before, after;
  std::vector<std::string> names;  // "instructions"
};

/// Words of six letters or more right of the figure: the name of a perf event.
std::vector<std::string> names_of(const Row& row, std::size_t value) {
  std::vector<std::string> names;
  const std::string& text = row.line->text;
  const std::size_t begin = row.tokens[value].number.end;
  const std::size_t end = std::min(text.find_first_of("#(", begin), text.size());
  for (const std::string& word : split(text.substr(begin, end - begin), ' '))
    if (word.size() >= 6) names.push_back(lower(word));
  return names;
}

/// "- 71,938 cycles" over "+ 71,992 cycles"; "Before: 473.90" over "After: 366.10".
std::vector<Pair> pairs_of(const Rows& rows) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i + 1 < rows.size() && pairs.size() < kMostPairs; ++i) {
    const auto &first = rows[i].of(Part::value), &second = rows[i + 1].of(Part::value);
    if (first.empty() || first.size() != second.size() || rows[i].kind != RowKind::text) continue;
    if (!rows[i].of(Part::percent).empty() || !rows[i + 1].of(Part::percent).empty()) continue;
    const bool marked = trim(rows[i].line->text).starts_with("- ") && trim(rows[i + 1].line->text).starts_with("+ ");
    const bool named = role_of_label(rows[i].label) == Role::before && role_of_label(rows[i + 1].label) == Role::after;
    if (!marked && !named) continue;
    const auto names = names_of(rows[i], first.front());
    if (named || names == names_of(rows[i + 1], second.front()))
      pairs.push_back({{i, first.front()}, {i + 1, second.front()}, names});
  }
  return pairs;
}

/// Percentages that are no change: "a 0.2% noise envelope", "up to 25%".
bool speaks_of_noise(std::string_view text) {
  static const WordSet kNoise{"noise", "stddev", "error", "confidence", "within", "spread", "up to", "variance", "cpu"};
  return kNoise.any_in(text);
}

/// "Reduced by 109%", "158% lower" beside a pair that fell.
bool is_impossible_fall(std::string_view text, const PrintedNumber& published, const Judgement& judgement) {
  static const WordSet kFalls{"reduced", "lower", "less", "fewer", "dropped", "decreased", "fell"};
  return published.low() > 100 && judgement.standard && judgement.standard->high < 0 && kFalls.any_in(text);
}

/// "a -0.7% reduction of instructions" beside the two lines of instructions; "about 29%" beside the only pair there is.
void read_prose(const Rows& rows, std::vector<ClaimGroup>& groups) {
  const auto pairs = pairs_of(rows);
  for (std::size_t i = 0; i < rows.size() && !pairs.empty(); ++i) {
    const auto& percents = rows[i].of(Part::percent);
    const std::string_view text = rows[i].line->text;
    if (percents.size() != 1 || !rows[i].of(Part::value).empty() || speaks_of_noise(text)) continue;
    for (const Pair& pair : pairs) {
      const bool named = std::any_of(pair.names.begin(), pair.names.end(),
                                     [&](const std::string& name) { return has_word(text, name); });
      const Claim claim{pair.before, pair.after, {i, percents.front()}, rows[i].label};
      const Judgement judgement =
          judge(number_at(rows, pair.before), number_at(rows, pair.after), number_at(rows, claim.published));
      const bool only = pairs.size() == 1 && (judgement.fit.reach == Reach::rounded ||
                                              is_impossible_fall(text, number_at(rows, claim.published), judgement));
      if (named || only) groups.push_back({{claim}, true});
    }
  }
}

/// Figures behind their percentage: "+7.0% (200 -> 210)", "dropped by 35%, from 20 to 12".
void read_percent_first(const Rows& rows, std::vector<ClaimGroup>& groups) {
  const auto is_figure = [](const Token& token) { return token.part == Part::value || token.part == Part::other; };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    for (const std::size_t p : row.of(Part::percent)) {
      if (p + 2 >= row.tokens.size() || !is_figure(row.tokens[p + 1]) || !is_figure(row.tokens[p + 2])) continue;
      const std::string_view text = row.line->text;
      const std::string_view gap = trim(between(row, p, p + 1));
      const bool close = gap == "(" || gap == "(from" || gap == ", from" || gap == "from";
      const bool change =
          row.tokens[p].number.has_sign() || trim(text.substr(0, row.tokens[p].number.begin)).ends_with(" by");
      const std::string_view rest = trim(text.substr(row.tokens[p + 2].number.end));
      const bool ends = rest.empty() || std::string_view("),.;").find(rest.front()) != std::string_view::npos;
      if (!close || !change || !ends || !from_to(row, p + 1, p + 2)) continue;
      const PrintedNumber &before = row.tokens[p + 1].number, &after = row.tokens[p + 2].number;
      if (is_plausible(before, after, row.tokens[p].number))
        groups.push_back({{{{i, p + 1}, {i, p + 2}, {i, p}, row.label}}, true});
    }
  }
}

}  // namespace

void read_sentences(const Rows& rows, std::vector<ClaimGroup>& groups) {
  read_prose(rows, groups);
  read_percent_first(rows, groups);
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
    const auto &values = row.of(Part::value), &percents = row.of(Part::percent);
    for (std::size_t v = 0; v + 1 < values.size(); ++v) {
      if (!from_to(row, values[v], values[v + 1]) && !named_pair(row, values[v], values[v + 1])) continue;
      const auto percent = std::upper_bound(percents.begin(), percents.end(), values[v + 1]);
      if (percent == percents.end() || (v + 2 < values.size() && values[v + 2] < *percent)) continue;
      if (!speaks_of_change(row, values[v + 1], *percent)) continue;
      if (!is_plausible(row.tokens[values[v]].number, row.tokens[values[v + 1]].number, row.tokens[*percent].number))
        continue;
      if (i > last + 1) flush();
      last = i;
      group.claims.push_back({{i, values[v]}, {i, values[v + 1]}, {i, *percent}, row.label});
    }
  }
  flush();
}

}  // namespace tollgate::audit
