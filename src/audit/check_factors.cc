// Printed factors ("1.26x") against the two figures they stand on, in a table or in one line.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "audit/checks.h"
#include "audit/record.h"
#include "audit/role.h"

namespace tollgate::audit {
namespace {

struct Factor {
  Spot before, after, published;
};

enum class Direction { rise, fall };  // after / before; before / after

std::optional<Range> ratio(const PrintedNumber& above, const PrintedNumber& below) {
  if (below.low() <= 0 || above.low() < 0) return std::nullopt;
  return Range{above.low() / below.high(), above.value / below.value, above.high() / below.low()};
}

class FactorsCheck {
 public:
  FactorsCheck(const Rows& rows, Audited& out) : rows_(rows), out_(out) {}

  void check_table(const RecordGroup& group) {
    std::vector<Factor> factors;
    bool named = false;
    for (const Record& record : group)
      if (const auto factor = factor_of(record, named)) factors.push_back(*factor);
    judge(factors, named);
  }

  /// "120 ms -> 95 ms (1.26x)", "from 120 ms to 95 ms, 1.26x faster".
  void check_line(std::size_t at) {
    const Row& row = rows_[at];
    const auto &values = row.of(Part::value), &factors = row.of(Part::factor);
    if (values.size() < 2 || factors.size() != 1 || factors[0] < values.back()) return;
    const std::size_t first = values[values.size() - 2], second = values.back();
    const PrintedNumber &from = row.tokens[first].number, &to = row.tokens[second].number;
    const std::string_view text = row.line->text, gap = text.substr(from.end, to.begin - from.end);
    const bool arrow = gap.find("->") != std::string_view::npos || gap.find("=>") != std::string_view::npos;
    const bool led = arrow || (has_word(gap, "to") && has_word(text, "from"));
    // "took 812 ms before and takes 96.4 ms now, an 8.4x speedup"
    const bool told = !from.unit.empty() && from.unit == to.unit && has_word(text, "before") &&
                      (has_word(text, "now") || has_word(text, "after"));
    if (told || (led && values.size() == 2)) judge({{{at, first}, {at, second}, {at, factors[0]}}}, true);
  }

 private:
  Part part(Spot spot) const { return rows_[spot.row].tokens[spot.token].part; }

  std::optional<Factor> factor_of(const Record& record, bool& named) const {
    const auto is_factor = [&](const Field& field) { return part(field.spot) == Part::factor; };
    if (std::none_of(record.begin(), record.end(), is_factor)) return std::nullopt;
    std::vector<Spot> values;
    std::optional<Spot> before, after, published;
    for (const Field& field : record) {
      if (part(field.spot) == Part::factor && !published) published = field.spot;
      if (part(field.spot) != Part::value || published) continue;
      const Role role = role_of(field.name);
      if (role == Role::before) before = field.spot;
      if (role == Role::after) after = field.spot;
      if (role != Role::spread && role != Role::count) values.push_back(field.spot);
    }
    if (before && after) {
      named = true;
      return Factor{*before, *after, *published};
    }
    if (values.size() != 2) return std::nullopt;
    return Factor{values[0], values[1], *published};
  }

  std::optional<Range> range_of(const Factor& factor, Direction direction) const {
    const PrintedNumber &before = number_at(rows_, factor.before), &after = number_at(rows_, factor.after);
    return direction == Direction::rise ? ratio(after, before) : ratio(before, after);
  }

  bool fits(const Factor& factor, Direction direction) const {
    const auto range = range_of(factor, direction);
    return range && fit(number_at(rows_, factor.published), *range).reach != Reach::none;
  }

  void judge(const std::vector<Factor>& factors, bool named) {
    std::size_t rises = 0, falls = 0;
    for (const Factor& factor : factors) {
      rises += fits(factor, Direction::rise);
      falls += fits(factor, Direction::fall);
    }
    const std::size_t holds = std::max(rises, falls);
    const Direction direction = rises >= falls ? Direction::rise : Direction::fall;
    const bool trusted =
        named ? 2 * holds >= factors.size() || factors.size() == 1 : holds >= 2 && holds * 2 >= factors.size();
    if (!trusted) return;
    for (const Factor& factor : factors) say(factor, direction);
  }

  void say(const Factor& factor, Direction direction) {
    auto range = range_of(factor, direction);
    if (!range) return;
    if (const auto other = range_of(factor, Direction::fall);
        other && direction == Direction::rise && range->middle < 1 && number_at(rows_, factor.published).value >= 1)
      range = other;  // a factor above one says which way by its words
    const bool right = fits(factor, Direction::rise) || fits(factor, Direction::fall);
    const PrintedNumber& published = number_at(rows_, factor.published);
    out_.figures.push_back({rows_[factor.published.row].line->number, published.begin + 1,
                            std::string(rows_[factor.published.row].label), printed_text(rows_, factor.before),
                            printed_text(rows_, factor.after), printed_text(rows_, factor.published),
                            right ? "ok" : "wrong:factor", range});
    if (right) return;
    Finding finding = finding_at(rows_, factor.published);
    finding.kind = "factor";
    finding.recomputed = range;
    finding.message =
        fmt::format("{} cannot be: {} and {} are apart by a factor of {:.{}f} ({:.{}f} to {:.{}f})", finding.printed,
                    printed_text(rows_, factor.before), printed_text(rows_, factor.after), range->middle,
                    published.decimals, range->low, published.decimals + 2, range->high, published.decimals + 2);
    out_.findings.push_back(std::move(finding));
  }

  const Rows& rows_;
  Audited& out_;
};

}  // namespace

void check_factors(const Rows& rows, const std::vector<RecordGroup>& groups, Audited& out) {
  FactorsCheck check(rows, out);
  for (const RecordGroup& group : groups) check.check_table(group);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows[i].of(Part::factor).empty()) check.check_line(i);
}

}  // namespace tollgate::audit
