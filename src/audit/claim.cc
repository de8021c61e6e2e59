#include "audit/claim.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory_resource>

namespace tollgate::audit {
namespace {

constexpr int kTellingDigits = 3;
constexpr double kTellingShare = 0.01;  // of the percentage: what its range may be wide

struct Scored {
  Formula formula = Formula::standard;
  std::size_t fits = 0;
  std::size_t telling = 0;  // fits of figures with so many digits that chance is out of the question
  bool trusted = false;
};

/// Figures of one digit (a number of runs beside another) leave a range so wide that any percentage fits.
bool is_narrow(const Range& range) { return range.high - range.low < 0.5 * std::fabs(range.middle); }

/// How many of the group's figures the formula reaches. Without words that name the figures only narrow ranges count.
Scored count_fits(const Rows& rows, const ClaimGroup& group, Formula formula) {
  Scored scored{formula};
  for (const Claim& claim : group.claims) {
    const PrintedNumber& published = number_at(rows, claim.published);
    const auto range = recompute(formula, number_at(rows, claim.before), number_at(rows, claim.after));
    if (!range || (!group.named && !is_narrow(*range))) continue;
    const Reach reach = fit(published, *range).reach;
    scored.fits += reach != Reach::none;
    const double chance = range->high - range->low + 2 * published.half_unit;
    scored.telling += reach == Reach::rounded && published.digits >= kTellingDigits &&
                      chance < kTellingShare * std::fabs(range->middle);
  }
  return scored;
}

/// The formula that reaches most figures of the group; the usual one when no other does better.
Scored score(const Rows& rows, const ClaimGroup& group) {
  Scored best;
  for (const Formula formula : {Formula::standard, Formula::new_base, Formula::symmetric}) {
    const Scored scored = count_fits(rows, group, formula);
    if (scored.fits > best.fits) best = scored;
    if (best.fits == group.claims.size()) break;
  }
  const bool most = 2 * best.fits >= group.claims.size();
  const bool enough = best.formula == Formula::standard ? best.fits + best.telling >= 2 : best.fits >= 3;
  best.trusted = group.named || (most && enough);
  return best;
}

/// Columns of a confidence, of a share of the CPU: the same figure in every row is no change.
bool is_constant(const Rows& rows, const ClaimGroup& group) {
  const double first = number_at(rows, group.claims.front().published).value;
  return !group.named && group.claims.size() >= 3 &&
         std::all_of(group.claims.begin(), group.claims.end(),
                     [&](const Claim& claim) { return number_at(rows, claim.published).value == first; });
}

/// Gigabytes are not compared with a ratio. A prefix ("527k") is part of the value.
bool same_units(const PrintedNumber& a, const PrintedNumber& b) {
  const auto bare = [](std::string_view unit) {
    return unit.size() == 1 && unit != "s" && unit != "B" ? std::string_view{} : unit;
  };
  return a.unit.empty() || b.unit.empty() ? bare(a.unit) == bare(b.unit) || a.unit.size() + b.unit.size() <= 2
                                          : bare(a.unit) == bare(b.unit);
}

/// A second percentage beside the same figures: "-5.2%" is their change, and the "-4.1%" behind it that of another series.
bool is_beside_their_change(const std::vector<ClaimGroup>& groups, std::size_t at, const Rows& rows,
                            const Scored& own) {
  if (2 * own.fits >= groups[at].claims.size()) return false;
  const Claim& claim = groups[at].claims.front();
  return std::any_of(groups.begin(), groups.end(), [&](const ClaimGroup& other) {
    if (&other == &groups[at] || other.claims.empty() || !other.named) return false;
    const Claim& theirs = other.claims.front();
    if (theirs.before != claim.before || theirs.after != claim.after || theirs.published == claim.published)
      return false;
    return 2 * score(rows, other).fits >= other.claims.size();
  });
}

struct Choice {
  std::size_t group = 0;
  const Claim* claim = nullptr;
  Judgement judgement;
  std::array<std::size_t, 4> rank{};
};

/// The change from before to after, in percent of the figure before, rounded.
bool is_usual(const Rows& rows, const Claim& claim) {
  const auto range = recompute(Formula::standard, number_at(rows, claim.before), number_at(rows, claim.after));
  return range && fit(number_at(rows, claim.published), *range).reach == Reach::rounded;
}

/// "50 (for 50%)": the figure itself in percent.
bool repeats_figure(const Rows& rows, const Claim& claim) {
  const double published = number_at(rows, claim.published).value;
  return published == number_at(rows, claim.before).value || published == number_at(rows, claim.after).value;
}

std::size_t fit_rank(const Judgement& judgement) {
  if (judgement.fit.reach == Reach::none) return 0;
  if (judgement.formula != Formula::standard) return 1;
  return judgement.fit.reach == Reach::cut ? 2 : 3;
}

}  // namespace

bool Reading::holds(Spot percent) const {
  const auto earlier = [](const JudgedClaim& judged, Spot spot) { return judged.claim.published < spot; };
  const auto found = std::lower_bound(claims.begin(), claims.end(), percent, earlier);
  return found != claims.end() && found->claim.published == percent;
}

Reading read_claims(Rows& rows) {
  std::vector<ClaimGroup> groups;
  read_columns(rows, groups);
  read_lists(rows, groups);
  read_sentences(rows, groups);
  Reading reading;
  std::pmr::monotonic_buffer_resource memory;
  std::pmr::map<Spot, Choice> chosen(&memory);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::erase_if(groups[i].claims, [&](const Claim& claim) {
      return !same_units(number_at(rows, claim.before), number_at(rows, claim.after));
    });
    const Scored scored = groups[i].claims.empty() ? Scored{} : score(rows, groups[i]);
    reading.formulas.push_back(scored.formula);
    if (groups[i].claims.empty() || is_constant(rows, groups[i])) continue;
    if (groups[i].named && is_beside_their_change(groups, i, rows, scored)) continue;
    for (const Claim& claim : groups[i].claims) {
      // Most groups are guesses; of these only the figures that the usual formula gives are judged.
      if (!scored.trusted && !is_usual(rows, claim)) continue;
      const Judgement judgement = judge(number_at(rows, claim.before), number_at(rows, claim.after),
                                        number_at(rows, claim.published), scored.formula);
      if (!groups[i].named && judgement.standard && !is_narrow(*judgement.standard)) continue;
      if (judgement.fit.reach == Reach::none && repeats_figure(rows, claim)) continue;
      const std::size_t fits = fit_rank(judgement);
      const std::array<std::size_t, 4> rank{scored.trusted, fits, groups[i].named, scored.fits};
      Choice& choice = chosen[claim.published];
      if (choice.claim == nullptr || rank > choice.rank) choice = {i, &claim, judgement, rank};
    }
  }
  for (const auto& [spot, choice] : chosen) reading.claims.push_back({*choice.claim, choice.judgement, choice.group});
  return reading;
}

}  // namespace tollgate::audit
