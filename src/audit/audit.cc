#include "audit/audit.h"

#include <algorithm>
#include <memory_resource>

#include "audit/checks.h"
#include "audit/claim.h"
#include "audit/mail.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kBytesPerLine = 1024;  // that the rows of most texts take, with their cells and figures

std::size_t percents_in_words(const Rows& rows) {
  std::size_t count = 0;
  for (const Row& row : rows)
    count += static_cast<std::size_t>(
        std::count_if(row.tokens.begin(), row.tokens.end(), [](const Token& token) { return token.number.in_words; }));
  return count;
}

}  // namespace

Audited audit_lines(std::string name, const std::vector<Line>& lines) {
  Audited out;
  out.name = std::move(name);
  if (lines.empty()) return out;
  std::pmr::monotonic_buffer_resource memory(kBytesPerLine * lines.size());
  Rows rows = split_rows(lines, memory);
  std::size_t percents = percents_in_words(rows);
  const bool percentages = percents > 0 || std::any_of(lines.begin(), lines.end(), [](const Line& line) {
                             return line.text.find('%') != std::string::npos;
                           });
  const Reading reading = percentages ? read_claims(rows) : Reading{};
  check_percentages(rows, reading, out);
  check_differences(rows, reading, out);
  check_totals(rows, out);
  const std::vector<RecordGroup> records = read_records(rows);
  check_statistics(rows, records, out);
  check_relations(rows, records, out);
  check_factors(rows, records, out);
  check_tools(rows, out);
  check_bloat(rows, out);
  check_shares(rows, out);
  if (percentages) {
    check_implied(rows, reading, out);
    check_prose(rows, reading, out);
  }
  check_duplicates(rows, reading, out);
  check_reporting(rows, reading, out);
  for (const Row& row : rows) percents += row.of(Part::percent).size();
  out.unpaired = percents - std::min(percents, reading.claims.size());
  const auto earlier = [](const auto& a, const auto& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  };
  const auto order = [&](auto& found) {
    if (!std::is_sorted(found.begin(), found.end(), earlier)) std::stable_sort(found.begin(), found.end(), earlier);
  };
  order(out.figures);
  order(out.findings);
  const auto same = [](const Finding& a, const Finding& b) {
    return a.line == b.line && a.column == b.column && a.kind == b.kind && a.printed == b.printed;
  };
  out.findings.erase(std::unique(out.findings.begin(), out.findings.end(), same), out.findings.end());
  return out;
}

Audited audit_text(std::string name, std::string_view text) {
  return audit_lines(std::move(name), read_text(text, 1).lines);
}

}  // namespace tollgate::audit
