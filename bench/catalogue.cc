#include "bench/catalogue.h"

namespace tollgate::bench {

const std::vector<FigureSpec>& catalogue() {
  static const std::vector<FigureSpec> figures = {
      {"digest rate", FigureKind::kBytesPerSecond, "digest"},
      {"random numbers rate", FigureKind::kItemsPerSecond, "random_stream"},
      {"cost of an unbiased bound", FigureKind::kItemCostRatio, "random_below", "random_stream", Goal::kAtMost, 4},
  };
  return figures;
}

}  // namespace tollgate::bench
