#include "audit/row.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace tollgate::audit {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

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

bool all_of(std::string_view text, std::string_view set) {
  return text.find_first_not_of(set) == std::string_view::npos;
}

bool is_ruler(std::string_view text) { return text.size() >= 3 && all_of(text, "-=+| :o_*") && !all_of(text, "| "); }

void pipe_cells(std::string_view text, Row& row) {
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find('|', at), text.size());
    const std::string_view inside = trim(text.substr(at, end - at));
    // What stands before the first bar is a diff mark or nothing; nothing stands after the last.
    const bool margin = (at == 0 && all_of(inside, "+-")) || (end == text.size() && inside.empty());
    if (!margin) row.cells.push_back({std::string(inside), at, end});
    at = end + 1;
  }
}

/// Cells end at two spaces; parentheses hold together.
void text_cells(std::string_view text, Row& row) {
  std::size_t at = 0;
  while ((at = text.find_first_not_of(' ', at)) != std::string_view::npos) {
    std::size_t end = at, depth = 0;
    for (; end < text.size(); ++end) {
      if (text[end] == '(') ++depth;
      if (text[end] == ')' && depth > 0) --depth;
      if (depth == 0 && text.substr(end, 2) == "  ") break;
    }
    // "23.5510 (   0.00%)": the parenthesis belongs to the figure before it, one space away or more.
    while (end < text.size()) {
      const std::size_t next = text.find_first_not_of(' ', end);
      if (next == std::string_view::npos || text[next] != '(' || next - end > 12) break;
      const std::size_t close = text.find(')', next);
      if (close == std::string_view::npos) break;
      end = close + 1;
    }
    row.cells.push_back({std::string(trim(text.substr(at, end - at))), at, end});
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

bool letters_in(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

std::size_t depth_at(std::string_view text, std::size_t position) {
  std::size_t depth = 0;
  for (const char c : text.substr(0, position)) {
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
  }
  return depth;
}

Part part_of(std::string_view text, const PrintedNumber& number, bool in_parentheses) {
  if (after_spread_sign(text, number)) return Part::spread;
  const bool named = number.begin > 0 && text[number.begin - 1] == '=' && in_parentheses;
  if (named) return Part::other;
  if (number.percent) return Part::percent;
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
  for (Token& token : row.tokens) {
    if (token.cell != 0 || token.part != Part::value) continue;
    const bool named = by_colon && token.number.begin < colon;
    const bool measured = !pipes && (!token.number.unit.empty() || (by_colon && !named) ||
                                     text.substr(first.begin, token.number.begin - first.begin).find('=') != text.npos);
    if (named || (by_cell && !measured)) token.part = Part::other;
  }
}

std::string label_of(const Row& row, std::string_view text) {
  std::size_t end = text.size();
  for (const Token& token : row.tokens) {
    if (token.part == Part::other && token.cell == 0) continue;
    end = token.number.begin;
    break;
  }
  if (row.kind == RowKind::pipes && !row.cells.empty()) return row.cells.front().text;
  std::string_view label = trim(text.substr(0, end));
  while (!label.empty() && std::string_view(":=(+-> |").find(label.back()) != std::string_view::npos)
    label.remove_suffix(1);
  while (!label.empty() && std::string_view("+-*| ").find(label.front()) != std::string_view::npos)
    label.remove_prefix(1);
  return std::string(label);
}

}  // namespace

std::vector<std::size_t> Row::of(Part part) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i].part == part) found.push_back(i);
  return found;
}

Row split_row(const Line& line) {
  Row row;
  row.line = &line;
  const std::string text = tidy(line.text);
  const std::string_view inside = trim(text);
  if (inside.empty()) return row;
  if (is_ruler(inside)) {
    row.kind = RowKind::ruler;
    return row;
  }
  const auto bars = std::count(inside.begin(), inside.end(), '|');
  row.kind = bars >= 2 ? RowKind::pipes : RowKind::text;
  if (row.kind == RowKind::pipes)
    pipe_cells(text, row);
  else
    text_cells(text, row);
  for (PrintedNumber& number : numbers_in(text)) {
    const bool parenthesis = depth_at(text, number.begin) > 0;
    const Part part = part_of(text, number, parenthesis);
    const std::size_t cell = cell_at(row, number.begin);
    row.tokens.push_back({std::move(number), part, parenthesis, cell});
  }
  mark_label_figures(row, text);
  row.label = label_of(row, text);
  return row;
}

std::vector<Row> split_rows(const std::vector<Line>& lines) {
  std::vector<Row> rows;
  rows.reserve(lines.size());
  for (const Line& line : lines) rows.push_back(split_row(line));
  return rows;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

bool has_word(std::string_view text, std::string_view word) {
  const std::string low = lower(text);
  for (std::size_t at = 0; (at = low.find(word, at)) != std::string::npos; ++at) {
    const bool starts = at == 0 || !is_word(low[at - 1]);
    const std::size_t end = at + word.size();
    if (starts && (end == low.size() || !is_word(low[end]))) return true;
  }
  return false;
}

}  // namespace tollgate::audit
