// What the reader of a table needs and does not get: how many runs, how far they spread; what printed standard errors say
// of a difference that the prose calls measurable; tables that are compared though their baselines are not the same side.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "audit/checks.h"
#include "audit/role.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

constexpr double kSignificant = 1.96;  // standard errors, two-sided 5 %

/// Bits of the lists below, in their order.
enum Words : std::uint32_t { kSpread = 1, kRuns = 2, kSizes = 4, kEffect = 8 };

const WordLists kReported{
    // names of a spread; of what, they do not say
    {"stdev",
     "stddev",
     "std",
     "sd",
     "min",
     "max",
     "cv",
     "coeffvar",
     "sem",
     "variance",
     "interval",
     "ci",
     "p-value",
     "mad",
     "iqr",
     "percentile",
     "spread",
     "within",
     "standard deviation",
     "standard deviations",
     "interquartile range",
     "quartile"},
    {"runs",       "run",       "samples",      "iterations", "repeats",   "repetitions", "times",
     "iters",      "n",         "boots",        "average of", "avg of",    "avg. of",     "repeat",
     "medians of", "five-time", "measurements", "mean of",    "median of", "best of",     "averages of"},
    // sizes of object code do not vary from run to run
    {"bloat-o-meter", "add/remove", "code size", "object size", "text size"},
    {"measurably", "significantly", "significant", "noticeable", "noticeably", "measurable"}};

/// Which of these the text speaks of; looked for until all of `wanted` are found.
std::uint32_t words_in(const Rows& rows, std::uint32_t wanted) {
  std::uint32_t found = 0;
  for (const Row& row : rows) {
    if (row.kind != RowKind::blank && row.kind != RowKind::ruler) found |= kReported.found_in(row.line->text);
    if ((found & wanted) == wanted) break;
  }
  return found;
}

Finding reporting(const Row& row, std::string kind, std::string message) {
  Finding finding = finding_at(row);
  finding.kind = std::move(kind);
  finding.severity = Severity::reporting;
  finding.message = std::move(message);
  return finding;
}

/// "( +-  0.35% )": perf prints the standard error in percent of the mean.
std::optional<double> perf_error(const Row& row, Spot value) {
  const auto at = row.line->text.find("( +-");
  if (at == std::string::npos) return std::nullopt;
  for (const std::size_t t : row.of(Part::spread)) {
    const PrintedNumber& number = row.tokens[t].number;
    if (number.percent && number.begin > at)
      return row.tokens[value.token].number.value * std::fabs(number.value) / 100;
  }
  return std::nullopt;
}

void check_significance(const Rows& rows, const JudgedClaim& judged, Audited& out) {
  const Spot a = judged.claim.before, b = judged.claim.after;
  const auto first = perf_error(rows[a.row], a), second = perf_error(rows[b.row], b);
  if (!first || !second) return;
  const double error = std::hypot(*first, *second), base = number_at(rows, a).value;
  const double delta = number_at(rows, b).value - base;
  if (error <= 0 || base == 0 || std::fabs(delta) >= kSignificant * error) return;
  const bool effect = (words_in(rows, kEffect) & kEffect) != 0;
  Finding finding = reporting(
      rows[judged.claim.published.row], "not-significant",
      fmt::format(
          "the printed +- are standard errors: the difference is {:+.2f} (95 %: {:+.2f} to {:+.2f}) %, which holds "
          "zero{}",
          100 * delta / base, 100 * (delta - kSignificant * error) / base, 100 * (delta + kSignificant * error) / base,
          effect ? ", though the text calls it measurable" : ""));
  finding.printed = printed_text(rows, judged.claim.published);
  finding.confidence = "likely";
  out.findings.push_back(std::move(finding));
}

/// Whether "off" is what is compared with, or what is compared.
enum class Side { unknown, base_is_off, base_is_on };
Side side_of(const Rows& rows, const Claim& claim) {
  if (claim.before.row == claim.after.row) return Side::unknown;
  const bool before = has_word(rows[claim.before.row].label, "off"),
             after = has_word(rows[claim.after.row].label, "off");
  if (before == after) return Side::unknown;
  return before ? Side::base_is_off : Side::base_is_on;
}

void check_orientation(const Rows& rows, const Reading& reading, Audited& out) {
  const JudgedClaim* first = nullptr;
  for (const JudgedClaim& judged : reading.claims) {
    const Side side = side_of(rows, judged.claim);
    if (side == Side::unknown) continue;
    if (first == nullptr) first = &judged;
    if (side_of(rows, first->claim) == side) continue;
    const auto other =
        recompute(Formula::standard, number_at(rows, judged.claim.after), number_at(rows, judged.claim.before));
    Finding finding =
        reporting(rows[judged.claim.published.row], "base-orientation",
                  fmt::format("compared with '{}' here and with '{}' on line {}: not comparable{}",
                              rows[judged.claim.before.row].label, rows[first->claim.before.row].label,
                              rows[first->claim.before.row].line->number,
                              other ? fmt::format("; the other way round it is {:+.1f} %", other->middle) : ""));
    finding.printed = printed_text(rows, judged.claim.published);
    finding.confidence = "likely";
    out.findings.push_back(std::move(finding));
    return;
  }
}

/// A change of which neither figure has a spread beside it.
bool is_bare(const Rows& rows, const Claim& claim) {
  return rows[claim.before.row].of(Part::spread).empty() && rows[claim.after.row].of(Part::spread).empty() &&
         rows[claim.published.row].of(Part::spread).empty();
}

/// Once a text, at the first such change.
void check_spread(const Rows& rows, const Reading& reading, Audited& out) {
  const auto bare = std::find_if(reading.claims.begin(), reading.claims.end(),
                                 [&](const JudgedClaim& judged) { return is_bare(rows, judged.claim); });
  if (bare != reading.claims.end())
    out.findings.push_back(reporting(rows[bare->claim.published.row], "missing-spread",
                                     "no spread is given here: no reader can tell the change from noise"));
}

}  // namespace

void check_reporting(const Rows& rows, const Reading& reading, Audited& out) {
  check_orientation(rows, reading, out);
  if (reading.claims.empty()) return;
  for (const JudgedClaim& judged : reading.claims) check_significance(rows, judged, out);
  const std::uint32_t words = words_in(rows, kRuns | kSpread);  // with both, nothing is missing
  if ((words & kSizes) != 0) return;
  const Row& first = rows[reading.claims.front().claim.published.row];
  if ((words & kRuns) == 0)
    out.findings.push_back(reporting(first, "missing-samples", "the number of runs is not given"));
  if ((words & kSpread) == 0) check_spread(rows, reading, out);
}

}  // namespace tollgate::audit
