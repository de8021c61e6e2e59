// Sentences beside a table: "12.3% for udp_rr" against the row of that name, "up to 25%" against the largest row, the "system
// time" of two time(1) outputs against what they say.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "audit/checks.h"
#include "audit/role.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

constexpr std::size_t kMinLabel = 4;     // letters of a row's label that a sentence can name
constexpr std::size_t kMostKnown = 200;  // changes that sentences are held against

/// A change that the printed figures give, and the names that sentences have for it.
struct Known {
  std::vector<std::string> names;
  PrintedNumber before, after;
};

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }));
}

/// Prose rounds freely: "9%" for 9.7, "about 10%"; a whole unit of the last digit each way is granted.
bool says(const PrintedNumber& said, const Known& known) {
  PrintedNumber loose = said;
  loose.half_unit = 2 * said.half_unit;
  for (const Formula formula : {Formula::standard, Formula::new_base, Formula::symmetric}) {
    const auto range = recompute(formula, known.before, known.after);
    if (range && fit(loose, *range).reach != Reach::none) return true;
  }
  return false;
}

double largest(const Known& known) {
  double most = 0;
  for (const Formula formula : {Formula::standard, Formula::new_base}) {
    const auto range = recompute(formula, known.before, known.after);
    if (range) most = std::max({most, std::fabs(range->low), std::fabs(range->high)});
  }
  return most;
}

std::vector<std::string> names_of_time(std::string_view label) {
  if (label == "real") return {"real", "wall", "elapsed"};
  if (label == "sys") return {"sys", "system"};
  if (label == "user") return {"user"};
  return {};
}

class ProseCheck {
 public:
  ProseCheck(const Rows& rows, const Reading& reading, Audited& out) : rows_(rows), reading_(reading), out_(out) {}

  void check(std::size_t at) {
    const Row& row = rows_[at];
    if (row.of(Part::percent).empty() || row.kind != RowKind::text || !is_sentence(row)) return;
    for (const std::size_t token : row.of(Part::percent)) {
      if (reading_.holds({at, token})) continue;
      learn();
      if (known_.empty()) return;
      if (is_most(row, token))
        check_most({at, token});
      else
        check_named({at, token});
    }
  }

 private:
  /// The changes of the text, once, when a sentence is to be held against them.
  void learn() {
    if (std::exchange(learnt_, true)) return;
    for (const JudgedClaim& judged : reading_.claims) {
      if (known_.size() == kMostKnown) break;
      const Claim& claim = judged.claim;
      std::vector<std::string> names;
      if (letters(claim.label) >= kMinLabel) names.push_back(lower(trim(claim.label)));
      known_.push_back({names, number_at(rows_, claim.before), number_at(rows_, claim.after)});
    }
    read_times();
  }

  /// Two outputs of time(1), before and after.
  void read_times() {
    for (const std::string_view label : {"real", "user", "sys"}) {
      std::vector<std::size_t> found;
      for (std::size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].label == label && rows_[i].of(Part::value).size() == 1) found.push_back(i);
      if (found.size() != 2) continue;
      const auto number = [&](std::size_t i) {
        return number_at(rows_, {found[i], rows_[found[i]].of(Part::value)[0]});
      };
      known_.push_back({names_of_time(label), number(0), number(1)});
    }
  }

  static bool is_sentence(const Row& row) {
    return letters(row.line->text) >= 16 && letters(row.line->text) * 2 >= row.line->text.size() &&
           row.cells.size() <= 2;
  }

  std::string_view before(const Row& row, std::size_t token) const {
    return std::string_view(row.line->text).substr(0, row.tokens[token].number.begin);
  }

  bool is_most(const Row& row, std::size_t token) const {
    const std::string words = lower(trim(before(row, token)));
    return words.ends_with("up to") || words.ends_with("as much as") || words.ends_with("at most");
  }

  /// "up to 25%" where no row and no other printed percentage is that large.
  void check_most(Spot spot) {
    const PrintedNumber& said = number_at(rows_, spot);
    if (known_.size() < 2) return;
    double most = 0;
    for (const Known& known : known_) most = std::max(most, largest(known));
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (const std::size_t token : rows_[i].of(Part::percent))
        if (Spot{i, token} != spot) most = std::max(most, std::fabs(rows_[i].tokens[token].number.value));
    if (std::fabs(said.value) - 2 * said.half_unit <= most) return;
    report(spot, fmt::format("no row reaches {}: the largest change is {:.1f} %", printed_text(rows_, spot), most));
  }

  /// The piece of the sentence that speaks of the figure: to the next figure or stop, or from the last.
  std::string_view clause(const Row& row, std::size_t token, bool after) const {
    const std::string_view text = row.line->text;
    const auto& percents = row.of(Part::percent);
    const auto here = std::find(percents.begin(), percents.end(), token);
    if (after) {
      const std::size_t begin = row.tokens[token].number.end;
      const std::size_t next = here + 1 == percents.end() ? text.size() : row.tokens[*(here + 1)].number.begin;
      const std::string_view piece = text.substr(begin, next - begin);
      return piece.substr(0, piece.find_first_of(",;"));
    }
    const std::size_t begin = here == percents.begin() ? 0 : row.tokens[*(here - 1)].number.end;
    const std::string_view piece = text.substr(begin, row.tokens[token].number.begin - begin);
    const auto stop = piece.find_last_of(",;:");
    return stop == std::string_view::npos ? piece : piece.substr(stop + 1);
  }

  std::vector<const Known*> named_in(std::string_view words) const {
    std::vector<const Known*> found;
    std::string_view name;
    for (const Known& known : known_) {
      for (const std::string& one : known.names) {
        if (!has_word(words, one)) continue;
        if (!name.empty() && known.names.front() != name) return {};  // two rows are named: which is meant?
        name = known.names.front();
        found.push_back(&known);
      }
    }
    return found;
  }

  /// "9.7% for tcp_rr" where every row of that name says something else.
  void check_named(Spot spot) {
    const Row& row = rows_[spot.row];
    const std::string_view after = clause(row, spot.token, true), left = clause(row, spot.token, false);
    const std::string_view start = trim(after);
    const bool follows = start.starts_with("for ") || start.starts_with("in ") || start.starts_with("on ") ||
                         start.starts_with("improvement") || start.starts_with("regression");
    const auto named = named_in(follows ? after : left);
    if (named.empty()) return;
    const bool by = follows || lower(trim(left)).ends_with("by");
    const PrintedNumber& said = number_at(rows_, spot);
    if (!by || std::any_of(named.begin(), named.end(), [&](const Known* known) { return says(said, *known); })) return;
    const auto range = recompute(Formula::standard, named.front()->before, named.front()->after);
    if (!range) return;
    report(spot, fmt::format("the figures of '{}' give {:+.1f} %, not {}", named.front()->names.front(), range->middle,
                             printed_text(rows_, spot)));
  }

  void report(Spot spot, std::string message) {
    Finding finding = finding_at(rows_, spot);
    finding.kind = "claim";
    finding.severity = Severity::doubtful;
    finding.message = std::move(message);
    finding.confidence = "possible";
    out_.findings.push_back(std::move(finding));
  }

  const Rows& rows_;
  const Reading& reading_;
  Audited& out_;
  bool learnt_ = false;
  std::vector<Known> known_;
};

}  // namespace

void check_prose(const Rows& rows, const Reading& reading, Audited& out) {
  ProseCheck check(rows, reading, out);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows[i].of(Part::percent).empty()) check.check(i);
}

}  // namespace tollgate::audit
