#include "audit/arithmetic.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace tollgate::audit {
namespace {

double percentage(Formula formula, double a, double b) {
  const double base = formula == Formula::standard ? a : formula == Formula::new_base ? b : 0.5 * (a + b);
  return 100 * (b - a) / base;
}

bool zero_inside(double low, double high) { return low <= 0 && high >= 0; }

/// Ranges that touch count as meeting: 1e-9 of the scale stands for the rounding of this program, not of the figure.
bool meet(double low, double high, const Range& range) {
  const double slack = 1e-9 * std::max({1.0, std::fabs(range.low), std::fabs(range.high)});
  return low <= range.high + slack && high >= range.low - slack;
}

Reach reach(double published, const PrintedNumber& as, const Range& range) {
  const double room = as.approximate ? 2 * as.half_unit : as.half_unit;
  if (meet(published - room, published + room, range)) return Reach::rounded;
  const double unit = 2 * as.half_unit;
  const double slack = 1e-9;
  const bool up = published >= 0 && meet(published, published + unit - slack, range);
  const bool down = published <= 0 && meet(published - unit + slack, published, range);
  return up || down ? Reach::cut : Reach::none;
}

}  // namespace

std::optional<Range> recompute(Formula formula, const PrintedNumber& before, const PrintedNumber& after) {
  const bool uses_before = formula != Formula::new_base, uses_after = formula != Formula::standard;
  // Zero as printed is zero: its own last digit says nothing of the base.
  if ((uses_before && !uses_after && zero_inside(before.low(), before.high())) ||
      (uses_after && !uses_before && zero_inside(after.low(), after.high())) ||
      (uses_before && uses_after && zero_inside(before.low() + after.low(), before.high() + after.high())))
    return std::nullopt;
  Range range{double{INFINITY}, percentage(formula, before.value, after.value), -double{INFINITY}};
  for (const double a : {before.low(), before.high()}) {
    for (const double b : {after.low(), after.high()}) {
      const double corner = percentage(formula, a, b);
      range.low = std::min(range.low, corner);
      range.high = std::max(range.high, corner);
    }
  }
  if (!(range.low <= range.high) || !std::isfinite(range.low) || !std::isfinite(range.high)) return std::nullopt;
  return range;
}

Range difference(const PrintedNumber& before, const PrintedNumber& after) {
  return {after.low() - before.high(), after.value - before.value, after.high() - before.low()};
}

Fit fit(const PrintedNumber& published, const Range& range) {
  const Reach same = reach(published.value, published, range);
  if (same == Reach::rounded) return {same, false};
  const Reach flipped = reach(-published.value, published, range);
  if (flipped == Reach::rounded) return {flipped, true};
  if (same == Reach::cut) return {same, false};
  return {flipped, flipped == Reach::cut};
}

Judgement judge(const PrintedNumber& before, const PrintedNumber& after, const PrintedNumber& published,
                Formula table) {
  Judgement judgement;
  judgement.standard = recompute(Formula::standard, before, after);
  if (judgement.standard) judgement.fit = fit(published, *judgement.standard);
  if (judgement.fit.reach == Reach::rounded) return judgement;
  const Judgement usual = judgement;
  for (const Formula other : {Formula::new_base, Formula::symmetric}) {
    const auto range = recompute(other, before, after);
    if (!range) continue;
    const Fit found = fit(published, *range);
    const bool enough = found.reach == Reach::rounded || (found.reach == Reach::cut && other == table);
    if (enough && (usual.fit.reach == Reach::none || other == table)) return {other, found, judgement.standard};
  }
  return usual;
}

std::string verdict_name(const Judgement& judgement) {
  if (!judgement.standard && judgement.fit.reach == Reach::none) return "unverifiable";
  if (judgement.fit.reach == Reach::none) return "wrong";
  std::string name = judgement.formula == Formula::new_base    ? "base_new"
                     : judgement.formula == Formula::symmetric ? "sym"
                                                               : "";
  const auto add = [&](const char* part) { name += name.empty() ? part : fmt::format("_{}", part); };
  if (judgement.fit.reach == Reach::cut) add("trunc");
  if (name.empty()) add("ok");
  if (judgement.fit.flipped) add("flip");
  // The symmetric formula and its sign: its users print falls as negative, so a flip is the exception worth naming.
  return name;
}

std::string_view formula_text(Formula formula) {
  switch (formula) {
    case Formula::standard:
      return "(after - before) / before";
    case Formula::new_base:
      return "(after - before) / after";
    case Formula::symmetric:
      return "(after - before) / their average";
  }
  return "";
}

std::string rounded_like(double value, const PrintedNumber& like) {
  return fmt::format("{:+.{}f}", value, std::clamp(like.decimals, 0, 12));
}

}  // namespace tollgate::audit
