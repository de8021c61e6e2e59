// The figures ./dev bench reports, each drawn from one or two Google benchmarks of this folder.
#pragma once

#include <string>
#include <vector>

namespace tollgate::bench {

enum class FigureKind {
  kSeconds,         // real time of one iteration of `benchmark`
  kBytesPerSecond,  // its rate, from SetBytesProcessed
  kItemsPerSecond,  // its rate, from SetItemsProcessed
  kTimeRatio,       // time of one iteration of `benchmark` over that of `reference`
  kItemCostRatio,   // time of one item of `benchmark` over that of `reference`
  kItemCostAdded,   // seconds that one item of `benchmark` takes more than one of `reference`
};

enum class Goal { kNone, kAtMost, kAtLeast };

struct FigureSpec {
  std::string name;  // the key in baseline.json
  FigureKind kind;
  std::string benchmark;       // as Google Benchmark prints it: "events/128"
  std::string reference = "";  // for the ratios and differences
  Goal goal = Goal::kNone;
  double goal_value = 0;  // in the figure's own unit: seconds, bytes or items a second, or none
};

const std::vector<FigureSpec>& catalogue();

}  // namespace tollgate::bench
