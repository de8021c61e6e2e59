// Columns of a table that follow from each other: a total and its parts, a difference, total = mean x calls, one quantity
// in two units, operations per second beside seconds per operation. Which columns do is seldom said, so it is found: a
// relation that most rows keep, in figures with too many digits for chance, is the table's own, and a row that
// breaks it has a wrong figure.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <optional>

#include "audit/checks.h"
#include "audit/record.h"
#include "audit/role.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kMostColumns = 8;
constexpr double kInformative = 0.02;  // chance of a match by accident, above which a row proves nothing
constexpr double kEvidence = 3;        // decimal digits, beyond those that the number of candidates takes away
constexpr std::size_t kMinHolds = 3;   // of a relation that no header names

enum class Shape { sum, all_left, mean_left, product, scaled, inverse };

/// sum: a + b = c. all_left: the columns from a to c add up to it. mean_left: c is the mean of the
/// columns from a to it, which are runs. product: a b = c 10^k. scaled: a 10^k = b. inverse: a b = 10^k.
struct Relation {
  Shape shape = Shape::sum;
  std::size_t a = 0, b = 0, c = 0;  // columns
  int exponent = 0;
  bool either = false;  // a sum: of the two ways to subtract, which leave a difference without a sign
};

struct Interval {
  double low = 0, high = 0;
  double width() const { return high - low; }
};

Interval of(const PrintedNumber& number) { return {number.low(), number.high()}; }
Interval plus(Interval x, Interval y) { return {x.low + y.low, x.high + y.high}; }
Interval times(Interval x, Interval y) {
  const auto [low, high] = std::minmax({x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high});
  return {low, high};
}

/// The two sides of a relation in one row.
struct Sides {
  Interval predicted, printed;
  std::size_t whole = 0;  // terms of a sum of whole numbers, which may be exact; 0 elsewhere
  bool meet() const {
    const double slack = 1e-9 * std::max(std::fabs(predicted.high), std::fabs(printed.high));
    return predicted.low <= printed.high + slack && predicted.high >= printed.low - slack;
  }
  double chance() const {
    const double scale = std::max(std::fabs(printed.low), std::fabs(printed.high));
    const double width = whole > 0 ? 1 : predicted.width() + printed.width();
    return scale > 0 ? std::min(1.0, width / scale) : 1;
  }
  /// Apart by more than a second look at the rounding could explain.
  bool clearly_apart() const {
    const double gap = std::max(predicted.low - printed.high, printed.low - predicted.high);
    return gap > (whole > 0 ? static_cast<double>(whole) : predicted.width() + printed.width());
  }
};

struct Outcome {
  std::size_t holds = 0;
  double evidence = 0;
  std::bitset<kMostRecords> off;  // records
  bool borderline = false;
  bool either = false;  // Relation::either
};

std::string_view kind_of(Shape shape, bool difference) {
  if (shape == Shape::scaled) return "unit-pair";
  if (shape == Shape::mean_left) return "mean";
  if (shape == Shape::product || shape == Shape::inverse) return "product";
  return difference ? "difference" : "total";
}

/// Of shapes that add up columns.
bool is_sum(Shape shape) { return shape == Shape::sum || shape == Shape::all_left || shape == Shape::mean_left; }

bool is_difference(const Relation& relation) {
  return relation.shape == Shape::sum && relation.c < std::max(relation.a, relation.b);
}

const WordSet kCounts{"n", "calls", "count", "hits", "processes", "threads", "tasks", "cpus", "samples", "runs"};

class RelationsCheck {
 public:
  RelationsCheck(const Rows& rows, Audited& out) : rows_(rows), out_(out) {}

  void check(const RecordGroup& group) {
    group_ = &group;
    names_.clear();
    columns_.clear();
    for (std::size_t c = 0; c < group.front().size(); ++c) {
      const Token& token = token_at(0, c);
      if (token.part == Part::value) columns_.push_back(c);
    }
    if (group.size() < 2 || columns_.size() < 2 || columns_.size() > kMostColumns) return;
    counts_.clear();
    for (const Field& field : group.front()) {
      names_.push_back(field.name);
      counts_.push_back(kCounts.any_in(field.name));
    }
    for (const Relation& relation : candidates()) judge(relation);
  }

 private:
  const Token& token_at(std::size_t record, std::size_t column) const {
    const Spot spot = (*group_)[record][column].spot;
    return rows_[spot.row].tokens[spot.token];
  }

  std::vector<Relation> candidates() const {
    std::vector<Relation> all;
    for (const std::size_t a : columns_) {
      for (const std::size_t b : columns_) {
        if (a >= b) continue;
        const double x = magnitude(a), y = magnitude(b);
        add_scaled({Shape::scaled, a, b, b, 0}, y - x, all);
        add_scaled({Shape::inverse, a, b, b, 0}, x + y, all);
        for (const std::size_t c : columns_) {
          if (c == a || c == b) continue;
          all.push_back({Shape::sum, a, b, c, 0});
          add_scaled({Shape::product, a, b, c, 0}, x + y - magnitude(c), all);
        }
      }
      // The first column may be the number of a node or a CPU.
      for (std::size_t first = 0; first < 2 && columns_.size() > first + 3; ++first)
        if (a > columns_[first + 2]) all.push_back({Shape::all_left, columns_[first], columns_[first], a, 0});
      if (const std::size_t first = first_run(a); first + 1 < a) all.push_back({Shape::mean_left, first, first, a, 0});
    }
    return all;
  }

  /// The first of the columns "run1 run2 run3" that end before a column of means; the column itself when there are none.
  std::size_t first_run(std::size_t column) const {
    if (column == 0 || !says(column, {"mean", "avg", "average"})) return column;
    const auto stem = [&](std::size_t c) {
      const std::string& name = names_[c];
      const auto digits = name.find_last_not_of("0123456789");
      return digits + 1 < name.size() ? std::optional(name.substr(0, digits + 1)) : std::nullopt;
    };
    const auto last = stem(column - 1);
    std::size_t first = column;
    while (last && first > 0 && stem(first - 1) == last) --first;
    return first;
  }

  /// Decimal logarithm of the column's last figure: first rows are the more often trivial ones.
  double magnitude(std::size_t column) const {
    return std::log10(std::fabs(token_at(group_->size() - 1, column).number.value));
  }

  /// With the power of ten, a multiple of three, that the figures leave open: the sides agree but for it.
  static void add_scaled(Relation relation, double power, std::vector<Relation>& all) {
    const double steps = std::round(power / 3);
    if (!std::isfinite(power) || std::fabs(steps) > 3 || (relation.shape == Shape::scaled && steps == 0)) return;
    relation.exponent = 3 * static_cast<int>(steps);
    if (std::fabs(power - relation.exponent) < 0.5) all.push_back(relation);
  }

  std::optional<Sides> sides_in(const Relation& relation, std::size_t record) const {
    const auto number = [&](std::size_t column) -> const PrintedNumber& { return token_at(record, column).number; };
    if (is_sum(relation.shape)) return sum_in(relation, record);
    const auto trivial = [&](std::size_t column) { return number(column).value == 0 || number(column).value == 1; };
    const auto range = [&](std::size_t column) {
      const double value = number(column).value;
      return counts_[column] ? Interval{value, value} : of(number(column));
    };
    const Interval a = range(relation.a), b = range(relation.b);
    const double factor = std::pow(10.0, relation.exponent);
    switch (relation.shape) {
      case Shape::product:
        if (trivial(relation.a) || trivial(relation.b)) return std::nullopt;
        return Sides{times(a, b), times(of(number(relation.c)), {factor, factor})};
      case Shape::scaled:
        if (number(relation.a).value == 0) return std::nullopt;
        return Sides{times(a, {factor, factor}), b};
      case Shape::inverse:
        if (trivial(relation.a) || trivial(relation.b)) return std::nullopt;
        return Sides{times(a, b), {factor, factor}};
      default:
        return std::nullopt;
    }
  }

  /// Sums of whole numbers are held to the unit: sizes and counts are not rounded.
  std::optional<Sides> sum_in(const Relation& relation, std::size_t record) const {
    Sides sides{{0, 0}, {0, 0}, 0};
    bool whole = true;
    std::size_t terms = 0;
    double smallest = INFINITY;
    const auto take = [&](std::size_t column) {
      const PrintedNumber& number = token_at(record, column).number;
      whole = whole && number.half_unit == 0.5;
      return std::pair(of(number), Interval{number.value, number.value});
    };
    Interval exact{0, 0};
    for (const std::size_t column : columns_) {
      const bool term = relation.shape == Shape::sum ? column == relation.a || column == relation.b
                                                     : column >= relation.a && column < relation.c;
      if (!term) continue;
      const auto [rounded, value] = take(column);
      // A term lost in the rounding of the others makes no sum.
      smallest = std::min(smallest, std::fabs(value.low));
      sides.predicted = plus(sides.predicted, rounded);
      exact = plus(exact, value);
      ++terms;
    }
    const auto [rounded, value] = take(relation.c);
    sides.printed = rounded;
    if (relation.shape == Shape::sum && smallest <= 2 * (sides.predicted.width() + rounded.width()))
      return std::nullopt;
    if (relation.shape == Shape::mean_left) {
      const double share = 1 / static_cast<double>(terms);
      sides.predicted = times(sides.predicted, {share, share});
    } else if (whole) {
      sides = {exact, value, terms + 1};
    }
    return sides;
  }

  /// `to_the_end`: of a relation that few rows keep, too.
  Outcome outcome_of(const Relation& relation, bool to_the_end = false) const {
    Outcome outcome;
    for (std::size_t r = 0; r < group_->size(); ++r) {
      const auto sides = sides_in(relation, r);
      if (!sides) continue;
      if (!sides->meet()) {
        outcome.off.set(r);
        outcome.borderline |= !sides->clearly_apart();
      } else if (sides->chance() < kInformative) {
        ++outcome.holds;
        outcome.evidence -= std::log10(std::max(sides->chance(), 1e-15));
      }
      if (!to_the_end && outcome.off.count() > 1 && outcome.off.count() > r / 2 + 1) break;
    }
    return outcome;
  }

  bool says(std::size_t column, std::initializer_list<std::string_view> parts) const {
    return std::any_of(parts.begin(), parts.end(),
                       [&](auto part) { return names_[column].find(part) != std::string::npos; });
  }

  /// The headers say what the columns are to each other.
  bool is_named(const Relation& relation) const {
    static const WordSet kUnits{"ns",   "us",   "ms", "s",  "sec", "seconds", "usec",
                                "msec", "nsec", "kb", "mb", "gb",  "kib",     "mib"};
    switch (relation.shape) {
      case Shape::sum:
        return role_of(names_[std::max({relation.a, relation.b, relation.c})]) == Role::change ||
               says(relation.c, {"total", "sum"});
      case Shape::all_left:
        return names_[relation.c] == "dec" || says(relation.c, {"total", "sum"});
      case Shape::mean_left:
        return true;
      case Shape::scaled:
        return kUnits.any_in(names_[relation.a]) && kUnits.any_in(names_[relation.b]);
      case Shape::product: {
        const bool total = says(relation.c, {"total", "sum"});
        const auto rate = [&](std::size_t column) { return says(column, {"mean", "avg", "average", "per"}); };
        return total && rate(relation.a) != rate(relation.b);
      }
      case Shape::inverse:
        return false;
    }
    return false;
  }

  bool has_signs(std::size_t column) const {
    for (std::size_t r = 0; r < group_->size(); ++r)
      if (token_at(r, column).number.has_sign()) return true;
    return false;
  }

  /// A difference, the last column, is new - old or old - new. One without signs may be either, row by row; one with
  /// signs is what most rows say.
  Outcome of_difference(const Relation& relation) const {
    if (!is_difference(relation)) return outcome_of(relation);
    const std::size_t last = std::max(relation.a, relation.b);
    Outcome outcome = outcome_of(relation, true);
    if (outcome.holds == 0) return outcome;
    const auto [low, high] = std::minmax(relation.c, std::min(relation.a, relation.b));
    Relation opposite = relation;
    opposite.c = relation.c == low ? high : low;
    opposite.a = relation.c;
    opposite.b = last;
    const Outcome other = outcome_of(opposite, true);
    if (other.holds == 0) return outcome;
    if (other.holds >= outcome.holds && (has_signs(last) || other.holds > outcome.holds || relation.c == low))
      return {};
    if (has_signs(last)) return outcome;
    outcome.off &= other.off;
    outcome.holds += other.holds;
    outcome.evidence += other.evidence;
    outcome.either = true;
    return outcome;
  }

  void judge(Relation relation) {
    const Outcome outcome = of_difference(relation);
    relation.either = outcome.either;
    const bool named = is_named(relation);
    const double candidates = std::pow(static_cast<double>(columns_.size()), 3);
    const double needed = kEvidence + (named ? 0 : std::log10(candidates));
    if (outcome.holds == 0 || outcome.evidence < needed) return;
    if (outcome.off.none()) {
      if (outcome.holds >= 2) hold(relation, outcome.holds);
      return;
    }
    // Which way a difference is taken only a majority says.
    const std::size_t most = is_difference(relation) ? outcome.holds - 1 : outcome.holds;
    const bool enough =
        named ? outcome.off.count() <= most
              : outcome.holds >= kMinHolds && outcome.off.count() * 4 <= std::max<std::size_t>(outcome.holds, 4);
    if (!enough || outcome.borderline) return;
    for (std::size_t record = 0; record < group_->size(); ++record)
      if (outcome.off.test(record)) report(relation, record, outcome.holds);
  }

  std::string text_of(const Relation& relation) const {
    const auto name = [&](std::size_t column) { return "'" + names_[column] + "'"; };
    const std::string scale = relation.exponent == 0 ? "" : fmt::format(" x 10^{}", relation.exponent);
    switch (relation.shape) {
      case Shape::sum:
        if (relation.either) {
          const std::size_t last = std::max(relation.a, relation.b);
          return fmt::format("|{} - {}| = {}", name(relation.c), name(std::min(relation.a, relation.b)), name(last));
        }
        return fmt::format("{} + {} = {}", name(relation.a), name(relation.b), name(relation.c));
      case Shape::all_left:
        return fmt::format("{} is the sum of the columns from {} to it", name(relation.c), name(relation.a));
      case Shape::mean_left:
        return fmt::format("{} is the mean of {} to {}", name(relation.c), name(relation.a), name(relation.c - 1));
      case Shape::product:
        return fmt::format("{} x {} = {}{}", name(relation.a), name(relation.b), name(relation.c), scale);
      case Shape::scaled:
        return fmt::format("{}{} = {}", name(relation.a), scale, name(relation.b));
      case Shape::inverse:
        return fmt::format("{} x {} = 10^{}", name(relation.a), name(relation.b), relation.exponent);
    }
    return "";
  }

  void hold(const Relation& relation, std::size_t rows) {
    const std::size_t line = rows_[group_->front().front().spot.row].line->number;
    out_.held.push_back(fmt::format("line {}: {} in {} rows", line, text_of(relation), rows));
  }

  /// What the others of the relation make of the rightmost figure, which is of column `last`.
  double implied(const Relation& relation, std::size_t record, std::size_t last) const {
    const auto value = [&](std::size_t column) { return token_at(record, column).number.value; };
    const double factor = std::pow(10.0, relation.exponent);
    const std::size_t other = last == relation.a ? relation.b : relation.a;
    switch (relation.shape) {
      case Shape::sum:
        return last == relation.c ? value(relation.a) + value(relation.b)
                                  : std::copysign(value(relation.c) - value(other), value(last));
      case Shape::all_left:
      case Shape::mean_left: {
        double sum = 0, terms = 0;
        for (const std::size_t column : columns_)
          if (column >= relation.a && column < relation.c) sum += value(column), ++terms;
        return relation.shape == Shape::mean_left ? sum / terms : sum;
      }
      case Shape::product:
        return last == relation.c ? value(relation.a) * value(relation.b) / factor
                                  : value(relation.c) * factor / value(other);
      case Shape::scaled:
        return last == relation.b ? value(relation.a) * factor : value(relation.b) / factor;
      case Shape::inverse:
        return factor / value(other);
    }
    return NAN;
  }

  /// The figure named is the rightmost of the relation: derived columns stand behind what they come from.
  void report(const Relation& relation, std::size_t record, std::size_t holds) {
    const std::size_t last = std::max({relation.a, relation.b, relation.c});
    Finding finding = finding_at(rows_, (*group_)[record][last].spot);
    finding.kind = kind_of(relation.shape, is_difference(relation));
    const double right = implied(relation, record, last);
    finding.recomputed = Range{right, right, right};
    finding.message = fmt::format("{} breaks {}, which {} other row{} and which here gives {:.{}f}", finding.printed,
                                  text_of(relation), holds, holds == 1 ? " keeps" : "s keep", right,
                                  token_at(record, last).number.decimals);
    finding.slip = "a digit wrong in one of these figures";
    finding.confidence = "likely";
    out_.findings.push_back(std::move(finding));
  }

  const Rows& rows_;
  Audited& out_;
  const RecordGroup* group_ = nullptr;
  std::vector<std::string> names_;
  std::vector<bool> counts_;  // columns of counts, which are exact
  std::vector<std::size_t> columns_;
};

}  // namespace

void check_relations(const Rows& rows, const std::vector<RecordGroup>& groups, Audited& out) {
  RelationsCheck check(rows, out);
  for (const RecordGroup& group : groups) check.check(group);
}

}  // namespace tollgate::audit
