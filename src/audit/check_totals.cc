// Sums and differences that are printed beside their parts.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "audit/checks.h"
#include "audit/role.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kMostParts = 30;

bool is_total(const Row& row) {
  // Most labels are none by their last letter, and are not copied.
  const auto last = row.label.find_last_not_of("_* ");
  if (last == std::string_view::npos || std::string_view("lLmMsS").find(row.label[last]) == std::string_view::npos)
    return false;
  std::string label = lower(row.label);
  std::replace(label.begin(), label.end(), '_', ' ');
  std::replace(label.begin(), label.end(), '*', ' ');
  const std::string_view inside = trim(label);
  return inside == "total" || inside == "sum" || inside == "totals" || inside.ends_with(" total");
}

/// What a prefix shared with "refault_total" is: "refault_". Parts of a plain "total" are all rows above.
std::string prefix_of(const Row& total) {
  const std::string label = lower(trim(total.label));
  const auto at = label.rfind("total");
  return at == std::string::npos ? "" : label.substr(0, at);
}

struct Sum {
  double low = 0, middle = 0, high = 0;
  void add(const PrintedNumber& number) {
    low += number.low();
    middle += number.value;
    high += number.high();
  }
  bool meets(const PrintedNumber& number) const {
    const double slack = 1e-9 * std::max(1.0, std::fabs(middle));
    return low <= number.high() + slack && high >= number.low() - slack;
  }
};

std::vector<std::size_t> parts_of(const Rows& rows, std::size_t total) {
  std::vector<std::size_t> parts;
  const std::size_t width = rows[total].of(Part::value).size();
  const std::string prefix = prefix_of(rows[total]);
  for (std::size_t i = total; i-- > 0 && parts.size() < kMostParts;) {
    if (rows[i].kind == RowKind::ruler) continue;
    if (rows[i].kind == RowKind::blank || rows[i].of(Part::value).size() != width) break;
    if (!lower(trim(rows[i].label)).starts_with(prefix)) break;
    parts.push_back(i);
  }
  return parts;
}

void check_total(const Rows& rows, std::size_t total, Audited& out) {
  const auto& columns = rows[total].of(Part::value);
  const auto parts = parts_of(rows, total);
  if (parts.size() < 2) return;
  std::vector<Sum> sums(columns.size());
  std::vector<bool> holds(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const std::size_t part : parts) sums[c].add(rows[part].tokens[rows[part].of(Part::value)[c]].number);
    holds[c] = sums[c].meets(number_at(rows, {total, columns[c]}));
  }
  // Columns that add up say that the row is the sum of these rows; without half of them it may be another kind of total.
  const auto held = static_cast<std::size_t>(std::count(holds.begin(), holds.end(), true));
  const bool some = held > 0 && 2 * held >= holds.size();
  for (std::size_t c = 0; c < columns.size() && some; ++c) {
    if (holds[c]) continue;
    Finding finding = finding_at(rows, {total, columns[c]});
    finding.kind = "total";
    finding.recomputed = Range{sums[c].low, sums[c].middle, sums[c].high};
    finding.message = fmt::format("{} is not the sum of the {} rows above, which is {}", finding.printed, parts.size(),
                                  fmt::format("{:.12g}", sums[c].middle));
    finding.slip = "a digit wrong in the total or in a part; the other column adds up";
    finding.confidence = "likely";
    out.findings.push_back(std::move(finding));
  }
  if (some && std::find(holds.begin(), holds.end(), false) == holds.end())
    out.held.push_back(
        fmt::format("line {}: the total is the sum of the {} rows above", rows[total].line->number, parts.size()));
}

bool is_mean(const Row& row) {
  const std::string label = lower(trim(row.label));
  return label == "average" || label == "mean" || label == "avg";
}

/// "run 1", "run 2" ... right above, the last first.
std::vector<std::size_t> runs_above(const Rows& rows, std::size_t mean) {
  static const WordSet kRuns{"run", "iteration", "iter", "boot", "round", "trial", "pass"};
  std::vector<std::size_t> runs;
  const std::size_t width = rows[mean].of(Part::value).size();
  for (std::size_t i = mean; i-- > 0 && runs.size() < kMostParts;) {
    if (rows[i].kind == RowKind::ruler) continue;
    if (rows[i].of(Part::value).size() != width || !kRuns.any_in(rows[i].label)) break;
    runs.push_back(i);
  }
  return runs;
}

Sum mean_of(std::span<const PrintedNumber> numbers) {
  Sum sum;
  for (const PrintedNumber& number : numbers) sum.add(number);
  const auto n = static_cast<double>(numbers.size());
  return {sum.low / n, sum.middle / n, sum.high / n};
}

/// Of all runs, or as some take it: without the first, or without the least and the greatest.
bool may_be_mean(const PrintedNumber& printed, std::vector<PrintedNumber> runs) {
  if (mean_of(runs).meets(printed) || mean_of(std::span(runs).first(runs.size() - 1)).meets(printed)) return true;
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  return runs.size() > 2 && mean_of(std::span(runs).subspan(1, runs.size() - 2)).meets(printed);
}

/// A mean that its runs do not have.
void check_mean(const Rows& rows, std::size_t mean, Audited& out) {
  const auto& columns = rows[mean].of(Part::value);
  const auto above = runs_above(rows, mean);
  for (std::size_t c = 0; c < columns.size() && above.size() >= 2; ++c) {
    std::vector<PrintedNumber> runs;
    for (const std::size_t run : above) runs.push_back(rows[run].tokens[rows[run].of(Part::value)[c]].number);
    if (may_be_mean(number_at(rows, {mean, columns[c]}), runs)) continue;
    const Sum right = mean_of(runs);
    Finding finding = finding_at(rows, {mean, columns[c]});
    finding.kind = "mean";
    finding.recomputed = Range{right.low, right.middle, right.high};
    finding.message = fmt::format("{} is not the mean of the {} runs above, which is {:.6g}", finding.printed,
                                  runs.size(), right.middle);
    finding.slip = "a digit wrong in the mean or in a run";
    finding.confidence = "likely";
    out.findings.push_back(std::move(finding));
  }
}

/// The printed difference left of the percentage in its own cell: "-2.05 (-7.5%)".
std::optional<Spot> difference_beside(const Rows& rows, const Claim& claim) {
  const auto& tokens = rows[claim.published.row].tokens;
  if (claim.published.token == 0 || !tokens[claim.published.token].in_parentheses) return std::nullopt;
  const Spot spot{claim.published.row, claim.published.token - 1};
  const PrintedNumber& number = number_at(rows, spot);
  const bool same = spot == claim.before || spot == claim.after;
  if (same || tokens[spot.token].part != Part::value || !number.has_sign()) return std::nullopt;
  return spot;
}

/// "IOPS: +[19, 21]%" over two rows: the pair of integers, when the line has that form.
std::optional<Range> bracket(const std::string& text) {
  const auto open = text.find('['), close = text.find("]%");
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  const auto numbers = numbers_in(std::string_view(text).substr(open + 1, close - open - 1));
  if (numbers.size() != 2 || numbers[0].value > numbers[1].value) return std::nullopt;
  const double sign = open > 0 && text[open - 1] == '-' ? -1 : 1;
  return sign > 0 ? Range{numbers[0].low(), 0, numbers[1].high()} : Range{-numbers[1].high(), 0, -numbers[0].low()};
}

void check_bracket(const Rows& rows, std::size_t at, const Range& claimed, Audited& out) {
  std::vector<Spot> values;
  for (std::size_t i = at + 1; i < rows.size() && i <= at + 4 && values.size() < 2; ++i) {
    if (rows[i].kind == RowKind::blank) break;
    const auto& found = rows[i].of(Part::value);
    if (!found.empty()) values.push_back({i, found.front()});
  }
  if (values.size() < 2) return;
  const auto range = recompute(Formula::standard, number_at(rows, values[0]), number_at(rows, values[1]));
  if (!range) return;
  const bool holds = range->low <= claimed.high && range->high >= claimed.low;
  const std::string& text = rows[at].line->text;
  const auto open = text.find('['), close = text.find("]%");
  out.figures.push_back({rows[at].line->number, open + 1, std::string(rows[at].label), printed_text(rows, values[0]),
                         printed_text(rows, values[1]), text.substr(open, close + 2 - open),
                         holds ? "ok_range" : "wrong:range", range});
  if (holds) return;
  Finding finding = finding_at(rows[at]);
  finding.kind = "unreachable";
  finding.column = open + 1;
  finding.width = close + 2 - open;
  finding.printed = text.substr(open, close + 2 - open);
  finding.recomputed = range;
  finding.message = fmt::format("{} does not hold {:+.3f} %, the change from {} to {}", finding.printed, range->middle,
                                printed_text(rows, values[0]), printed_text(rows, values[1]));
  out.findings.push_back(std::move(finding));
}

}  // namespace

void check_totals(const Rows& rows, Audited& out) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].of(Part::value).empty() && is_total(rows[i])) check_total(rows, i, out);
    if (!rows[i].of(Part::value).empty() && is_mean(rows[i])) check_mean(rows, i, out);
    if (rows[i].kind == RowKind::text)
      if (const auto claimed = bracket(rows[i].line->text)) check_bracket(rows, i, *claimed, out);
  }
}

namespace {

void check_difference(const Rows& rows, const Claim& claim, Audited& out) {
  const Range range = difference(number_at(rows, claim.before), number_at(rows, claim.after));
  const bool holds = fit(number_at(rows, claim.published), range).reach != Reach::none;
  const Figure figure{rows[claim.published.row].line->number,
                      number_at(rows, claim.published).begin + 1,
                      std::string(claim.label),
                      printed_text(rows, claim.before),
                      printed_text(rows, claim.after),
                      printed_text(rows, claim.published),
                      holds ? "ok" : "wrong:difference",
                      range};
  out.figures.push_back(figure);
  if (holds) return;
  Finding finding = finding_at(rows, claim.published);
  finding.kind = "difference";
  finding.recomputed = range;
  finding.message =
      fmt::format("{} is not {} - {} = {:+.12g}", finding.printed, figure.after, figure.before, range.middle);
  out.findings.push_back(std::move(finding));
}

/// "12.40   -2.1   10.30  perf-profile...": a row of the kernel robot whose change has no sign of per cent.
void check_points(const Rows& rows, Audited& out) {
  bool within = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].kind == RowKind::blank) within = false;
    within = within || (rows[i].kind != RowKind::blank && is_robot_header(rows[i]));
    const auto& values = rows[i].of(Part::value);
    if (!within || values.size() != 3 || !rows[i].of(Part::percent).empty()) continue;
    const auto has_sign = [&](std::size_t v) { return rows[i].tokens[values[v]].number.has_sign(); };
    if (has_sign(0) || !has_sign(1) || has_sign(2)) continue;
    const std::string_view text = rows[i].line->text;
    check_difference(rows, {{i, values[0]}, {i, values[2]}, {i, values[1]}, text.substr(text.rfind("  ") + 2)}, out);
  }
}

}  // namespace

void check_differences(const Rows& rows, const Reading& reading, Audited& out) {
  for (const JudgedClaim& judged : reading.claims) {
    const auto spot = difference_beside(rows, judged.claim);
    if (!spot || judged.judgement.fit.reach == Reach::none) continue;
    check_difference(rows, {judged.claim.before, judged.claim.after, *spot, judged.claim.label}, out);
  }
  check_points(rows, out);
}

}  // namespace tollgate::audit
