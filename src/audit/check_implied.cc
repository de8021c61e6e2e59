// Percentages whose other figure is not printed. "98.2 (-1.8%)  96.5 (-3.5%)" are compared with one base, which each of them
// implies: they must imply the same. "37% -> 14% (-23%)" is a difference in points, printed as if it were a change.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "audit/checks.h"
#include "audit/role.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kMinImplied = 3;  // figures with one base, to tell which of them is odd

struct Implied {
  std::size_t value = 0, percent = 0;  // tokens
  Range base;
};

/// x / (1 + p), with the sign as printed (+1) or, in a table where positive is better, the other way (-1).
Range base_of(const PrintedNumber& value, const PrintedNumber& percent, double sign) {
  const auto base = [&](double x, double p) { return x / (1 + sign * p / 100); };
  Range range{double{INFINITY}, base(value.value, percent.value), -double{INFINITY}};
  for (const double x : {value.low(), value.high()}) {
    for (const double p : {percent.low(), percent.high()}) {
      range.low = std::min(range.low, base(x, p));
      range.high = std::max(range.high, base(x, p));
    }
  }
  return range;
}

bool meet(const Range& a, const Range& b) { return a.low <= b.high && b.low <= a.high; }

class ImpliedCheck {
 public:
  ImpliedCheck(const Rows& rows, const Reading& reading, Audited& out) : rows_(rows), reading_(reading), out_(out) {}

  void check_row(std::size_t at) {
    const std::size_t percents = rows_[at].of(Part::percent).size();
    if (percents < kMinImplied) return;
    const auto with = implied(at, 1), against = implied(at, -1);
    if (with.size() < kMinImplied || with.size() != percents) return;
    const auto odd_with = odd_one(with), odd_against = odd_one(against);
    if (odd_with.size() != 1 || odd_against.empty()) return;  // a base that fits all, or none that fits most
    report(at, with, odd_with.front());
  }

  /// "before: 37%" over "after: 14% (-23%)".
  void check_points(std::size_t at) {
    const auto& percents = rows_[at].of(Part::percent);
    if (percents.empty() || !rows_[at].of(Part::value).empty()) return;
    const Token& last = rows_[at].tokens[percents.back()];
    if (!last.in_parentheses || reading_.holds({at, percents.back()})) return;
    if (percents.size() == 3) points({at, percents[0]}, {at, percents[1]}, {at, percents[2]});
    const bool stacked = percents.size() == 2 && at > 0 && rows_[at - 1].of(Part::percent).size() == 1 &&
                         rows_[at - 1].of(Part::value).empty() && role_of_label(rows_[at - 1].label) == Role::before;
    if (stacked) points({at - 1, rows_[at - 1].of(Part::percent)[0]}, {at, percents[0]}, {at, percents[1]});
  }

 private:
  std::vector<Implied> implied(std::size_t at, double sign) const {
    std::vector<Implied> found;
    const auto& tokens = rows_[at].tokens;
    for (const std::size_t p : rows_[at].of(Part::percent)) {
      const PrintedNumber& percent = tokens[p].number;
      const bool usable = p > 0 && tokens[p - 1].part == Part::value && tokens[p].in_parentheses &&
                          percent.has_sign() && !reading_.holds({at, p}) && percent.value != 0 &&
                          std::fabs(percent.value) < 90 && tokens[p - 1].number.low() > 0;
      if (usable) found.push_back({p - 1, p, base_of(tokens[p - 1].number, percent, sign)});
    }
    return found;
  }

  /// Those that do not meet the base which most of them share.
  static std::vector<std::size_t> odd_one(const std::vector<Implied>& all) {
    std::vector<std::size_t> best;
    for (const Implied& one : all) {
      std::vector<std::size_t> odd;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (!meet(one.base, all[i].base)) odd.push_back(i);
      if (&one == all.data() || odd.size() < best.size()) best = odd;
    }
    return best;
  }

  void report(std::size_t at, const std::vector<Implied>& all, std::size_t odd) {
    const std::size_t other = odd == 0 ? 1 : 0;
    Finding finding = finding_at(rows_, {at, all[odd].percent});
    finding.kind = "hidden-baseline";
    finding.severity = Severity::doubtful;
    finding.recomputed = all[odd].base;
    finding.message = fmt::format("{} of {} implies a base of {:.6g}; the other {} figures of the row imply {:.6g}",
                                  finding.printed, printed_text(rows_, {at, all[odd].value}), all[odd].base.middle,
                                  all.size() - 1, all[other].base.middle);
    finding.confidence = "likely";
    out_.findings.push_back(std::move(finding));
  }

  void points(Spot before, Spot after, Spot published) {
    const PrintedNumber &a = number_at(rows_, before), &b = number_at(rows_, after);
    const auto change = recompute(Formula::standard, a, b);
    const PrintedNumber& printed = number_at(rows_, published);
    const Range range = difference(a, b);
    if (!change || fit(printed, *change).reach != Reach::none || fit(printed, range).reach != Reach::rounded) return;
    Finding finding = finding_at(rows_, published);
    finding.kind = "points";
    finding.severity = Severity::doubtful;
    finding.recomputed = change;
    finding.message =
        fmt::format("{} is a difference in percentage points: from {} to {} is a change of {:+.1f} %", finding.printed,
                    printed_text(rows_, before), printed_text(rows_, after), change->middle);
    out_.findings.push_back(std::move(finding));
  }

  const Rows& rows_;
  const Reading& reading_;
  Audited& out_;
};

}  // namespace

void check_implied(const Rows& rows, const Reading& reading, Audited& out) {
  ImpliedCheck check(rows, reading, out);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].of(Part::percent).empty()) continue;
    check.check_row(i);
    check.check_points(i);
  }
}

}  // namespace tollgate::audit
