#include "audit/audit.h"

#include <algorithm>

#include "audit/checks.h"
#include "audit/claim.h"

namespace tollgate::audit {
namespace {

/// "total", "mean", "median", "max", "average", "avg", in any case of letters. One pass, since most mail has none.
bool holds_table_word(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const int first = text[at] | 0x20;
    if (first != 't' && first != 'm' && first != 'a') continue;
    for (const std::string_view word : {"total", "mean", "median", "max", "average", "avg"}) {
      const auto same = [](char a, char b) { return (a | 0x20) == b; };
      if (word[0] == first &&
          std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                     text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), at + word.size())), same))
        return true;
    }
  }
  return false;
}

/// Most mail has neither a percentage nor a word that a table of figures has: nothing to read there.
bool may_hold_figures(const std::vector<Line>& lines) {
  return std::any_of(lines.begin(), lines.end(), [](const Line& line) {
    return line.text.find('%') != std::string::npos || holds_table_word(line.text);
  });
}

}  // namespace

Audited audit_lines(std::string name, const std::vector<Line>& lines) {
  Audited out;
  out.name = std::move(name);
  if (!may_hold_figures(lines)) return out;
  std::vector<Row> rows = split_rows(lines);
  const Reading reading = read_claims(rows);
  check_percentages(rows, reading, out);
  check_differences(rows, reading, out);
  check_totals(rows, out);
  check_order(rows, out);
  check_duplicates(rows, reading, out);
  check_reporting(rows, reading, out);
  std::size_t percents = 0;
  for (const Row& row : rows) percents += row.of(Part::percent).size();
  out.unpaired = percents - std::min(percents, reading.claims.size());
  const auto earlier = [](const auto& a, const auto& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  };
  std::stable_sort(out.figures.begin(), out.figures.end(), earlier);
  std::stable_sort(out.findings.begin(), out.findings.end(), earlier);
  return out;
}

Audited audit_text(std::string name, std::string_view text) { return audit_lines(std::move(name), read_lines(text)); }

}  // namespace tollgate::audit
