// What a printed percentage can come from. Two printed figures stand for two ranges, so a percentage recomputed from them
// is a range too, and the printed one is right when rounding some value of it gives what was printed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "audit/printed_number.h"

namespace tollgate::audit {

enum class Formula {
  standard,   // 100 (B - A) / A
  new_base,   // 100 (B - A) / B: a speed-up printed as a saving
  symmetric,  // 200 (B - A) / (A + B)
};

/// In percent, or in the figures' own unit for a difference.
struct Range {
  double low = 0;
  double middle = 0;  // of the printed figures as they stand
  double high = 0;
};

/// The percentage from `before` to `after`; nothing when its denominator may be zero.
std::optional<Range> recompute(Formula formula, const PrintedNumber& before, const PrintedNumber& after);
/// after - before.
Range difference(const PrintedNumber& before, const PrintedNumber& after);

enum class Reach { none, cut, rounded };  // cut: only by dropping digits

struct Fit {
  Reach reach = Reach::none;
  bool flipped = false;  // with the opposite sign: "8% less" printed for -8.09
};

/// Whether `published` can be printed for a value of the range.
Fit fit(const PrintedNumber& published, const Range& range);

struct Judgement {
  Formula formula = Formula::standard;
  Fit fit;
  std::optional<Range> standard;  // what the usual formula gives; nothing when it cannot be computed
};

/// The usual formula when it reaches the figure; else, when rounding alone reaches it, another; `table` is the formula the
/// rest of the table follows, which may also be cut.
Judgement judge(const PrintedNumber& before, const PrintedNumber& after, const PrintedNumber& published,
                Formula table = Formula::standard);

/// "ok", "ok_flip", "trunc", "base_new_trunc_flip", "sym", "wrong", "unverifiable".
std::string verdict_name(const Judgement& judgement);
std::string_view formula_text(Formula formula);

/// `value` with as many decimals as `like` was printed with, with a sign.
std::string rounded_like(double value, const PrintedNumber& like);

}  // namespace tollgate::audit
