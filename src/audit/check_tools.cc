// Lines in which a tool says one thing twice: perf stat (rates behind '#', the error beside the elapsed time), dd, ping, and
// one quantity in two units ("48.1MiB/s (50.4MB/s)").
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "audit/checks.h"
#include "base/text.h"

namespace tollgate::audit {
namespace {

constexpr double kTolerance = 0.005;  // relative: counters that take turns are scaled before the tool divides them
constexpr std::size_t kReach = 24;    // lines of one perf stat block

enum class Quantity { time, size, rate };

struct Unit {
  std::string_view name;
  Quantity quantity;
  double scale;  // seconds, bytes, bytes a second
};

std::optional<Unit> unit_named(std::string_view name) {
  using enum Quantity;
  static constexpr std::array<Unit, 26> kUnits{
      {{"ns", time, 1e-9},      {"nsec", time, 1e-9},   {"us", time, 1e-6},    {"usec", time, 1e-6},
       {"ms", time, 1e-3},      {"msec", time, 1e-3},   {"s", time, 1},        {"sec", time, 1},
       {"seconds", time, 1},    {"KB", size, 1e3},      {"kB", size, 1e3},     {"MB", size, 1e6},
       {"GB", size, 1e9},       {"TB", size, 1e12},     {"KiB", size, 0x1p10}, {"MiB", size, 0x1p20},
       {"GiB", size, 0x1p30},   {"TiB", size, 0x1p40},  {"KB/s", rate, 1e3},   {"kB/s", rate, 1e3},
       {"MB/s", rate, 1e6},     {"GB/s", rate, 1e9},    {"B/s", rate, 1},      {"KiB/s", rate, 0x1p10},
       {"MiB/s", rate, 0x1p20}, {"GiB/s", rate, 0x1p30}}};
  for (const Unit& unit : kUnits)
    if (unit.name == name) return unit;
  return std::nullopt;
}

/// "- " or "+ " before a line of a block that is written as a diff; ' ' elsewhere.
char mark_of(const Row& row) {
  const std::string_view text = trim(row.line->text);
  return text.starts_with("- ") || text.starts_with("+ ") ? text.front() : ' ';
}

std::string event_of(const Row& row, const PrintedNumber& number) {
  std::string_view text = trim(std::string_view(row.line->text).substr(number.end));
  if (text.starts_with("ns ")) text = trim(text.substr(3));
  text = text.substr(0, text.find_first_of(" #("));
  return std::string(text.substr(0, text.find(':')));
}

class ToolsCheck {
 public:
  ToolsCheck(const Rows& rows, Audited& out) : rows_(rows), out_(out) {}

  void check(std::size_t at) {
    const Row& row = rows_[at];
    const std::string_view text = row.line->text;
    if (row.kind != RowKind::text) return;
    if (text.find('/') != std::string_view::npos) check_stroke(at, text);
    if (row.tokens.size() < 2) return;
    const auto says = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
    // What the figures are is looked at first: it is known, and the words are not.
    const auto& tokens = row.tokens;
    const bool has_rate = text.find('#') != std::string_view::npos, has_third = tokens.size() >= 3;
    if (has_rate && says(" # ")) check_rate(at, text);
    if (has_third && tokens[1].part == Part::spread && says("seconds time elapsed")) check_error(at);
    if (has_third && trim(text).ends_with("/s") && says(" copied, ")) check_dd(at, text);
    if (has_third && tokens[2].number.percent && says("packets transmitted")) check_ping(at);
    check_units(at);
    if (has_third) check_share(at, text);
  }

 private:
  void compare(std::size_t at, std::size_t token, const Range& range, const std::string& what,
               const char* kind = "ratio") {
    const PrintedNumber& printed = rows_[at].tokens[token].number;
    const Reach reach = fit(printed, range).reach;
    const double room = kTolerance * std::fabs(range.middle) + printed.half_unit;
    if (reach != Reach::none || std::fabs(printed.value - range.middle) <= room) return;
    Finding finding = finding_at(rows_, {at, token});
    finding.kind = kind;
    finding.recomputed = range;
    finding.message = fmt::format("{} is not {}, which is {:.4g}", finding.printed, what, range.middle);
    finding.slip = "a digit wrong in one of these figures";
    finding.confidence = "likely";
    out_.findings.push_back(std::move(finding));
  }

  /// The count of an event in the same block, on a line with the same mark.
  const PrintedNumber* count_of(std::size_t at, std::initializer_list<std::string_view> events) const {
    const std::size_t begin = at > kReach ? at - kReach : 0, end = std::min(rows_.size(), at + kReach);
    const PrintedNumber* found = nullptr;
    for (std::size_t i = begin; i < end; ++i) {
      if (rows_[i].kind == RowKind::blank && i < at) found = nullptr;
      if (rows_[i].kind == RowKind::blank && i > at) break;
      if (rows_[i].of(Part::value).empty() || mark_of(rows_[i]) != mark_of(rows_[at])) continue;
      const PrintedNumber& number = rows_[i].tokens[rows_[i].of(Part::value).front()].number;
      const std::string event = event_of(rows_[i], number);
      const bool named = std::find(events.begin(), events.end(), event) != events.end();
      if (named && (found == nullptr || i <= at)) found = &number;
    }
    return found;
  }

  /// "106,214,780,964 instructions # 1.48 insn per cycle".
  void check_rate(std::size_t at, std::string_view text) {
    const std::size_t comment = text.find(" # ");
    const auto& tokens = rows_[at].tokens;
    const auto after =
        std::find_if(tokens.begin(), tokens.end(), [&](const Token& t) { return t.number.begin > comment; });
    if (after == tokens.end() || tokens.front().number.begin > comment) return;
    const auto token = static_cast<std::size_t>(after - tokens.begin());
    const std::string_view unit = trim(std::string_view(text).substr(after->number.end));
    const PrintedNumber* below = nullptr;
    double factor = 100;
    if (unit.starts_with("insn per cycle")) {
      below = count_of(at, {"cycles", "cpu-cycles"});
      factor = 1;
    } else if (unit.starts_with("of all branches")) {
      below = count_of(at, {"branches", "branch-instructions"});
    } else if (unit.starts_with("of all cache refs")) {
      below = count_of(at, {"cache-references"});
    } else if (unit.starts_with("of all L1-dcache")) {
      below = count_of(at, {"L1-dcache-loads"});
    } else if (unit.starts_with("of all dTLB")) {
      below = count_of(at, {"dTLB-loads"});
    } else if (unit.starts_with("of all LL-cache")) {
      below = count_of(at, {"LLC-loads"});
    }
    const PrintedNumber& above = tokens.front().number;
    if (below == nullptr || below->low() <= 0 || above.low() < 0) return;
    const Range range{factor * above.low() / below->high(), factor * above.value / below->value,
                      factor * above.high() / below->low()};
    compare(at, token, range, fmt::format("{:.15g} / {:.15g}", above.value, below->value));
  }

  /// "9.2427 +- 0.0302 seconds time elapsed ( +- 0.33% )".
  void check_error(std::size_t at) {
    const auto& tokens = rows_[at].tokens;
    if (tokens.size() != 3 || tokens[1].part != Part::spread || tokens[2].part != Part::spread) return;
    const PrintedNumber &mean = tokens[0].number, &error = tokens[1].number, &share = tokens[2].number;
    if (!share.percent || error.percent || mean.low() <= 0) return;
    const double size = std::fabs(error.value);
    const Range range{100 * (size - error.half_unit) / mean.high(), 100 * size / mean.value,
                      100 * (size + error.half_unit) / mean.low()};
    compare(at, 2, range, fmt::format("{:.15g} / {:.15g} in percent", size, mean.value));
  }

  /// "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.341 s, 459 MB/s".
  void check_dd(std::size_t at, std::string_view text) {
    const auto& tokens = rows_[at].tokens;
    const std::size_t copied = text.find(" copied, ");
    const auto first =
        std::find_if(tokens.begin(), tokens.end(), [&](const Token& t) { return t.number.begin > copied; });
    if (tokens.end() - first != 2 || tokens.front().number.begin > copied) return;
    const PrintedNumber &bytes = tokens.front().number, &seconds = first->number, &rate = (first + 1)->number;
    const auto unit = unit_named(rate.unit.empty() ? trim(std::string_view(text).substr(rate.end)) : rate.unit);
    if (!unit || unit->quantity != Quantity::rate || seconds.low() <= 0 || bytes.value <= 0) return;
    const double scale = unit->scale;
    compare(at, static_cast<std::size_t>(first - tokens.begin()) + 1,
            {bytes.value / seconds.high() / scale, bytes.value / seconds.value / scale,
             bytes.value / seconds.low() / scale},
            "bytes over seconds");
  }

  /// "20 packets transmitted, 17 received, 15% packet loss".
  void check_ping(std::size_t at) {
    const auto& tokens = rows_[at].tokens;
    if (tokens.size() < 3 || !tokens[2].number.percent || tokens[0].number.value <= 0) return;
    const double sent = tokens[0].number.value, loss = 100 * (sent - tokens[1].number.value) / sent;
    compare(at, 2, {loss, loss, loss}, "the share that did not arrive");
  }

  /// Near each other but not the same: far apart, the second is something else (a spread, a share).
  void check_units(std::size_t at) {
    const auto& tokens = rows_[at].tokens;
    const std::string& text = rows_[at].line->text;
    for (std::size_t t = 1; t < tokens.size(); ++t) {
      const PrintedNumber &first = tokens[t - 1].number, &second = tokens[t].number;
      if (second.begin == 0 || text[second.begin - 1] != '(' || second.begin - first.end > 2) continue;
      const auto from = unit_named(first.unit), to = unit_named(second.unit);
      if (!from || !to || from->quantity != to->quantity || first.unit == second.unit) continue;
      const double factor = from->scale / to->scale;
      const Range range{first.low() * factor, first.value * factor, first.high() * factor};
      const double apart = range.middle > 0 ? second.value / range.middle : 0;
      if (apart > 0.5 && apart < 2 && std::fabs(apart - 1) > 2 * kTolerance)
        compare(at, t, range, fmt::format("{} in {}", printed_text(rows_, {at, t - 1}), second.unit), "unit-pair");
    }
  }

  /// "(" behind a figure, with up to two words before it: "of 1204 huge pages (26%)".
  static bool opens(std::string_view gap) {
    constexpr int kMostWords = 2;
    gap = trim(gap);
    if (!gap.ends_with("(")) return false;
    gap = trim(gap.substr(0, gap.size() - 1));
    const bool letters = std::all_of(gap.begin(), gap.end(), [](char c) { return c == ' ' || (c | 0x20) >= 'a'; });
    return letters && std::count(gap.begin(), gap.end(), ' ') < kMostWords;
  }

  /// "1000 of 4000 (25%)", "45 / 50 runs (90%)".
  void check_share(std::size_t at, std::string_view text) {
    const auto& tokens = rows_[at].tokens;
    for (std::size_t t = 2; t < tokens.size(); ++t) {
      const PrintedNumber &part = tokens[t - 2].number, &all = tokens[t - 1].number, &share = tokens[t].number;
      const auto gap = [&](const PrintedNumber& left, const PrintedNumber& right) {
        return trim(std::string_view(text).substr(left.end, right.begin - left.end));
      };
      const bool whole = part.half_unit == 0.5 && all.half_unit == 0.5 && part.unit.empty() && all.unit.empty();
      if (whole && !part.percent && !all.percent && share.begin > 0 && is_of(gap(part, all)) && opens(gap(all, share)))
        compare_share(at, t, part.value, all.value);
    }
  }

  static bool is_of(std::string_view gap) { return gap == "of" || gap == "out of" || gap == "/" || gap == "of the"; }

  /// "45/50 (90%)", "45/50 runs (90%)", "90% (45/50)": whose figures are no tokens, since strokes are in dates and versions too.
  void check_stroke(std::size_t at, std::string_view text) {
    for (std::size_t t = 0; t < rows_[at].tokens.size(); ++t) {
      const PrintedNumber& share = rows_[at].tokens[t].number;
      std::string_view before = trim(text.substr(0, share.begin));
      if (const std::size_t close = text.find(')', share.end);
          text.substr(share.end).starts_with(" (") && close < text.size()) {
        before = text.substr(0, close);
      } else {
        const std::size_t words = before.find_last_of("0123456789") + 1;
        if (words == 0 || !opens(before.substr(words))) continue;
        before = before.substr(0, words);
      }
      const auto all = digits_at_end(before);
      if (!all || !before.ends_with('/')) continue;
      before.remove_suffix(1);
      const auto part = digits_at_end(before);
      const bool alone = before.empty() || std::string_view(" |:(").find(before.back()) != std::string_view::npos;
      if (part && alone) compare_share(at, t, *part, *all);
    }
  }

  /// Takes a whole number off the end of the text.
  static std::optional<double> digits_at_end(std::string_view& text) {
    constexpr std::size_t kMostDigits = 15;
    const std::size_t begin = text.find_last_not_of("0123456789") + 1;
    const std::string digits(text.substr(begin));
    if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
    text = text.substr(0, begin);
    return std::stod(digits);
  }

  /// The share, or what is left of all. Of few things a percentage may be of something else.
  void compare_share(std::size_t at, std::size_t token, double part, double all) {
    constexpr double kMostFew = 10;
    const PrintedNumber& share = rows_[at].tokens[token].number;
    const std::string_view behind = std::string_view(rows_[at].line->text).substr(share.end);
    const bool alone = behind.starts_with(")") || behind.starts_with(" (");
    if (!share.percent || share.has_sign() || !alone || part > all || all <= kMostFew) return;
    const double taken = 100 * part / all, left = 100 - taken;
    if (fit(share, {left, left, left}).reach == Reach::none)
      compare(at, token, {taken, taken, taken}, fmt::format("{:.15g} of {:.15g} in percent", part, all));
  }

  const Rows& rows_;
  Audited& out_;
};

}  // namespace

void check_tools(const Rows& rows, Audited& out) {
  ToolsCheck check(rows, out);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows[i].tokens.empty()) check.check(i);
}

}  // namespace tollgate::audit
