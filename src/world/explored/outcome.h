// Outcome: what an exploration found. A counterexample is a schedule: a line a step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tollgate::explored {

enum class Verdict : std::uint8_t {
  holds,      // in every reachable state
  violated,   // `schedule` leads to a state in which `invariant` fails
  undecided,  // the memory bound was met first, or only random walks were asked for
};

struct Outcome {
  Verdict verdict = Verdict::holds;
  std::uint64_t states = 0;  // different states (exhaustive), or states visited (random)
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;  // steps from the start to the farthest state seen
  std::uint64_t memory_bytes = 0;
  bool exhaustive = true;
  std::string invariant = {};
  std::string reason = {};
  std::vector<std::string> schedule = {};
};

/// Deadlock is not a predicate of one state alone, so it has its name here.
inline constexpr const char* kNoDeadlock = "NoDeadlock";
inline constexpr const char* kNoDeadlockReason = "some CPU can always take a step";

}  // namespace tollgate::explored
