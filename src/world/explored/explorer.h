// Explorer: breadth-first search over every state of a model, so that a counterexample is as short as any. Single-threaded and in a fixed order: the same model gives the same outcome.
//
// The search stores the canonical form of each state (one for all states that symmetry maps to each other) and its parent. A
// counterexample is replayed from the initial state (replay.h).
#pragma once

#include <algorithm>
#include <vector>

#include "base/interrupt.h"
#include "base/progress.h"
#include "base/result.h"
#include "world/explored/model.h"
#include "world/explored/outcome.h"
#include "world/explored/progress_pass.h"
#include "world/explored/state_store.h"

namespace tollgate::explored {

struct ExploreOptions {
  std::uint64_t memory_limit = std::uint64_t{4096} << 20;  // bytes, for the store
  ProgressCallback progress = {};                          // states done, states found
};

template <Model M>
class Explorer {
 public:
  using State = typename M::State;
  using Action = typename M::Action;
  using Number = StateStore::Number;

  Explorer(const M& model, const ExploreOptions& options)
      : model_(model),
        options_(options),
        store_(model.state_bytes(), options.memory_limit),
        bytes_(model.state_bytes()) {}

  /// Fails only when the user interrupts.
  Result<Outcome> run() {
    const State start = model_.initial();
    reach(start, StateStore::kNoState);
    std::uint64_t level_end = store_.size();
    for (std::uint64_t next = 0; next < store_.size() && !stopped_; ++next) {
      if (next == level_end) {
        ++outcome_.depth;
        level_end = store_.size();
      }
      if (next % kPulse == 0) TRY(pulse(next));
      expand(Number(next));
    }
    if (!stopped_) check_progress();
    outcome_.states = store_.size();
    outcome_.memory_bytes = store_.memory_bytes();
    return std::move(outcome_);
  }

  /// Calls visit(state) for every state found, in order: for comparing two models.
  template <typename Visitor>
  void for_each_state(Visitor visit) const {
    for (std::uint64_t number = 0; number < store_.size(); ++number) visit(model_.decode(store_.state(Number(number))));
  }

 private:
  static constexpr std::uint64_t kPulse = 4096;

  Result<void> pulse(std::uint64_t done) {
    if (interrupted()) return fail("stopped before every state was seen");
    if (options_.progress) options_.progress(done, store_.size());
    return {};
  }

  void expand(Number number) {
    const State state = model_.decode(store_.state(number));
    bool moved = false;
    model_.for_each_successor(state, [&](const Action&, const State& next) {
      moved = true;
      ++outcome_.transitions;
      if (!stopped_) reach(next, number);
    });
    if (!moved && !stopped_ && !model_.may_end(state)) violate(kNoDeadlock, kNoDeadlockReason, number);
  }

  void reach(const State& state, Number parent) {
    model_.encode(state, bytes_);
    const auto insertion = store_.insert(bytes_, parent);
    if (insertion == StateStore::Insertion::known) return;
    if (insertion == StateStore::Insertion::full) {
      outcome_.verdict = Verdict::undecided;
      stopped_ = true;
      return;
    }
    for (const auto& invariant : model_.invariants()) {
      if (invariant.holds(judged(model_), state)) continue;
      violate(invariant.name, invariant.reason, Number(store_.size() - 1));
      return;
    }
  }

  void violate(std::string_view name, std::string_view reason, Number last) {
    stopped_ = true;
    outcome_.verdict = Verdict::violated;
    outcome_.invariant = name;
    outcome_.reason = reason;
    const std::vector<Number> path = path_to(store_, last);
    outcome_.schedule = replay(model_, store_, path);
    outcome_.depth = outcome_.schedule.size();
  }

  void check_progress() {
    if constexpr (HasHelpfulSteps<M>) {
      ProgressPass<M> pass(model_, store_);
      const std::vector<Number> path = pass.find_starvation();
      if (path.empty()) return;
      outcome_.verdict = Verdict::violated;
      outcome_.invariant = kProgress;
      outcome_.reason = kProgressReason;
      outcome_.schedule = pass.schedule(path);
    }
  }

  const M& model_;
  ExploreOptions options_;
  StateStore store_;
  std::vector<std::uint8_t> bytes_;
  Outcome outcome_;
  bool stopped_ = false;
};

}  // namespace tollgate::explored
