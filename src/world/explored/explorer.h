// Explorer: breadth-first search over every state of a model, so that a counterexample is as short as any. Single-threaded and in a fixed order: the same model gives the same outcome.
//
// The search stores the canonical form of each state (one for all states that symmetry maps to each other) and its parent. A
// counterexample is replayed from the initial state (replay.h).
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/interrupt.h"
#include "base/progress.h"
#include "base/result.h"
#include "world/explored/checkpoint.h"
#include "world/explored/model.h"
#include "world/explored/outcome.h"
#include "world/explored/progress_pass.h"
#include "world/explored/state_store.h"

namespace tollgate::explored {

struct ExploreOptions {
  std::uint64_t memory_limit = std::uint64_t{4096} << 20;   // bytes, for the store
  ProgressCallback progress = {};                           // states done, states found
  std::string checkpoint = {};                              // a file; empty: none
  std::string checkpoint_of = {};                           // what is explored, for the file to say
  std::uint64_t checkpoint_every = std::uint64_t{1} << 17;  // states expanded, a multiple of Explorer::kPulse
  enum class AtViolation : std::uint8_t { stop, go_on } at_violation = AtViolation::stop;
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

  /// Fails when the user interrupts or the checkpoint cannot be used.
  Result<Outcome> run() {
    if (!options_.checkpoint.empty())
      checkpoint_ = TRY(Checkpoint::open(options_.checkpoint, options_.checkpoint_of, store_, at_));
    if (store_.size() == 0) reach(model_.initial(), StateStore::kNoState);
    TRY(search());
    if (outcome_.verdict == Verdict::holds) TRY(check_progress());
    if (checkpoint_ && outcome_.verdict != Verdict::undecided) checkpoint_->remove();
    outcome_.states = store_.size();
    outcome_.transitions = at_.transitions;
    if (outcome_.verdict != Verdict::violated) outcome_.depth = at_.depth;
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

  Result<void> search() {
    while (at_.next < store_.size() && !stopped_) {
      if (at_.next % kPulse == 0) TRY(pulse());
      if (at_.next == at_.level_end) {
        ++at_.depth;
        at_.level_end = store_.size();
      }
      const SearchPosition before = at_;
      expand(Number(at_.next));
      ++at_.next;
      // Out of memory in the middle of a state: with more of it, a later run takes that state again.
      if (outcome_.verdict == Verdict::undecided && checkpoint_ && is_sound()) TRY(checkpoint_->save(store_, before));
    }
    return {};
  }

  Result<void> pulse() {
    if (!is_sound()) {
      stopped_ = true;
      outcome_.verdict = Verdict::undecided;
      return {};
    }
    const bool stop = interrupted();
    if (checkpoint_ && at_.next > 0 && (stop || at_.next % options_.checkpoint_every == 0))
      TRY(checkpoint_->save(store_, at_));
    if (stop) return fail(kStopped);
    if (options_.progress) options_.progress(at_.next, store_.size());
    return {};
  }

  /// A reduction that has met what it does not allow for has found nothing.
  bool is_sound() const {
    if constexpr (requires { model_.sound(); }) return model_.sound();
    return true;
  }

  void expand(Number number) {
    const State state = model_.decode(store_.state(number));
    if (!outcome_.all_violated.empty() && is_broken(state)) return;
    bool moved = false;
    model_.for_each_successor(state, [&](const Action&, const State& next) {
      moved = true;
      ++at_.transitions;
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

  /// A state that breaks an invariant has no successors.
  bool is_broken(const State& state) const {
    return std::ranges::any_of(model_.invariants(),
                               [&](const auto& invariant) { return !invariant.holds(judged(model_), state); });
  }

  void violate(std::string_view name, std::string_view reason, Number last) {
    outcome_.all_violated.emplace(name);
    stopped_ = options_.at_violation == ExploreOptions::AtViolation::stop;
    if (outcome_.verdict == Verdict::violated) return;
    outcome_.verdict = Verdict::violated;
    outcome_.invariant = name;
    outcome_.reason = reason;
    const std::vector<Number> path = path_to(store_, last);
    outcome_.schedule = replay(model_, store_, path);
    outcome_.depth = outcome_.schedule.size();
  }

  Result<void> check_progress() {
    if constexpr (HasHelpfulSteps<M>) {
      ProgressPass<M> pass(model_, store_);
      const std::vector<Number> path = TRY(pass.find_starvation(options_.progress));
      if (path.empty()) return {};
      outcome_.verdict = Verdict::violated;
      outcome_.invariant = kProgress;
      outcome_.all_violated.emplace(kProgress);
      outcome_.reason = kProgressReason;
      outcome_.schedule = pass.schedule(path);
    }
    return {};
  }

  const M& model_;
  ExploreOptions options_;
  StateStore store_;
  SearchPosition at_;
  std::optional<Checkpoint> checkpoint_;
  std::vector<std::uint8_t> bytes_;
  Outcome outcome_;
  bool stopped_ = false;
};

}  // namespace tollgate::explored
