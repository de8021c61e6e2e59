#include "audit/slips.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>

namespace tollgate::audit {
namespace {

constexpr std::size_t kMostSiblings = 64;  // beyond, rows are not compared with each other

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_wrong(const JudgedClaim& judged) {
  return judged.judgement.standard && judged.judgement.fit.reach == Reach::none;
}

bool reaches(const PrintedNumber& published, const Range& range) { return fit(published, range).reach != Reach::none; }

std::string text_at(const Rows& rows, Spot spot) {
  const PrintedNumber& number = number_at(rows, spot);
  return rows[spot.row].line->text.substr(number.begin, number.end - number.begin);
}

struct Edit {
  std::string text;
  std::string_view subtype;
  std::string_view what;
};

/// Every text with two digits swapped or the point moved: what happens to a figure of any length.
std::vector<Edit> swaps_of(const std::string& text) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (!is_digit(text[i]) || !is_digit(text[i + 1]) || text[i] == text[i + 1]) continue;
    edits.push_back({text, "transposed_digits", "two digits swapped"});
    std::swap(edits.back().text[i], edits.back().text[i + 1]);
  }
  const std::size_t point = text.find('.');
  if (point == std::string::npos) return edits;
  for (const std::size_t other : {point - 1, point + 1}) {
    if (other >= text.size() || !is_digit(text[other])) continue;
    edits.push_back({text, "decimal_shift", "the point moved by one place"});
    std::swap(edits.back().text[point], edits.back().text[other]);
  }
  return edits;
}

/// Every text with one digit changed, lost or too many: of a figure of few digits these are almost all figures.
std::vector<Edit> changes_of(const std::string& text) {
  std::vector<Edit> edits;
  for (std::size_t i = text.size(); i-- > 0;) {
    for (char c = '0'; is_digit(text[i]) && c <= '9'; ++c) {
      if (c == text[i]) continue;
      const bool leads = c == '0' && i + 1 < text.size() && is_digit(text[i + 1]) &&
                         (i == 0 || !is_digit(text[i - 1])) && (i == 0 || text[i - 1] != '.');
      if (leads) continue;  // "+03.2%" is a digit too many
      edits.push_back({text, "", "one digit wrong"});
      edits.back().text[i] = c;
    }
  }
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && !is_digit(text[i])) continue;
    if (i < text.size()) edits.push_back({std::string(text).erase(i, 1), "extra_digit", "a digit too many"});
    for (char c = '0'; c <= '9'; ++c)
      edits.push_back({std::string(text).insert(i, 1, c), "dropped_digit", "a digit lost"});
  }
  return edits;
}

std::optional<PrintedNumber> read_one(const std::string& text) {
  const auto numbers = numbers_in(text);
  if (numbers.size() != 1) return std::nullopt;
  return numbers.front();
}

/// The first edit of the published figure that the range bears out.
std::optional<Slip> first_that_fits(const std::vector<Edit>& edits, const PrintedNumber& published,
                                    const Range& range) {
  for (const Edit& edit : edits) {
    const auto number = read_one(edit.text);
    if (!number || number->decimals > published.decimals + 1) continue;
    const Fit found = fit(*number, range);
    if (found.reach == Reach::rounded || (found.reach == Reach::cut && edit.subtype == "transposed_digits"))
      return Slip{std::string(edit.subtype), fmt::format("{}: {} would fit", edit.what, edit.text)};
  }
  return std::nullopt;
}

/// A slip in the published figure itself. One with few digits is one digit away from anything: only swaps count there.
std::optional<Slip> slip_in_published(const std::string& text, const PrintedNumber& published, const Range& range) {
  const auto swapped = first_that_fits(swaps_of(text), published, range);
  return swapped || published.digits < 3 ? swapped : first_that_fits(changes_of(text), published, range);
}

/// A slip in one of the two figures, when swapping two digits or moving the point there repairs the row.
std::optional<Slip> slip_in_inputs(const Rows& rows, const Claim& claim) {
  const PrintedNumber& published = number_at(rows, claim.published);
  if (published.digits < 2) return std::nullopt;
  for (const Spot spot : {claim.before, claim.after}) {
    const std::string text = text_at(rows, spot);
    for (const Edit& edit : swaps_of(text)) {
      const auto number = read_one(edit.text);
      if (!number) continue;
      const bool first = spot == claim.before;
      const auto range = recompute(Formula::standard, first ? *number : number_at(rows, claim.before),
                                   first ? number_at(rows, claim.after) : *number);
      if (range && fit(published, *range).reach == Reach::rounded)
        return Slip{fmt::format("input_{}", edit.subtype),
                    fmt::format("{} in {}: {} would fit", edit.what, text, edit.text)};
    }
  }
  return std::nullopt;
}

/// The row whose recomputed figure is what `published` says, among the siblings.
std::optional<std::size_t> row_with(const Rows& rows, const std::vector<const JudgedClaim*>& siblings, std::size_t at) {
  const PrintedNumber& published = number_at(rows, siblings[at]->claim.published);
  if (published.digits < 2) return std::nullopt;
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    if (i == at || !siblings[i]->judgement.standard) continue;
    if (!reaches(published, *siblings[i]->judgement.standard)) continue;
    if (!found || std::llabs(static_cast<long long>(i) - static_cast<long long>(at)) == 1) found = i;
  }
  return found;
}

/// All wrong rows print what belongs to other rows, one of them to its neighbour.
std::optional<Slip> shifted(const Rows& rows, const std::vector<const JudgedClaim*>& siblings, std::size_t at) {
  bool neighbour = false;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    if (!is_wrong(*siblings[i])) continue;
    const auto other = row_with(rows, siblings, i);
    if (!other) return std::nullopt;
    neighbour |= *other + 1 == i || *other == i + 1;
    ++wrong;
  }
  if (!neighbour || wrong < 2) return std::nullopt;
  const auto other = row_with(rows, siblings, at);
  return Slip{"shifted_column", fmt::format("the column seems shifted: this is the figure of line {}",
                                            rows[siblings[*other]->claim.published.row].line->number)};
}

std::optional<Slip> pasted(const Rows& rows, const std::vector<const JudgedClaim*>& siblings, std::size_t at) {
  const std::string text = text_at(rows, siblings[at]->claim.published);
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    if (i == at || number_at(rows, siblings[i]->claim.published).value == 0) continue;
    if (text_at(rows, siblings[i]->claim.published) != text) continue;
    return Slip{"pasted_percent", fmt::format("the same {} stands on line {}: perhaps pasted", text,
                                              rows[siblings[i]->claim.published.row].line->number)};
  }
  return std::nullopt;
}

/// One of the two figures stands, to the digit, further up in another place.
std::optional<Slip> pasted_input(const Rows& rows, const Claim& claim) {
  for (const Spot spot : {claim.after, claim.before}) {
    const PrintedNumber& number = number_at(rows, spot);
    if (number.digits < 6) continue;
    for (std::size_t i = 0; i < spot.row; ++i) {
      if (i == claim.before.row || i == claim.after.row) continue;
      for (const Token& token : rows[i].tokens)
        if (token.number.value == number.value && token.number.digits == number.digits)
          return Slip{"duplicate_block", fmt::format("{} stands on line {} too: perhaps pasted", text_at(rows, spot),
                                                     rows[i].line->number)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Slip> likely_slip(const Rows& rows, const std::vector<const JudgedClaim*>& siblings, std::size_t at) {
  const JudgedClaim& judged = *siblings[at];
  const PrintedNumber& published = number_at(rows, judged.claim.published);
  const Range& range = *judged.judgement.standard;
  const bool short_list = siblings.size() <= kMostSiblings;
  if (auto slip = short_list ? shifted(rows, siblings, at) : std::nullopt) return slip;
  if (auto slip = pasted_input(rows, judged.claim)) return slip;
  if (auto slip = pasted(rows, siblings, at)) return slip;
  if (auto slip = slip_in_published(text_at(rows, judged.claim.published), published, range)) return slip;
  if (std::fabs(published.value) > 100 && range.high < 0)
    return Slip{"wrong_denominator",
                "a fall of more than 100 % is impossible: divided by another figure than the base"};
  if (auto slip = slip_in_inputs(rows, judged.claim)) return slip;
  if (const auto other = row_with(rows, siblings, at))
    return Slip{"shifted_column",
                fmt::format("this is the figure of line {}", rows[siblings[*other]->claim.published.row].line->number)};
  return std::nullopt;
}

}  // namespace tollgate::audit
