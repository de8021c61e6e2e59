// Claims in one line of words: "A -> B (N%)", "from A to B, N%", "Before=A, After=B, chg N%".
#include <algorithm>
#include <cmath>

#include "audit/claim.h"
#include "audit/role.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

/// A row, or two of which the second goes on with the sentence of the first.
class Passage {
 public:
  struct Figure {
    Spot spot;
    Part part;
    const PrintedNumber* number;
    std::size_t begin, end;  // of the passage's text
  };

  Passage(const Rows& rows, std::size_t row) : text_(rows[row].line->text) { add(rows, row, 0); }
  Passage(const Rows& rows, std::size_t first, std::size_t second)
      : joined_(rows[first].line->text + "\n" + std::string(trim(rows[second].line->text))), text_(joined_) {
    add(rows, first, 0);
    const std::string& text = rows[second].line->text;
    add(rows, second, rows[first].line->text.size() + 1 - (text.size() - trim_left(text).size()));
  }
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;

  const std::vector<Figure>& figures() const { return figures_; }
  std::string_view before(const Figure& figure) const { return text_.substr(0, figure.begin); }
  std::string_view behind(const Figure& figure) const { return text_.substr(figure.end); }
  std::string_view between(const Figure& left, const Figure& right) const {
    return left.end <= right.begin ? text_.substr(left.end, right.begin - left.end) : std::string_view();
  }

 private:
  static std::string_view trim_left(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
  }
  void add(const Rows& rows, std::size_t row, std::size_t offset) {
    for (std::size_t t = 0; t < rows[row].tokens.size(); ++t) {
      const PrintedNumber& number = rows[row].tokens[t].number;
      const Part part = number.in_words ? Part::percent : rows[row].tokens[t].part;
      figures_.push_back({{row, t}, part, &number, number.begin + offset, number.end + offset});
    }
  }

  std::string joined_;
  std::string_view text_;
  std::vector<Figure> figures_;
};
using Figure = Passage::Figure;

/// The word before '=', for "Before=6418562".
std::string_view name_before(const Passage& passage, const Figure& figure) {
  std::string_view text = passage.before(figure);
  if (!text.ends_with("=")) return {};
  text.remove_suffix(1);
  const auto space = text.find_last_of(" ,;(\n");
  return space == std::string_view::npos ? text : text.substr(space + 1);
}

/// An arrow, "from A to B", "A and now takes B", "A before, B after".
bool from_to(const Passage& passage, const Figure& left, const Figure& right) {
  const std::string_view gap = passage.between(left, right);
  if (gap.find("->") != std::string_view::npos || gap.find("=>") != std::string_view::npos) return true;
  if (gap.size() > 32) return false;
  if (has_word(gap, "to") && gap.size() <= 24 && trim(passage.before(left)).ends_with("from")) return true;
  return has_word(gap, "now") || (has_word(gap, "before") && has_word(passage.behind(right).substr(0, 24), "after"));
}

bool named_pair(const Passage& passage, const Figure& left, const Figure& right) {
  return role_of(name_before(passage, left)) == Role::before && role_of(name_before(passage, right)) == Role::after;
}

constexpr std::size_t kLongestGap = 48;  // characters from the second figure to its percentage
constexpr double kPlausible = 4;         // a slip leaves a figure within this factor; beyond, it is another thing

/// Whether the percentage can be the change of the two figures before it: "10% of the boards" is a share, and a new
/// sentence or "which is less than" speaks of something else.
bool may_be_their_change(const Passage& passage, const Figure& after, const Figure& percent) {
  static const WordSet kOther{"at", "than", "means", "to", "with", "when", "if", "while", "within"};
  const std::string_view gap = passage.between(after, percent);
  const bool share = passage.behind(percent).starts_with(" of ");
  const bool figures = gap.find_first_of("0123456789") != std::string_view::npos;  // "-> 14765 (15926 3.54%)"
  return !share && !figures && gap.size() <= kLongestGap && gap.find(". ") == std::string_view::npos &&
         gap.find(".\n") == std::string_view::npos && gap.find(';') == std::string_view::npos && !kOther.any_in(gap);
}

/// Words that can stand between a pair of figures and their change: "(down 12%)", ", an overhead of 12%".
bool are_of_change(std::string_view words) {
  static const WordSet kWords{
      "a",        "an",       "the",       "about",     "around",     "roughly",   "approx",     "approximately",
      "nearly",   "almost",   "by",        "of",        "or",         "i.e",       "e",          "i",
      "that",     "thus",     "so",        "only",      "just",       "another",   "some",       "is",
      "which",    "down",     "up",        "minus",     "plus",       "for",       "giving",     "and",
      "change",   "changed",  "delta",     "diff",      "difference", "relative",  "reduction",  "reduced",
      "reduces",  "increase", "increased", "increases", "decrease",   "decreased", "decreases",  "improvement",
      "improved", "improves", "gain",      "gains",     "saving",     "savings",   "saved",      "saves",
      "speedup",  "speed-up", "speed",     "slowdown",  "drop",       "drops",     "dropped",    "fall",
      "rise",     "growth",   "more",      "less",      "fewer",      "faster",    "slower",     "better",
      "worse",    "higher",   "lower",     "smaller",   "larger",     "overhead",  "regression", "cost",
      "win",      "boost",    "total",     "vs",        "chg",        "it",        "went",       "in"};
  while (!words.empty()) {
    const auto is_letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
    const auto begin = std::find_if(words.begin(), words.end(), is_letter);
    const auto end = std::find_if_not(begin, words.end(), [&](char c) { return is_letter(c) || c == '-'; });
    if (begin == words.end()) return true;
    if (!kWords.any_in(std::string_view(begin, end))) return false;
    words = std::string_view(end, words.end());
  }
  return true;
}

/// "qemu 8.2 -> 9.0", "6.6 -> 6.12": releases, and the percentage is of what they ran.
bool are_releases(const Passage& passage, const Figure& before, const Figure& after) {
  static const WordSet kPrograms{"qemu",   "gcc",     "clang",    "llvm",  "glibc", "kernel",  "linux",   "binutils",
                                 "python", "rustc",   "rust",     "go",    "java",  "openjdk", "version", "release",
                                 "musl",   "openssl", "postgres", "mysql", "redis", "fio",     "edk2",    "ovmf"};
  std::string_view name = trim(passage.before(before));
  if (name.ends_with("from")) name = trim(name.substr(0, name.size() - 4));
  name = name.substr(name.find_last_of(" (\n") + 1);
  const PrintedNumber &a = *before.number, &b = *after.number;
  const bool points = a.decimals > 0 && b.decimals > a.decimals && a.unit.empty() && b.unit.empty() &&
                      std::floor(a.value) == std::floor(b.value);
  return points || (a.unit.empty() && kPrograms.any_in(name));
}

/// Whether words say that the percentage is the change of the two figures; "(contention -34%)", "(10% CPU)" and
/// ", latency +7%" name something else, of which it may be one.
bool is_said_to_be_their_change(const Passage& passage, const Figure& before, const Figure& after,
                                const Figure& percent) {
  if (are_releases(passage, before, after)) return false;
  const std::string_view gap = passage.between(after, percent);
  constexpr std::size_t kLongestUnit = 12;
  std::size_t turn = gap.find_first_of(",(:");  // before it stands the unit
  if (gap.substr(0, turn).find('\n') < std::min(turn, gap.size()) && turn > kLongestUnit) turn = gap.find('\n');
  if (turn < gap.size() && !are_of_change(gap.substr(turn))) return false;
  if (gap.find('(') == std::string_view::npos) return true;
  const std::string_view rest = trim(passage.behind(percent));
  const std::string_view word = rest.substr(0, rest.find_first_of(" ,.;:)\n"));
  return are_of_change(word);
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

/// In words too, which no table does: elsewhere these are no percentages.
bool holds_percent(const Row& row) {
  return !row.of(Part::percent).empty() ||
         std::any_of(row.tokens.begin(), row.tokens.end(), [](const Token& token) { return token.number.in_words; });
}

/// Whether the line has an arrow, "from" or "Before=" at all.
bool may_hold_pair(const Row& row) {
  const std::string_view text = row.line->text;
  return text.find('>') != std::string_view::npos || text.find('=') != std::string_view::npos ||
         text.find("from") != std::string_view::npos || text.find("now") != std::string_view::npos ||
         text.find("before") != std::string_view::npos;
}

/// "falls by 312%": impossible, so however far the figures are from it.
bool is_said_to_fall(const Passage& passage, const Figure& percent) {
  const std::string_view text = trim(passage.before(percent));
  if (!text.ends_with(" by") || percent.number->low() <= 100) return false;
  return direction_at_end(trim(text.substr(0, text.size() - 3))) < 0;
}

/// Of one text, one after the other, at one depth of quotation.
bool are_one_text(const Row& first, const Row& second) {
  return first.kind == RowKind::text && second.kind == RowKind::text && first.line->depth == second.line->depth;
}

/// Figures behind their percentage: "+7.0% (200 -> 210)", "dropped by 35%, from 20 to 12". With `straddling` only those that begin in
/// the first row and end in the second.
void read_percent_first(const Passage& passage, std::string_view label, bool straddling,
                        std::vector<ClaimGroup>& groups) {
  const auto is_figure = [](const Figure& figure) { return figure.part == Part::value || figure.part == Part::other; };
  const auto& figures = passage.figures();
  for (std::size_t p = 0; p + 2 < figures.size(); ++p) {
    const Figure &percent = figures[p], &before = figures[p + 1], &after = figures[p + 2];
    if (percent.part != Part::percent || !is_figure(before) || !is_figure(after)) continue;
    if (straddling && percent.spot.row == after.spot.row) continue;
    const std::string_view gap = trim(passage.between(percent, before));
    const bool close = gap == "(" || gap == "(from" || gap == ", from" || gap == "from";
    const bool change = percent.number->has_sign() || trim(passage.before(percent)).ends_with(" by");
    const std::string_view rest = trim(passage.behind(after));
    const bool ends = rest.empty() || std::string_view("(),.;").find(rest.front()) != std::string_view::npos;
    if (close && change && ends && from_to(passage, before, after) &&
        (is_plausible(*before.number, *after.number, *percent.number) || is_said_to_fall(passage, percent)))
      groups.push_back({{{before.spot, after.spot, percent.spot, label}}, true});
  }
}

void read_percents_first(const Rows& rows, std::vector<ClaimGroup>& groups) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    if (row.tokens.empty() || !holds_percent(row) || !may_hold_pair(row)) continue;
    if (row.tokens.size() >= 3) read_percent_first(Passage(rows, i), row.label, false, groups);
    if (i + 1 < rows.size() && !rows[i + 1].tokens.empty() && are_one_text(row, rows[i + 1]))
      read_percent_first(Passage(rows, i, i + 1), row.label, true, groups);
  }
}

/// Claims of one run of lines, which share a formula, and those that only their arithmetic bears out.
class Arrows {
 public:
  Arrows(const Rows& rows, std::vector<ClaimGroup>& groups) : rows_(rows), groups_(groups) {}
  ~Arrows() { flush(); }
  Arrows(const Arrows&) = delete;
  Arrows& operator=(const Arrows&) = delete;

  /// With `straddling` only what begins in the passage's first row and ends in its second.
  void read(const Passage& passage, std::size_t row, bool straddling) {
    const auto& figures = passage.figures();
    std::vector<const Figure*> values;
    for (const Figure& figure : figures)
      if (figure.part == Part::value) values.push_back(&figure);
    for (std::size_t v = 0; v + 1 < values.size(); ++v) {
      const Figure &before = *values[v], &after = *values[v + 1];
      if (!from_to(passage, before, after) && !named_pair(passage, before, after)) continue;
      const auto percent = std::find_if(figures.begin(), figures.end(), [&](const Figure& figure) {
        return figure.part == Part::percent && figure.begin >= after.end;
      });
      if (percent == figures.end() || (v + 2 < values.size() && values[v + 2]->begin < percent->begin)) continue;
      if (straddling && before.spot.row == percent->spot.row) continue;
      if (may_be_their_change(passage, after, *percent)) add(passage, before, after, *percent, row);
    }
  }

 private:
  void add(const Passage& passage, const Figure& before, const Figure& after, const Figure& percent, std::size_t row) {
    const Claim claim{before.spot, after.spot, percent.spot, rows_[row].label};
    if (!is_said_to_be_their_change(passage, before, after, percent)) {
      const Judgement judgement = judge(*before.number, *after.number, *percent.number);
      const bool fits = judgement.fit.reach == Reach::rounded && judgement.formula == Formula::standard;
      if (fits) groups_.push_back({{claim}, true});
      return;
    }
    if (!is_plausible(*before.number, *after.number, *percent.number)) return;
    if (row > last_ + 1) flush();
    last_ = row;
    group_.claims.push_back(claim);
  }
  void flush() {
    if (!group_.claims.empty()) groups_.push_back(std::move(group_));
    group_ = {.claims = {}, .named = true};
  }

  const Rows& rows_;
  std::vector<ClaimGroup>& groups_;
  ClaimGroup group_{.claims = {}, .named = true};
  std::size_t last_ = 0;
};

/// Whether the second row may go on with a sentence of the first: "drops from 48.21s to" over "31.07s (-35.6%)".
bool goes_on(const Row& first, const Row& second) {
  return are_one_text(first, second) && holds_percent(second) && !first.of(Part::value).empty() &&
         first.of(Part::value).size() + second.of(Part::value).size() >= 2;
}

}  // namespace

void read_sentences(const Rows& rows, std::vector<ClaimGroup>& groups) {
  read_prose(rows, groups);
  read_percents_first(rows, groups);
  Arrows arrows(rows, groups);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    if (row.of(Part::value).empty() || !may_hold_pair(row)) continue;
    if (row.of(Part::value).size() >= 2 && holds_percent(row)) arrows.read(Passage(rows, i), i, false);
    if (i + 1 < rows.size() && goes_on(row, rows[i + 1])) arrows.read(Passage(rows, i, i + 1), i + 1, true);
  }
}

}  // namespace tollgate::audit
