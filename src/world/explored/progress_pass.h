// ProgressPass: whether everybody who waits can still be served, from every state found. The model names a helpful next step
// while somebody waits (model.h); following it from state to state must come to one in which nobody waits, and neither stop
// nor go round. That is stronger than the absence of a deadlock: a CPU that retries for ever always has a step to take.
#pragma once

#include <fmt/format.h>

#include <vector>

#include "base/interrupt.h"
#include "base/progress.h"
#include "base/result.h"
#include "world/explored/replay.h"

namespace tollgate::explored {

inline constexpr const char* kStopped = "stopped before every state was seen";

template <typename M>
concept HasHelpfulSteps =
    requires(const M model, const typename M::State& state, void (*visit)(const typename M::State&)) {
      { model.somebody_waits(state) } -> std::same_as<bool>;
      model.take_helpful_step(state, visit);  // calls visit(next), unless it is blocked
    };

template <Model M>
class ProgressPass {
 public:
  using Number = StateStore::Number;

  ProgressPass(const M& model, const StateStore& store)
      : model_(model), store_(store), bytes_(model.state_bytes()), served_(store.size(), false) {}

  /// Empty when all is well; else a path from the initial state into the run that serves nobody, round to where it repeats.
  /// Fails when the user interrupts.
  Result<std::vector<Number>> find_starvation(const ProgressCallback& progress) {
    constexpr std::uint64_t kPulse = 4096;
    for (std::uint64_t number = 0; number < store_.size(); ++number) {
      if (number % kPulse == 0) {
        if (interrupted()) return fail(kStopped);
        if (progress) progress(number, store_.size());
      }
      if (!follow(Number(number))) return path_round();
    }
    return std::vector<Number>{};
  }

  std::vector<std::string> schedule(const std::vector<Number>& path) const {
    std::vector<std::string> lines = replay(model_, store_, path);
    lines.push_back("and so on: nobody who waits is served");
    return lines;
  }

 private:
  /// Whether the run from here serves everybody; then all states on it are marked.
  bool follow(Number from) {
    run_.clear();
    Number at = from;
    while (!served_[at]) {
      const auto state = model_.decode(store_.state(at));
      if (!model_.somebody_waits(state)) {
        served_[at] = true;
        break;
      }
      run_.push_back(at);
      served_[at] = true;  // for now: should the run come back here, `at` is on it
      Number next = StateStore::kNoState;
      model_.take_helpful_step(state, [&](const auto& after) {
        model_.encode(after, bytes_);
        next = store_.find(bytes_);
      });
      if (next == StateStore::kNoState) return false;
      at = next;
      if (std::find(run_.begin(), run_.end(), at) != run_.end()) {
        run_.push_back(at);
        return false;
      }
    }
    return true;
  }

  std::vector<Number> path_round() const {
    std::vector<Number> path = path_to(store_, run_.front());
    path.insert(path.end(), run_.begin() + 1, run_.end());
    return path;
  }

  const M& model_;
  const StateStore& store_;
  std::vector<std::uint8_t> bytes_;
  std::vector<bool> served_;
  std::vector<Number> run_;
};

}  // namespace tollgate::explored
