#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "audit/checks.h"
#include "audit/role.h"
#include "audit/slips.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

using Siblings = std::vector<const JudgedClaim*>;

std::string range_text(const Range& range, const PrintedNumber& like) {
  const int decimals = std::clamp(like.decimals + 2, 2, 12);
  const std::string low = fmt::format("{:+.{}f}", range.low, decimals),
                    high = fmt::format("{:+.{}f}", range.high, decimals);
  const std::string middle = fmt::format("{:+.{}f} %", range.middle, decimals);
  return low == high ? middle : fmt::format("{} ({} to {})", middle, low, high);
}

/// The right figure in the sign convention of the printed one: "1.72", "-14.1", "8 less".
std::string right_text(double value, const PrintedNumber& published) {
  std::string text = rounded_like(value, published);
  if (published.has_sign() || value >= 0) return published.has_sign() ? text + " %" : text.substr(1) + " %";
  return published.value < 0 ? text + " %" : text.substr(1) + " % less";
}

/// "the change from 54.15s to 46.53s is -14.07 (-14.09 to -14.05) %".
std::string exact_text(const Rows& rows, const JudgedClaim& judged) {
  return fmt::format("from {} to {} is {}", printed_text(rows, judged.claim.before),
                     printed_text(rows, judged.claim.after),
                     range_text(*judged.judgement.standard, number_at(rows, judged.claim.published)));
}

Finding start(const Rows& rows, const JudgedClaim& judged, std::string kind, Severity severity) {
  Finding finding = finding_at(rows, judged.claim.published);
  finding.kind = std::move(kind);
  finding.severity = severity;
  finding.recomputed = judged.judgement.standard;
  return finding;
}

Finding unreachable(const Rows& rows, const Siblings& siblings, std::size_t at, std::string& subtype) {
  const JudgedClaim& judged = *siblings[at];
  Finding finding = start(rows, judged, "unreachable", Severity::wrong);
  const PrintedNumber& published = number_at(rows, judged.claim.published);
  finding.message = fmt::format("{} cannot be: {}, so {}", finding.printed, exact_text(rows, judged),
                                right_text(judged.judgement.standard->middle, published));
  if (const auto slip = likely_slip(rows, siblings, at)) {
    finding.slip = slip->text;
    subtype = slip->subtype;
  }
  return finding;
}

Finding truncated(const Rows& rows, const JudgedClaim& judged) {
  Finding finding = start(rows, judged, "truncated", Severity::wrong);
  const PrintedNumber& published = number_at(rows, judged.claim.published);
  const double middle = judged.judgement.standard->middle;
  finding.message =
      fmt::format("{} is cut, not rounded: {}, so {} %", finding.printed, exact_text(rows, judged),
                  judged.judgement.fit.flipped ? rounded_like(-middle, published).substr(middle < 0 ? 1 : 0)
                                               : rounded_like(middle, published));
  finding.slip = "digits dropped after the last printed one";
  return finding;
}

/// Words right after the figure: "(50% faster)", "8% less".
std::string_view words_after(const Rows& rows, Spot spot) {
  const PrintedNumber& number = number_at(rows, spot);
  const std::string_view words = std::string_view(rows[spot.row].line->text).substr(number.end, 24);
  return words.substr(0, words.find_first_of("|,;.)"));
}

int direction_of(std::string_view words) {
  enum : std::uint32_t { kBetter = 1, kUp = 2, kDown = 4 };
  static const WordLists kWords{
      {"better"},
      {"more", "higher", "increase", "increased", "rise", "growth", "larger", "greater", "increases"},
      {"less", "fewer", "lower", "decrease", "decreased", "reduction", "reduced", "drop", "smaller", "decreases"}};
  const std::uint32_t found = kWords.found_in(words);
  if ((found & kBetter) != 0) return 0;
  if ((found & kUp) != 0) return 1;
  return (found & kDown) != 0 ? -1 : 0;
}

/// "improved from 31204 to 29818 MB/s": a sentence that praises a quantity for which the change is none.
std::string_view false_praise(const Rows& rows, const JudgedClaim& judged) {
  static const WordSet kPraise{"improved", "improves", "improvement"}, kTimes{"s", "sec", "ms", "us", "ns", "seconds"};
  const auto& [before, after, published, label] = judged.claim;
  if (before.row != after.row || after.row > published.row || published.row - after.row > 1) return {};
  const std::string_view text = rows[published.row].line->text;
  if (text.find("mprove") == std::string_view::npos) return {};
  const std::string_view praise = kPraise.first_in(text);
  if (praise.empty()) return {};
  const bool fell = judged.judgement.standard->high < 0, rose = judged.judgement.standard->low > 0;
  const Better better = better_of(text);
  const bool falsely = (better == Better::higher && fell && !kTimes.any_in(number_at(rows, before).unit)) ||
                       (better == Better::lower && rose && has_word(text, "latency"));
  return falsely ? praise : std::string_view{};
}

/// "reduced by 31%, from 10 to 14", "goes up from 14 to 10": what the words right before the figures say, 1 or -1.
int direction_before(const Rows& rows, const Claim& claim) {
  const Spot first = std::min(claim.before, claim.published);
  std::string_view text = rows[first.row].line->text;
  text = trim(text.substr(0, number_at(rows, first).begin));
  for (const std::string_view filler : {"from", "(", "by"})
    if (text.ends_with(filler)) text = trim(text.substr(0, text.size() - filler.size()));
  return direction_at_end(text);
}

/// "8% less" where the figure rose.
void check_words(const Rows& rows, const JudgedClaim& judged, Audited& out) {
  const auto& range = judged.judgement.standard;
  if (!range || judged.judgement.fit.reach == Reach::none) return;
  const std::string_view words = words_after(rows, judged.claim.published);
  if (const auto praise = false_praise(rows, judged); !praise.empty()) {
    Finding finding = start(rows, judged, "wrong-direction", Severity::wrong);
    finding.message = fmt::format("'{}' says the opposite: {}", praise, exact_text(rows, judged));
    finding.slip = "the direction word, or the two figures swapped";
    out.findings.push_back(std::move(finding));
    return;
  }
  if (const int said = direction_before(rows, judged.claim); said > 0 ? range->high < 0 : said < 0 && range->low > 0) {
    Finding finding = start(rows, judged, "wrong-direction", Severity::wrong);
    finding.message =
        fmt::format("the words before say that it {}: {}", said > 0 ? "rose" : "fell", exact_text(rows, judged));
    finding.slip = "the direction word, or the two figures swapped";
    out.findings.push_back(std::move(finding));
    return;
  }
  const int said = direction_of(words);
  const bool negated = number_at(rows, judged.claim.published).signed_minus;
  if (said == 0 || negated || (said > 0 ? range->high >= 0 : range->low <= 0)) return;
  Finding finding = start(rows, judged, "wrong-direction", Severity::wrong);
  finding.message = fmt::format("'{}{}' says the opposite: {}", finding.printed, words, exact_text(rows, judged));
  finding.slip = "the direction word";
  out.findings.push_back(std::move(finding));
}

/// The rows whose sign is against that of the others, where nothing says that they measure another kind of thing.
void check_signs(const Rows& rows, const Siblings& siblings, Audited& out) {
  std::array<Siblings, 2> by_flip;
  for (const JudgedClaim* judged : siblings) {
    const auto& found = judged->judgement;
    const bool zero = number_at(rows, judged->claim.published).value == 0;
    if (found.fit.reach == Reach::none || zero || !found.standard) continue;
    by_flip[found.fit.flipped].push_back(judged);
  }
  const Siblings& odd = by_flip[0].size() < by_flip[1].size() ? by_flip[0] : by_flip[1];
  const Siblings& usual = &odd == by_flip.data() ? by_flip[1] : by_flip[0];
  if (odd.empty() || usual.size() < 3 || odd.size() * 3 > usual.size()) return;
  for (const JudgedClaim* judged : odd) {
    const Better own = better_of(judged->claim.label);
    const bool unlike = std::any_of(usual.begin(), usual.end(), [&](const JudgedClaim* other) {
      const Better theirs = better_of(other->claim.label);
      return theirs != own && (theirs != Better::unknown || own != Better::unknown);
    });
    const bool any_unknown = own == Better::unknown;
    Finding finding = start(rows, *judged, "wrong-sign", unlike ? Severity::doubtful : Severity::wrong);
    if (unlike && !any_unknown) continue;
    finding.message =
        fmt::format("{} has the opposite sign of the other rows: {}", finding.printed, exact_text(rows, *judged));
    finding.slip = "the sign";
    finding.confidence = unlike ? "possible" : "likely";
    out.findings.push_back(std::move(finding));
  }
}

/// Inputs of one digit leave a range so wide that another base may well fit by accident: that is no finding.
/// "25% faster" of a time that fell from 10 to 8 divides by the new time, as a speed does.
bool other_base(const Rows& rows, const JudgedClaim& judged) {
  static const WordSet kSpeeds{"faster", "quicker", "speedup", "speed-up"};
  const auto& range = judged.judgement.standard;
  if (range && range->high < 0 && kSpeeds.any_in(words_after(rows, judged.claim.published))) return false;
  const bool narrow = range && range->high - range->low < 0.25 * std::fabs(range->middle);
  return narrow && judged.judgement.fit.reach != Reach::none && judged.judgement.formula != Formula::standard;
}

/// "22.0% less" is of the figure before; divided by the one after it is how much more that was.
bool is_less(const Rows& rows, const JudgedClaim& judged) {
  static const WordSet kLess{"less", "fewer"};
  return judged.judgement.standard->high < 0 && judged.judgement.formula == Formula::new_base &&
         kLess.any_in(words_after(rows, judged.claim.published));
}

/// One finding a table that divides by something else, one a row where the table mixes.
void check_bases(const Rows& rows, const Siblings& siblings, Formula formula, Audited& out) {
  const auto others =
      std::count_if(siblings.begin(), siblings.end(), [&](const auto* j) { return other_base(rows, *j); });
  if (others == 0) return;
  const bool mixed = formula == Formula::standard && siblings.size() >= 3;
  bool said = false;
  for (const JudgedClaim* judged : siblings) {
    if (!other_base(rows, *judged)) continue;
    const PrintedNumber& published = number_at(rows, judged->claim.published);
    const bool impossible = judged->judgement.standard->high < 0 && std::fabs(published.value) > 100;
    if (said && !mixed && !impossible) continue;
    said = true;
    Finding finding = start(rows, *judged,
                            impossible ? "impossible-fall"
                            : mixed    ? "mixed-base"
                                       : "other-base",
                            impossible || mixed ? Severity::wrong : Severity::doubtful);
    if (is_less(rows, *judged)) finding.severity = Severity::wrong;
    finding.message = fmt::format(
        "{} fits only {}: {}{}", finding.printed, formula_text(judged->judgement.formula), exact_text(rows, *judged),
        mixed ? "; the other rows divide by the figure before"
        : siblings.size() > 1
            ? fmt::format("; so {} {} of the {} figures", others == 1 ? "does" : "do", others, siblings.size())
            : "");
    if (impossible) finding.message += "; nothing falls by more than 100 %";
    finding.slip = judged->judgement.formula == Formula::new_base ? "divided by the new value: a speed-up, not a saving"
                                                                  : "divided by the average of both";
    out.findings.push_back(std::move(finding));
  }
}

void add_figure(const Rows& rows, const JudgedClaim& judged, const std::string& subtype, Audited& out) {
  const PrintedNumber& published = number_at(rows, judged.claim.published);
  std::string verdict = verdict_name(judged.judgement);
  if (!subtype.empty()) verdict += ":" + subtype;
  out.figures.push_back({rows[judged.claim.published.row].line->number, published.begin + 1,
                         std::string(judged.claim.label), printed_text(rows, judged.claim.before),
                         printed_text(rows, judged.claim.after), printed_text(rows, judged.claim.published), verdict,
                         judged.judgement.standard});
}

}  // namespace

std::string printed_text(const Rows& rows, Spot spot) {
  const PrintedNumber& number = number_at(rows, spot);
  const std::string& text = rows[spot.row].line->text;
  return number.begin < text.size() ? text.substr(number.begin, number.end - number.begin) : "";
}

Finding finding_at(const Row& row) {
  Finding finding;
  finding.line = row.line->number;
  finding.excerpt = row.line->text;
  return finding;
}

namespace {

constexpr std::size_t kShownRows = 5;  // of a table above the row that is marked

/// The rows of the paragraph above, or its first three and the last.
std::vector<std::string> lines_above(const Rows& rows, std::size_t row) {
  std::size_t begin = row;
  while (begin > 0 && rows[begin - 1].kind != RowKind::blank) --begin;
  std::vector<std::string> lines;
  const bool all = row - begin <= kShownRows;
  for (std::size_t i = begin; i < (all ? row : begin + kShownRows - 2); ++i) lines.push_back(rows[i].line->text);
  if (all) return lines;
  lines.emplace_back("...");
  lines.push_back(rows[row - 1].line->text);
  return lines;
}

}  // namespace

Finding finding_at(const Rows& rows, Spot spot) {
  Finding finding = finding_at(rows[spot.row]);
  finding.above = lines_above(rows, spot.row);
  const PrintedNumber& number = number_at(rows, spot);
  finding.column = number.begin + 1;
  finding.width = number.end - number.begin;
  finding.printed = printed_text(rows, spot);
  return finding;
}

void check_percentages(const Rows& rows, const Reading& reading, Audited& out) {
  std::map<std::size_t, Siblings> groups;
  for (const JudgedClaim& judged : reading.claims) groups[judged.group].push_back(&judged);
  for (const auto& [group, siblings] : groups) {
    for (std::size_t i = 0; i < siblings.size(); ++i) {
      const JudgedClaim& judged = *siblings[i];
      std::string subtype;
      if (judged.judgement.standard && judged.judgement.fit.reach == Reach::none)
        out.findings.push_back(unreachable(rows, siblings, i, subtype));
      else if (judged.judgement.fit.reach == Reach::cut && judged.judgement.formula == Formula::standard)
        out.findings.push_back(truncated(rows, judged));
      add_figure(rows, judged, subtype, out);
      check_words(rows, judged, out);
    }
    check_bases(rows, siblings, reading.formulas[group], out);
    check_signs(rows, siblings, out);
  }
}

}  // namespace tollgate::audit
