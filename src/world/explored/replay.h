// A path through a state store, in the model's own terms: at each step the successor is taken whose canonical form is the next
// stored one.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "world/explored/model.h"
#include "world/explored/outcome.h"
#include "world/explored/state_store.h"

namespace tollgate::explored {

/// The numbers of the states on the way to `last`, from the first state on.
inline std::vector<StateStore::Number> path_to(const StateStore& store, StateStore::Number last) {
  std::vector<StateStore::Number> path;
  for (StateStore::Number at = last; at != StateStore::kNoState; at = store.parent(at)) path.push_back(at);
  std::reverse(path.begin(), path.end());
  return path;
}

/// What stands for a step that the state at hand has not: then states that differ have one canonical form.
inline constexpr const char* kNotReplayed =
    "a step that cannot be replayed: the canonical form merges states that differ";

/// A line a step along `path`, which starts at the model's initial state.
template <Model M>
std::vector<std::string> replay(const M& model, const StateStore& store, const std::vector<StateStore::Number>& path) {
  std::vector<std::string> schedule;
  std::vector<std::uint8_t> bytes(model.state_bytes());
  typename M::State state = model.initial();
  for (std::size_t step = 1; step < path.size(); ++step) {
    const auto wanted = store.state(path[step]);
    typename M::State after = state;
    std::string lines;
    model.for_each_successor(state, [&](const typename M::Action& action, const typename M::State& next) {
      if (!lines.empty()) return;
      model.encode(next, bytes);
      if (!std::equal(bytes.begin(), bytes.end(), wanted.begin())) return;
      lines = model.describe(state, action, next);
      after = next;
    });
    add_lines(lines.empty() ? kNotReplayed : lines, schedule);
    state = after;
  }
  return schedule;
}

}  // namespace tollgate::explored
