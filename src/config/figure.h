// Figure: a number we do not know exactly. It carries low, typical and high, a unit, what kind of knowledge it is, and the
// source that says so. Low and high are bounds and typical is the median: half the draws are uniform below it, half above.
#pragma once

#include <string>
#include <string_view>

#include "base/random.h"
#include "base/result.h"

namespace tollgate::config {

/// How we came to know a figure, best first.
enum class Knowledge { measured, published, derived, recalled };

struct Figure {
  double low = 0;
  double typical = 0;
  double high = 0;
  std::string unit;
  Knowledge kind = Knowledge::recalled;
  std::string source;
  SourcePlace place = {};

  /// The value at quantile `unit_draw` in [0, 1): piecewise uniform with the median at `typical`. Uses + - * / only.
  double at(double unit_draw) const {
    return unit_draw < 0.5 ? low + (typical - low) * (2 * unit_draw) : typical + (high - typical) * (2 * unit_draw - 1);
  }
  double draw(RandomStream& stream) const { return at(stream.unit()); }
};

std::string_view to_text(Knowledge kind);

}  // namespace tollgate::config
