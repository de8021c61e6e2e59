// RandomWalker: random walks from a model's initial state, for settings too large to explore whole. Each step is one of the
// enabled ones, all as likely. It finds mistakes and proves nothing; a counterexample is not the shortest.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/interrupt.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/result.h"
#include "world/explored/model.h"
#include "world/explored/outcome.h"

namespace tollgate::explored {

struct WalkOptions {
  std::uint64_t walks = 1000;
  std::uint64_t depth = 300;
  std::uint64_t seed = 1;
  ProgressCallback progress = {};  // walks done
};

template <Model M>
class RandomWalker {
 public:
  using State = typename M::State;
  using Action = typename M::Action;

  RandomWalker(const M& model, const WalkOptions& options) : model_(model), options_(options) {
    outcome_.verdict = Verdict::undecided;
    outcome_.exhaustive = false;
  }

  /// Fails only when the user interrupts.
  Result<Outcome> run() {
    for (std::uint64_t walk = 0; walk < options_.walks && outcome_.verdict == Verdict::undecided; ++walk) {
      if (interrupted()) return fail("stopped before every walk was taken");
      if (options_.progress) options_.progress(walk, options_.walks);
      take_walk(RandomStream::named(options_.seed, "explored-walk", {walk}));
    }
    return std::move(outcome_);
  }

 private:
  void take_walk(RandomStream random) {
    path_ = {{Action{}, model_.initial()}};
    while (path_.size() <= options_.depth) {
      choices_.clear();
      const State& state = path_.back().second;
      model_.for_each_successor(state,
                                [&](const Action& action, const State& next) { choices_.push_back({action, next}); });
      if (choices_.empty()) {
        if (!model_.may_end(state)) violate(kNoDeadlock, kNoDeadlockReason);
        return;
      }
      path_.push_back(choices_[random.below(choices_.size())]);
      ++outcome_.states;
      ++outcome_.transitions;
      outcome_.depth = std::max<std::uint64_t>(outcome_.depth, path_.size() - 1);
      for (const Invariant<M>& invariant : model_.invariants())
        if (!invariant.holds(model_, path_.back().second)) return violate(invariant.name, invariant.reason);
    }
  }

  void violate(std::string_view name, std::string_view reason) {
    outcome_.verdict = Verdict::violated;
    outcome_.invariant = name;
    outcome_.reason = reason;
    outcome_.depth = path_.size() - 1;
    for (std::size_t step = 1; step < path_.size(); ++step)
      outcome_.schedule.push_back(model_.describe(path_[step - 1].second, path_[step].first, path_[step].second));
  }

  const M& model_;
  WalkOptions options_;
  Outcome outcome_;
  std::vector<std::pair<Action, State>> path_;  // each state with the action that led there
  std::vector<std::pair<Action, State>> choices_;
};

}  // namespace tollgate::explored
