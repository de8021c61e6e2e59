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
      {"a CPU's microsecond, 128 CPUs over 8", FigureKind::kItemCostRatio, "simulate_lseek/128", "simulate_lseek/8",
       Goal::kAtMost, 2},
      {"the same with shootdowns", FigureKind::kItemCostRatio, "simulate_dontneed/128", "simulate_dontneed/8",
       Goal::kAtMost, 2},
      {"compare pti-global-lseek, 20 draws", FigureKind::kSeconds, "compare_lseek", "", Goal::kAtMost, 10},
      {"MMU, loop in the first level", FigureKind::kItemsPerSecond, "mmu_loop", "", Goal::kAtLeast, 40e6},
      {"MMU, cost of validating a hit", FigureKind::kItemCostRatio, "mmu_loop_validated", "mmu_loop"},
      {"MMU, cost of a second-level hit", FigureKind::kItemCostRatio, "mmu_second_level", "mmu_loop"},
      {"MMU, cost of a walk", FigureKind::kItemCostRatio, "mmu_random", "mmu_loop"},
      {"MMU, cost of a flushed loop", FigureKind::kItemCostRatio, "mmu_loop_flushed", "mmu_loop"},
  };
  return figures;
}

}  // namespace tollgate::bench
