// Outcome: what an exploration found. A counterexample is a schedule: a line a step.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate::explored {

enum class Verdict : std::uint8_t {
  holds,      // in every reachable state
  violated,   // `schedule` leads to a state in which `invariant` fails
  undecided,  // the memory bound was met first, or only random walks were asked for
};

/// What an exploration takes from one state to the next.
enum class Stride : std::uint8_t {
  step,         // one atomic step: a counterexample is the shortest there is
  transaction,  // what no other CPU can take apart (reduced_model.h)
};

struct Outcome {
  Verdict verdict = Verdict::holds;
  Stride stride = Stride::step;
  std::uint64_t states = 0;  // different states (exhaustive), or states visited (random)
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;  // strides from the start to the farthest state seen; to a violation, in steps
  std::uint64_t memory_bytes = 0;
  bool exhaustive = true;
  std::string invariant = {};
  std::string reason = {};
  std::vector<std::string> schedule = {};
};

/// A line a step, of a description that may hold several.
inline void add_lines(std::string_view lines, std::vector<std::string>& schedule) {
  for (std::size_t end = 0; end != std::string_view::npos; lines.remove_prefix(end == lines.npos ? 0 : end + 1)) {
    end = lines.find('\n');
    schedule.emplace_back(lines.substr(0, end));
  }
}

/// Deadlock and livelock are not predicates of one state alone, so they have their names here.
inline constexpr const char* kNoDeadlock = "NoDeadlock";
inline constexpr const char* kNoDeadlockReason = "some CPU can always take a step";

inline constexpr const char* kProgress = "Progress";
inline constexpr const char* kProgressReason = "from every state, every CPU that waits can still be served";

}  // namespace tollgate::explored
