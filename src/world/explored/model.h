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

/// Contract:
/// - `encode` writes exactly `state_bytes()` bytes, the same for all states that a symmetry maps to one another;
/// - `decode` yields one of those states;
/// - `for_each_successor` calls visit(action, state) for every action enabled in `state`, in a fixed order;
/// - `describe` says in words what the action did, values before and after.
template <typename M>
concept Model = requires(const M model, const typename M::State& state, const typename M::Action& action,
                         std::span<std::uint8_t> out, std::span<const std::uint8_t> in,
                         void (*visit)(const typename M::Action&, const typename M::State&)) {
  { model.initial() } -> std::same_as<typename M::State>;
  { model.state_bytes() } -> std::same_as<std::size_t>;
  model.encode(state, out);
  { model.decode(in) } -> std::same_as<typename M::State>;
  model.for_each_successor(state, visit);
  { model.invariants() } -> std::convertible_to<std::span<const Invariant<M>>>;
  { model.describe(state, action, state) } -> std::same_as<std::string>;
  /// A state that may legitimately have no successor.
  { model.may_end(state) } -> std::same_as<bool>;
};

}  // namespace tollgate::explored
