#include "audit/row.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <span>

#include "base/text.h"

namespace tollgate::audit {
namespace {

/// mmtests marks significance as "24.0353 *   1.74%*", where the unmarked form is "( 1.74%)".
std::string tidy(std::string text) {
  for (std::size_t at = 0; (at = text.find('*', at)) != std::string::npos; ++at) {
    const std::size_t close = text.find("%*", at);
    if (close == std::string::npos) break;
    const std::string_view inside = std::string_view(text).substr(at + 1, close - at - 1);
    if (inside.empty() || inside.find_first_not_of(" +-.0123456789") != std::string_view::npos) continue;
    text[at] = '(';
    text[close + 1] = ')';
  }
  return text;
}

bool is_one_of(char c, std::string_view set) {
  for (const char one : set)
    if (c == one) return true;
  return false;
}

bool all_of(std::string_view text, std::string_view set) {
  for (const char c : text)
    if (!is_one_of(c, set)) return false;
  return true;
}

bool is_ruler(std::string_view text) { return text.size() >= 3 && all_of(text, "-=+| :o_*") && !all_of(text, "| "); }

/// Bars between groups of columns, not between columns: "16  | 4.88   4.51   -7.6%  | 3.87   3.90   +0.8%".
void group_cells(std::string_view text, std::size_t begin, std::size_t end, Row& row) {
  std::size_t at = text.find_first_not_of(' ', begin);
  while (at < end) {
    const std::size_t stop = std::min(text.find("  ", at), end);
    row.cells.push_back({trim(text.substr(at, stop - at)), at, stop});
    at = text.find_first_not_of(' ', stop);
  }
}

/// Three cells or more, each two spaces from the next, and no bar at the margin of the line.
bool is_group(std::string_view text, std::string_view inside) {
  const std::size_t gap = inside.find("  ");
  if (gap == std::string_view::npos || trim(text).starts_with('|')) return false;
  const std::size_t next = inside.find_first_not_of(' ', gap);
  return inside.find('(') == std::string_view::npos && inside.find("  ", next) != std::string_view::npos;
}

void pipe_cells(std::string_view text, Row& row) {
  row.cells.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '|')) + 1);
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find('|', at), text.size());
    const std::string_view inside = trim(text.substr(at, end - at));
    // What stands before the first bar is a diff mark or nothing; nothing stands after the last.
    const bool margin = (at == 0 && all_of(inside, "+-")) || (end == text.size() && inside.empty());
    if (!margin && is_group(text, inside))
      group_cells(text, at, end, row);
    else if (!margin)
      row.cells.push_back({inside, at, end});
    at = end + 1;
  }
}

/// Cells end at two spaces; parentheses hold together.
void text_cells(std::string_view text, Row& row) {
  row.cells.reserve(std::max<std::size_t>(4, row.tokens.size() + 1));
  std::size_t at = 0;
  while ((at = text.find_first_not_of(' ', at)) != std::string_view::npos) {
    std::size_t end = at, depth = 0;
    for (; end < text.size(); ++end) {
      const char c = text[end];
      if (c > ')') continue;
      if (c == '(') ++depth;
      if (c == ')' && depth > 0) --depth;
      if (c == ' ' && depth == 0 && end + 1 < text.size() && text[end + 1] == ' ') break;
    }
    // "23.5510 (   0.00%)": the parenthesis belongs to the figure before it, one space away or more.
    while (end < text.size()) {
      const std::size_t next = text.find_first_not_of(' ', end);
      if (next == std::string_view::npos || text[next] != '(' || next - end > 12) break;
      const std::size_t close = text.find(')', next);
      if (close == std::string_view::npos) break;
      end = close + 1;
    }
    row.cells.push_back({trim(text.substr(at, end - at)), at, end});
    at = end;
  }
}

bool after_spread_sign(std::string_view text, const PrintedNumber& number) {
  std::string_view before = text.substr(0, number.begin);
  if (number.has_sign() && number.begin > 0) {
    const char sign = number.signed_minus ? '-' : '+';
    if (before.ends_with("+") && sign == '-') return true;
  }
  while (before.ends_with(" ")) before.remove_suffix(1);
  return before.ends_with("+-") || before.ends_with("+/-");
}

std::size_t cell_at(const Row& row, std::size_t position) {
  for (std::size_t i = 0; i < row.cells.size(); ++i)
    if (position < row.cells[i].end) return i;
  return row.cells.empty() ? 0 : row.cells.size() - 1;
}

/// "34.500 (0.21)": a figure in parentheses, right behind a value and much smaller, is its spread.
void mark_spreads(Row& row, std::string_view text) {
  for (std::size_t t = 1; t < row.tokens.size(); ++t) {
    Token& token = row.tokens[t];
    const Token& value = row.tokens[t - 1];
    const bool inside = token.part == Part::other && token.in_parentheses && !token.number.has_sign();
    if (!inside || value.part != Part::value || value.number.unit != token.number.unit) continue;
    const std::string_view gap = text.substr(value.number.end, token.number.begin - value.number.end);
    const bool closed = token.number.end < text.size() && text[token.number.end] == ')';
    if (closed && trim(gap) == "(" && std::fabs(token.number.value) < std::fabs(value.number.value) / 2)
      token.part = Part::spread;
  }
}

bool letters_in(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

/// How deep in parentheses the places of a line are; asked from left to right.
class Depth {
 public:
  explicit Depth(std::string_view text) : text_(text) {}
  std::size_t at(std::size_t position) {
    for (; at_ < position; ++at_) {
      const char c = text_[at_];
      if (c == '(' || c == '[') ++depth_;
      if ((c == ')' || c == ']') && depth_ > 0) --depth_;
    }
    return depth_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0, depth_ = 0;
};

/// "95% interval", "99 % confidence": says how sure an interval is, not how large a change.
bool is_level(std::string_view text, const PrintedNumber& number) {
  if (!number.percent) return false;
  const std::string_view rest = trim(text.substr(number.end));
  return (rest.starts_with("interval") || rest.starts_with("confidence") || rest.starts_with("CI "));
}

/// "(<6%)", "> 4%": a bound, which the figure need not reach.
bool is_bound(std::string_view text, const PrintedNumber& number) {
  std::string_view before = trim(text.substr(0, number.begin));
  if (before.ends_with("\u2264") || before.ends_with("\u2265")) return true;
  if (!before.ends_with('<') && !before.ends_with('>')) return false;
  before.remove_suffix(1);
  return before.empty() || is_one_of(before.back(), " ([|,");
}

/// "around 4%" is "~4%".
bool is_about(std::string_view before) {
  static const WordSet kAbout{"about", "around", "roughly", "nearly", "almost", "approximately", "approx", "some"};
  if (before.size() < 2 || before.back() != ' ' || (before[before.size() - 2] | 0x20) < 'a') return false;
  const std::string_view text = trim(before);
  return kAbout.any_in(text.substr(text.find_last_of(" (") + 1));
}

Part part_of(std::string_view text, const PrintedNumber& number, bool in_parentheses) {
  const bool share = number.percent && text.substr(number.end).starts_with(" of ");  // "(30.6% of original size)"
  if (number.in_words || is_level(text, number) || share || (number.percent && is_bound(text, number)))
    return Part::other;
  if (after_spread_sign(text, number)) return Part::spread;
  const bool named = number.begin > 0 && text[number.begin - 1] == '=';
  if (named && (in_parentheses || number.percent)) return Part::other;
  if (number.percent) return Part::percent;
  if (number.unit == "x" || number.unit == "X") return Part::factor;
  if (!in_parentheses) return Part::value;
  const bool glued = number.begin > 1 && text[number.begin - 1] == '(' && !number.has_sign() &&
                     std::isdigit(static_cast<unsigned char>(text[number.begin - 2])) != 0;
  return glued ? Part::spread : Part::other;
}

/// Figures among the words that name the row are no values, when values follow in other cells or after a colon:
/// "clang 21.1.7 | 27.25", "28 Global pages (this set): 185.756 seconds".
void mark_label_figures(Row& row, std::string_view text) {
  if (row.cells.empty() || !letters_in(row.cells.front().text)) return;
  const Cell& first = row.cells.front();
  const bool pipes = row.kind == RowKind::pipes;
  const std::size_t colon = pipes ? std::string_view::npos : text.find(": ", first.begin);
  const auto value_after = [&](std::size_t position, bool other_cell) {
    return std::any_of(row.tokens.begin(), row.tokens.end(), [&](const Token& t) {
      return t.part == Part::value && (other_cell ? t.cell > 0 : t.number.begin > position);
    });
  };
  const bool by_colon = colon < first.end && value_after(colon, false);
  const bool by_cell = value_after(0, true);
  for (std::size_t t = 0; t < row.tokens.size(); ++t) {
    Token& token = row.tokens[t];
    if (token.cell != 0 || token.part != Part::value) continue;
    if (t + 1 < row.tokens.size() && row.tokens[t + 1].part == Part::spread && row.tokens[t + 1].cell == 0) continue;
    const bool named = by_colon && token.number.begin < colon;
    const bool measured = !pipes && (!token.number.unit.empty() || (by_colon && !named) ||
                                     text.substr(first.begin, token.number.begin - first.begin).find('=') != text.npos);
    if (named || (by_cell && !measured)) token.part = Part::other;
  }
}

std::string_view label_of(const Row& row, std::string_view text) {
  std::size_t end = text.size();
  for (const Token& token : row.tokens) {
    if (token.part == Part::other && token.cell == 0) continue;
    end = token.number.begin;
    break;
  }
  if (row.kind == RowKind::pipes && !row.cells.empty()) return row.cells.front().text;
  std::string_view label = trim(text.substr(0, end));
  while (!label.empty() && is_one_of(label.back(), ":=(+-> |")) label.remove_suffix(1);
  while (!label.empty() && is_one_of(label.front(), "+-*| ")) label.remove_prefix(1);
  return label;
}

}  // namespace

void Row::set_part(std::size_t token, Part part) {
  tokens[token].part = part;
  sort_parts();
}

void Row::sort_parts() {
  by_part_.resize(tokens.size());
  std::size_t end = 0;
  for (std::size_t part = 0; part < kParts; ++part) {
    starts_[part] = end;
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (static_cast<std::size_t>(tokens[i].part) == part) by_part_[end++] = i;
  }
  starts_[kParts] = end;
}

namespace {

constexpr std::size_t kHeaderReach = 8;  // rows: how far above its figures a header stands

RowKind kind_of(std::string_view text) {
  std::size_t first = 0;
  while (first < text.size() && (text[first] == ' ' || text[first] == '\t' || text[first] == '\r')) ++first;
  if (first == text.size()) return RowKind::blank;
  if (is_one_of(text[first], "-=+|:o_*") && is_ruler(trim(text))) return RowKind::ruler;
  const std::size_t bar = text.find('|');
  return bar < text.size() && text.find('|', bar + 1) < text.size() ? RowKind::pipes : RowKind::text;
}

/// "0.112/0.154/0.201": three figures or more, each a number but for the strokes.
std::vector<PrintedNumber> numbers_between_strokes(std::string_view text) {
  std::vector<PrintedNumber> found;
  for (std::size_t at = 0; at < text.size() && found.size() < 3;) {
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_not_of("0123456789./", begin), text.size());
    found.clear();
    for (std::size_t piece = begin; piece < end;) {
      const std::size_t stop = std::min(text.find('/', piece), end);
      const std::size_t first = found.size();
      numbers_in(text.substr(piece, stop - piece), found);
      for (PrintedNumber& number : std::span(found).subspan(first)) {
        number.begin += piece;
        number.end += piece;
      }
      piece = stop + 1;
    }
    at = end;
  }
  return found.size() < 3 ? std::vector<PrintedNumber>{} : found;
}

/// `numbers` is room for the figures of a line.
void split_figures(Row& row, std::string_view text, std::vector<PrintedNumber>& numbers) {
  numbers.clear();
  numbers_in(text, numbers);
  row.tokens.reserve(numbers.size());
  Depth depth(text);
  for (const PrintedNumber& number : numbers) {
    const bool parenthesis = depth.at(number.begin) > 0;
    row.tokens.push_back({number, part_of(text, number, parenthesis), parenthesis});
    if (number.percent && is_about(text.substr(0, number.begin))) row.tokens.back().number.approximate = true;
  }
  if (text.find("/max") == std::string_view::npos) return;
  for (const PrintedNumber& number : numbers_between_strokes(text))
    row.tokens.push_back({.number = number, .part = Part::other, .in_list = true});
  std::sort(row.tokens.begin(), row.tokens.end(),
            [](const Token& a, const Token& b) { return a.number.begin < b.number.begin; });
}

/// Cells, which figure stands in which, and the label.
void split_cells(Row& row, std::string_view text) {
  if (row.kind == RowKind::pipes)
    pipe_cells(text, row);
  else
    text_cells(text, row);
  for (Token& token : row.tokens) token.cell = cell_at(row, token.number.begin);
  mark_spreads(row, text);
  mark_label_figures(row, text);
  row.label = label_of(row, text);
}

}  // namespace

Rows split_rows(const std::vector<Line>& lines, std::pmr::memory_resource& memory) {
  Rows rows(lines.size(), &memory);
  std::vector<PrintedNumber> numbers;
  std::size_t needed = 0;  // rows above, counted from here, that may be headers of figures already seen
  for (std::size_t i = rows.size(); i-- > 0;) {
    Row& row = rows[i];
    row.line = &lines[i];
    row.kind = kind_of(lines[i].text);
    if (needed > 0) --needed;
    if (row.kind == RowKind::blank || row.kind == RowKind::ruler) continue;
    const bool marked = lines[i].text.find("%*") != std::string::npos;
    if (marked) row.tidied = tidy(lines[i].text);
    const std::string_view text = marked ? row.tidied : lines[i].text;
    if (text.size() <= kLongestRow) split_figures(row, text, numbers);
    if (needed > 0 || !row.tokens.empty()) split_cells(row, text);
    // A line of prose with a figure has one cell and no header.
    if (!row.tokens.empty() && row.cells.size() > 1) needed = kHeaderReach + 1;
    row.sort_parts();
  }
  return rows;
}

}  // namespace tollgate::audit
