#include "bench/catalogue.h"

namespace tollgate::bench {

const std::vector<FigureSpec>& catalogue() {
  static const std::vector<FigureSpec> figures = {
      {"digest rate", FigureKind::kBytesPerSecond, "digest"},
      {"random numbers rate", FigureKind::kItemsPerSecond, "random_stream"},
      {"cost of an unbiased bound", FigureKind::kItemCostRatio, "random_below", "random_stream", Goal::kAtMost, 4},
      {"importing lackey text", FigureKind::kBytesPerSecond, "import_lackey", "", Goal::kAtLeast, 300e6},
      {"reading a trace, references", FigureKind::kItemsPerSecond, "read_trace", "", Goal::kAtLeast, 300e6},
      {"writing a trace, references", FigureKind::kItemsPerSecond, "write_trace"},
  };
  return figures;
}

}  // namespace tollgate::bench
