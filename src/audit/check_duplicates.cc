// Values that stand in two places, to the digit, under different headings. Common causes are harmless: one baseline
// printed twice, a counter that ticks in whole units, a few levels of rounding. So a block counts only when at least two
// rows in a row agree in all their figures, and these have enough digits that chance is out of the question.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>

#include "audit/checks.h"
#include "audit/role.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kMinRows = 2;
constexpr int kMinDigits = 14;          // of the values of all rows together
constexpr int kMinDigitsOfLongest = 5;  // tick counts and whole seconds have fewer
constexpr std::size_t kMaxRows = 4000;  // of values; beyond, only the first are compared

constexpr std::ptrdiff_t kHeadingLetters = 12;  // of a heading with figures: "Machine A (16 CPUs), 5 runs"

std::ptrdiff_t letters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; });
}

struct Printed {
  std::size_t row = 0;
  double sum = 0;    // of the values: the texts of rows with other sums are not compared
  std::string text;  // label and figures
  int digits = 0;
  int longest = 0;
};

int telling_digits(const PrintedNumber& number, std::string_view text) {
  // Zeros at the end of a whole number say little.
  if (number.decimals > 0) return number.digits;
  const auto zeros = static_cast<int>(text.size() - (text.find_last_not_of('0') + 1));
  return std::max(0, number.digits - zeros);
}

bool is_of_log(std::string_view text) {
  for (const std::string_view sign : {"://", "==", "0x", "()"})
    if (text.find(sign) != std::string_view::npos) return true;
  return false;
}

/// The row's values, each weighted by its place.
double sum_of(const Row& row) {
  double sum = 0, place = 1;
  for (const std::size_t t : row.of(Part::value)) sum += place++ * row.tokens[t].number.value;
  return sum;
}

/// The sums that two rows or more have: most texts have none, and are done with there.
std::vector<double> repeated_sums(const Rows& rows) {
  std::vector<double> sums;
  for (const Row& row : rows)
    if (!row.of(Part::value).empty()) sums.push_back(sum_of(row));
  std::sort(sums.begin(), sums.end());
  std::vector<double> repeated;
  for (std::size_t i = 1; i < sums.size(); ++i)
    if (sums[i] == sums[i - 1] && (repeated.empty() || repeated.back() != sums[i])) repeated.push_back(sums[i]);
  return repeated;
}

/// Rows of figures that are worth comparing. Those whose sum no other has are there, as the ends of blocks, without text.
std::vector<Printed> printed_rows(const Rows& rows, const std::vector<double>& repeated) {
  std::vector<Printed> found;
  for (std::size_t i = 0; i < rows.size() && found.size() < kMaxRows; ++i) {
    const std::string_view line = rows[i].line->text;
    if (rows[i].tokens.empty() || is_of_log(line)) continue;
    Printed printed{i, sum_of(rows[i]), "", 0, 0};
    const bool may_repeat = std::binary_search(repeated.begin(), repeated.end(), printed.sum);
    if (may_repeat) printed.text = lower(trim(rows[i].label));
    for (const Token& token : rows[i].tokens) {
      if (token.part != Part::value && token.part != Part::spread) continue;
      const std::string_view text = line.substr(token.number.begin, token.number.end - token.number.begin);
      if (may_repeat) printed.text.append("|").append(text);
      const int digits = telling_digits(token.number, text);
      printed.digits += digits;
      if (token.part == Part::value) printed.longest = std::max(printed.longest, digits);
    }
    if (printed.longest > 0) found.push_back(std::move(printed));
  }
  return found;
}

/// The heading over a row: the nearest line above without figures that has words, outside the row's own kind of lines.
std::optional<std::size_t> heading_row(const Rows& rows, std::size_t row) {
  for (std::size_t i = row; i-- > 0;) {
    if (rows[i].kind == RowKind::blank || rows[i].kind == RowKind::ruler) continue;
    const bool values = !rows[i].of(Part::value).empty() || !rows[i].of(Part::percent).empty();
    const bool first = i == 0 || rows[i - 1].kind == RowKind::blank;
    const bool title = trim(rows[i].line->text).ends_with(':');  // "EPYC 7763:"
    if (!values || (first && (title || letters(rows[i].line->text) >= kHeadingLetters))) return i;
  }
  return std::nullopt;
}

std::string heading_text(const Rows& rows, std::optional<std::size_t> heading) {
  return heading ? lower(trim(rows[*heading].line->text)) : "";
}

std::string heading_over(const Rows& rows, std::size_t row) { return heading_text(rows, heading_row(rows, row)); }

/// Two rows under different headings: "x86:" and "arm64:", the same head of columns below each.
bool stand_elsewhere(const Rows& rows, std::size_t first, std::size_t second) {
  const auto over_first = heading_row(rows, first), over_second = heading_row(rows, second);
  const std::string one = heading_text(rows, over_first), other = heading_text(rows, over_second);
  if (one != other) return true;
  if (!over_first || over_first == over_second || rows[*over_first].cells.size() < 2) return false;
  const std::string title = heading_over(rows, *over_first), other_title = heading_over(rows, *over_second);
  const auto is_title = [](const std::string& text) {
    return text.ends_with(':') || text.starts_with('#') ||
           (2 * letters(text) >= static_cast<std::ptrdiff_t>(text.size()) && text.find("  ") == std::string::npos);
  };
  return title != other_title && is_title(title) && is_title(other_title);
}

/// Rows that are all baselines, or stand under a heading that begins as one does: printed again beside another change.
bool all_baselines(const Rows& rows, const std::vector<Printed>& printed, std::size_t begin, std::size_t count) {
  std::size_t bases = 0;
  for (std::size_t k = 0; k < count; ++k) bases += role_of_label(rows[printed[begin + k].row].label) == Role::before;
  const std::string heading = heading_over(rows, printed[begin].row);
  return bases == count || role_of(heading.substr(0, heading.find_first_of(" :,("))) == Role::before;
}

/// A head of columns that names what was compared: "size  old  new".
bool names_sides(const Rows& rows, std::optional<std::size_t> heading) {
  if (!heading) return false;
  const auto& cells = rows[*heading].cells;
  const auto any = [&](Role role) {
    return std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) { return role_of(cell.text) == role; });
  };
  return cells.size() >= 3 && any(Role::before) && any(Role::after);
}

/// "op  mean ns  stddev".
bool names_spread(const Rows& rows, std::optional<std::size_t> heading) {
  return heading && std::any_of(rows[*heading].cells.begin(), rows[*heading].cells.end(),
                                [](const Cell& cell) { return role_of(cell.text) == Role::spread; });
}

/// Logs and traces repeat themselves; of a result's rows one has a spread, or a percentage is computed from it, or they
/// stand below the names of what was compared.
bool is_result(const Rows& rows, const std::vector<Printed>& printed, std::size_t begin, std::size_t count,
               const Reading& reading) {
  const auto heading = heading_row(rows, printed[begin].row);
  if (names_sides(rows, heading) || names_spread(rows, heading)) return true;
  for (std::size_t i = printed[begin].row; i <= printed[begin + count - 1].row; ++i) {
    if (!rows[i].of(Part::spread).empty()) return true;
    for (const JudgedClaim& judged : reading.claims)
      if (judged.claim.before.row == i || judged.claim.after.row == i) return true;
  }
  return false;
}

/// Pasted beyond doubt: a figure computed from these rows is wrong, or they repeat their spreads too.
bool is_certain(const Rows& rows, const std::vector<Printed>& printed, std::size_t begin, std::size_t count,
                const Reading& reading) {
  const std::size_t from = printed[begin].row, to = printed[begin + count - 1].row;
  const auto inside = [&](Spot spot) { return spot.row >= from && spot.row <= to; };
  const bool wrong = std::any_of(reading.claims.begin(), reading.claims.end(), [&](const JudgedClaim& judged) {
    return judged.judgement.standard && judged.judgement.fit.reach == Reach::none &&
           (inside(judged.claim.before) || inside(judged.claim.after));
  });
  std::size_t spreads = 0;
  for (std::size_t i = from; i <= to; ++i) spreads += rows[i].of(Part::spread).size();
  if (names_spread(rows, heading_row(rows, from))) spreads += count;
  return wrong || spreads >= 3;
}

void add(const Rows& rows, const std::vector<Printed>& printed, std::size_t first, std::size_t second,
         std::size_t count, const Reading& reading, Audited& out) {
  int digits = 0;
  for (std::size_t k = 0; k < count; ++k) digits += printed[first + k].digits;
  Finding finding = finding_at(rows[printed[second].row]);
  finding.kind = "duplicate-block";
  finding.severity = is_certain(rows, printed, second, count, reading) ? Severity::wrong : Severity::doubtful;
  const std::size_t from = rows[printed[first].row].line->number,
                    to = rows[printed[first + count - 1].row].line->number;
  finding.message = fmt::format("{} rows repeat lines {} to {} to the digit ({} digits)", count, from, to, digits);
  finding.slip = "a block pasted from another place";
  finding.confidence = "likely";
  out.findings.push_back(std::move(finding));
}

}  // namespace

void check_duplicates(const Rows& rows, const Reading& reading, Audited& out) {
  const std::vector<double> repeated = repeated_sums(rows);
  if (repeated.empty()) return;
  const std::vector<Printed> printed = printed_rows(rows, repeated);
  for (std::size_t second = 1; second < printed.size(); ++second) {
    std::size_t longest = 0, at = 0;
    for (std::size_t first = 0; first < second; ++first) {
      std::size_t count = 0;
      while (second + count < printed.size() && first + count < second &&
             printed[first + count].sum == printed[second + count].sum &&
             printed[first + count].text == printed[second + count].text)
        ++count;
      if (count > longest) {
        longest = count;
        at = first;
      }
    }
    if (longest < kMinRows) continue;
    int digits = 0, widest = 0;
    for (std::size_t k = 0; k < longest; ++k) {
      digits += printed[second + k].digits;
      widest = std::max(widest, printed[second + k].longest);
    }
    const bool telling = digits >= kMinDigits && widest >= kMinDigitsOfLongest;
    const bool elsewhere = rows[printed[at].row].line->depth == rows[printed[second].row].line->depth &&
                           stand_elsewhere(rows, printed[at].row, printed[second].row);
    if (telling && elsewhere && !all_baselines(rows, printed, second, longest) &&
        is_result(rows, printed, second, longest, reading))
      add(rows, printed, at, second, longest, reading, out);
    second += longest - 1;
  }
}

}  // namespace tollgate::audit
