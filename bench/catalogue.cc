#include "bench/catalogue.h"

namespace tollgate::bench {

const std::vector<FigureSpec>& catalogue() {
  static const std::vector<FigureSpec> figures = {
      {"digest rate", FigureKind::kBytesPerSecond, "digest"},
      {"random numbers rate", FigureKind::kItemsPerSecond, "random_stream"},
      {"cost of an unbiased bound", FigureKind::kItemCostRatio, "random_below", "random_stream", Goal::kAtMost, 4},
      {"auditing mail without tables", FigureKind::kBytesPerSecond, "audit_prose", "", Goal::kAtLeast, 100e6},
      {"auditing mail full of tables", FigureKind::kBytesPerSecond, "audit_tables", "", Goal::kAtLeast, 20e6},
      {"importing lackey text", FigureKind::kBytesPerSecond, "import_lackey", "", Goal::kAtLeast, 300e6},
      {"reading a trace, references", FigureKind::kItemsPerSecond, "read_trace", "", Goal::kAtLeast, 500e6},
      {"writing a trace, references", FigureKind::kItemsPerSecond, "write_trace"},
      {"a CPU's microsecond, 128 CPUs over 8", FigureKind::kItemCostRatio, "simulate_lseek/128", "simulate_lseek/8",
       Goal::kAtMost, 2},
      {"the same with shootdowns", FigureKind::kItemCostRatio, "simulate_dontneed/128", "simulate_dontneed/8",
       Goal::kAtMost, 2},
      {"compare pti-global-lseek, 20 draws", FigureKind::kSeconds, "compare_lseek", "", Goal::kAtMost, 10},
      {"simulating a trace file, references", FigureKind::kItemsPerSecond, "simulate_file", "", Goal::kAtLeast, 200e6},
      {"simulating it with causes, references", FigureKind::kItemsPerSecond, "simulate_file_causes", "", Goal::kAtLeast,
       100e6},
      {"simulating it for four geometries", FigureKind::kTimeRatio, "simulate_file_four", "simulate_file",
       Goal::kAtMost, 2},
      {"simulating it with miss curves", FigureKind::kTimeRatio, "simulate_file_curves", "simulate_file", Goal::kAtMost,
       4},
      {"simulating a random walk, tagged", FigureKind::kItemsPerSecond, "simulate_random", "", Goal::kAtLeast, 100e6},
      {"simulating a random walk with AVX2", FigureKind::kItemsPerSecond, "simulate_random_avx2"},
      {"simulating a random walk in plain C++", FigureKind::kItemsPerSecond, "simulate_random_plain"},
      {"simulating a random walk with causes", FigureKind::kItemsPerSecond, "simulate_random_causes"},
      {"MMU, loop in the first level", FigureKind::kItemsPerSecond, "mmu_loop", "", Goal::kAtLeast, 40e6},
      {"MMU, cost of validating a hit", FigureKind::kItemCostRatio, "mmu_loop_validated", "mmu_loop"},
      {"MMU, cost of a second-level hit", FigureKind::kItemCostRatio, "mmu_second_level", "mmu_loop"},
      {"MMU, cost of a walk", FigureKind::kItemCostRatio, "mmu_random", "mmu_loop"},
      {"MMU, cost of a flushed loop", FigureKind::kItemCostRatio, "mmu_loop_flushed", "mmu_loop"},
      {"guests on 8 CPUs, simulated CPU-us", FigureKind::kItemsPerSecond, "guests/8"},
      {"guests, cost of a CPU-us on 32 over 8", FigureKind::kItemCostRatio, "guests/32", "guests/8", Goal::kAtMost, 2},
      {"guests, cost of a CPU-us on 128 over 8", FigureKind::kItemCostRatio, "guests/128", "guests/8", Goal::kAtMost,
       2},
      {"guests, cost of a CPU-us on 512 over 8", FigureKind::kItemCostRatio, "guests/512", "guests/8", Goal::kAtMost,
       2},
      {"measure, added to a run over fork, exec, wait", FigureKind::kItemCostAdded, "measure_run", "fork_exec_wait",
       Goal::kAtMost, 1e-3},
      {"measure, a run over hyperfine's", FigureKind::kItemCostRatio, "measure_run", "hyperfine_run"},
  };
  return figures;
}

}  // namespace tollgate::bench
