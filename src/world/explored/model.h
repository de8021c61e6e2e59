// Model: what the explorer needs to know of a protocol in its small world. A model is plain data (its settings); a state is
// plain and copyable. The explorer knows nothing of CPUs or TLBs.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tollgate::explored {

/// What must hold in every state. One predicate, one reason.
template <typename M>
struct Invariant {
  std::string_view name;
  std::string_view reason;  // why it matters, one line
  bool (*holds)(const M& model, const typename M::State& state);
};

/// What an action of one CPU touches beside that CPU's own variables. Where it touches nothing, it may be taken earlier or
/// later than its neighbours from other CPUs without any difference (reduced_model.h).
struct Footprint {
  bool shared = false;         // what another CPU may read or write at that moment, or an invariant reads
  bool acquires = false;       // takes a lock: may be taken later than its neighbours from other CPUs, not earlier
  bool undisciplined = false;  // what the lock protects, without the lock: then no word of the above is true
};

/// The model whose invariants a model is judged by: its own, or those of the one it wraps.
template <typename M>
const auto& judged(const M& model) {
  if constexpr (requires { model.base(); })
    return model.base();
  else
    return model;
}

/// Contract:
/// - `encode` writes exactly `state_bytes()` bytes, the same for all states that a symmetry maps to one another;
/// - `decode` yields one of those states;
/// - `for_each_successor` calls visit(action, state) for every action enabled in `state`, in a fixed order;
/// - `describe` says in words what the action did, values before and after; a line a step.
template <typename M>
concept Model = requires(const M model, const typename M::State& state, const typename M::Action& action,
                         std::span<std::uint8_t> out, std::span<const std::uint8_t> in,
                         void (*visit)(const typename M::Action&, const typename M::State&)) {
  { model.initial() } -> std::same_as<typename M::State>;
  { model.state_bytes() } -> std::same_as<std::size_t>;
  model.encode(state, out);
  { model.decode(in) } -> std::same_as<typename M::State>;
  model.for_each_successor(state, visit);
  { judged(model).invariants() };  // span of const Invariant<M>, of the model that is judged
  { model.describe(state, action, state) } -> std::same_as<std::string>;
  /// A state that may legitimately have no successor.
  { model.may_end(state) } -> std::same_as<bool>;
};

}  // namespace tollgate::explored
