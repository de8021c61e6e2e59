// ReducedModel: a model whose actions are whole transactions of one CPU instead of single steps, so that far fewer states are
// stored, with the same verdict. Lipton's reduction ("Reduction: a method of proving properties of parallel programs", CACM
// 1975), as in Flanagan and Qadeer's checkers; the argument is in docs/decisions/0008-transactions.md.
//
// A transaction is: steps that touch nothing of others, or take the lock; then one step that does; then the steps after it that
// touch nothing again. Other CPUs' steps within it may be moved before or after it. Which step touches what is not declared but
// observed (Footprint), state by state; and so is the lock's discipline on which that rests. When a protocol breaks it, `sound`
// says so and the exploration has to be repeated without reduction. Invariants are tested after every single step.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "world/explored/model.h"

namespace tollgate::explored {

template <typename M>
class ReducedModel {
 public:
  using State = typename M::State;
  struct Action {
    static constexpr std::size_t kMost = 16;
    std::array<typename M::Action, kMost> steps{};
    std::size_t count = 0;
  };

  explicit ReducedModel(const M& model) : model_(model) {}

  /// Whether every step so far kept the lock's discipline.
  bool sound() const { return sound_; }

  State initial() const { return model_.initial(); }
  std::size_t state_bytes() const { return model_.state_bytes(); }
  void encode(const State& state, std::span<std::uint8_t> out) const {
    State kept = state;
    model_.forget(kept);
    model_.encode(kept, out);
  }
  State decode(std::span<const std::uint8_t> in) const { return model_.decode(in); }
  bool may_end(const State& state) const { return model_.may_end(state); }
  std::span<const Invariant<M>> invariants() const { return model_.invariants(); }
  const M& base() const { return model_; }

  template <typename Visitor>
  void for_each_successor(const State& state, Visitor visit) const {
    for (std::uint32_t process = 0; process < model_.process_count(); ++process) {
      Action path;
      begin(state, process, path, Lock::untouched, visit);
    }
  }

  bool somebody_waits(const State& state) const { return model_.somebody_waits(state); }
  template <typename Visitor>
  void take_helpful_step(const State& state, Visitor visit) const {
    const auto helping = *model_.helpful(state);
    bool found = false;
    const auto first = [&](const Action&, const State& next) {
      if (!found) visit(next);
      found = true;
    };
    const auto preferred = model_.preferred(state, helping.cpu).value_or(helping);
    for_each_reduced_step(state, helping.cpu, [&](const auto& step, const State& next, Footprint footprint) {
      if (step == helping || step == preferred) extend({}, step, next, footprint, helping.cpu, Lock::untouched, first);
    });
  }

  /// A line a step.
  std::string describe(const State& before, const Action& action, const State&) const {
    std::string lines;
    State at = before;
    for (std::size_t step = 0; step < action.count; ++step) {
      const State next = after(at, action.steps[step]);
      lines += (step == 0 ? "" : "\n") + model_.describe(at, action.steps[step], next);
      at = next;
    }
    return lines;
  }

 private:
  enum class Lock : std::uint8_t { untouched, taken };

  /// The steps up to and with the first that others may notice. Whether anything was visited.
  template <typename Visitor>
  bool begin(const State& state, std::uint32_t process, const Action& path, Lock lock, Visitor& visit) const {
    bool moved = false;
    for_each_reduced_step(state, process, [&](const typename M::Action& step, const State& next, Footprint footprint) {
      moved |= extend(path, step, next, footprint, process, lock, visit);
    });
    return moved;
  }

  template <typename Visitor>
  bool extend(Action path, const typename M::Action& step, const State& next, Footprint footprint,
              std::uint32_t process, Lock lock, Visitor& visit) const {
    path.steps[path.count++] = step;
    if (footprint.acquires) lock = Lock::taken;
    if (breaks_invariant(next) || path.count == Action::kMost) {
      visit(path, next);
      return true;
    }
    if (footprint.shared) {
      finish(next, process, path, visit);
      return true;
    }
    if (begin(next, process, path, lock, visit)) return true;
    if (lock == Lock::untouched) return false;
    visit(path, next);  // it waits with the lock in its hands: others have to see that
    return true;
  }

  /// The steps after it that others cannot notice, as long as there is no choice; also of the CPUs that it has doomed.
  template <typename Visitor>
  void finish(State state, std::uint32_t process, Action path, Visitor& visit) const {
    while (take_unnoticed_step(state, process, path)) {
    }
    for (std::uint32_t other = 0; other < model_.process_count(); ++other)
      while (model_.doomed(state, other) && take_unnoticed_step(state, other, path)) {
      }
    visit(path, state);
  }

  bool take_unnoticed_step(State& state, std::uint32_t process, Action& path) const {
    if (path.count == Action::kMost || breaks_invariant(state)) return false;
    std::size_t choices = 0;
    bool alone = true;
    typename M::Action only{};
    State next;
    for_each_reduced_step(state, process, [&](const auto& step, const State& to, Footprint footprint) {
      ++choices;
      alone = alone && !footprint.shared && !footprint.acquires;
      only = step;
      next = to;
    });
    if (choices != 1 || !alone) return false;
    path.steps[path.count++] = only;
    state = next;
    return true;
  }

  /// The preferred step alone, where the model has one and it is noticed by nobody; else every step.
  template <typename Visitor>
  void for_each_reduced_step(const State& state, std::uint32_t process, Visitor visit) const {
    const auto preferred = model_.preferred(state, process);
    bool alone = false;
    if (preferred)
      model_.for_each_step(state, process, [&](const auto& step, const State&, Footprint footprint) {
        alone = alone || (step == *preferred && !footprint.shared && !footprint.acquires);
      });
    model_.for_each_step(state, process, [&](const auto& step, const State& next, Footprint footprint) {
      sound_ = sound_ && !footprint.undisciplined;
      if (!alone || step == *preferred) visit(step, next, footprint);
    });
  }

  bool breaks_invariant(const State& state) const {
    return std::ranges::any_of(model_.invariants(),
                               [&](const Invariant<M>& invariant) { return !invariant.holds(model_, state); });
  }

  State after(const State& state, const typename M::Action& action) const {
    State result = state;
    model_.for_each_step(state, action.cpu, [&](const auto& step, const State& next, Footprint) {
      if (step == action) result = next;
    });
    return result;
  }

  const M& model_;
  mutable bool sound_ = true;
};

}  // namespace tollgate::explored
