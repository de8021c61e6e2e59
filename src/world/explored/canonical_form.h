// For tests: whether a model's canonical forms are what the explorer takes them for. Two states of one form must have successors
// of the same forms; a variable that is not packed, or a name that a step does look at, breaks that.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "world/explored/explorer.h"

namespace tollgate::explored {

template <Model M>
std::string form_of(const M& model, const typename M::State& state) {
  std::vector<std::uint8_t> bytes(model.state_bytes());
  model.encode(state, bytes);
  return {bytes.begin(), bytes.end()};
}

template <Model M>
std::set<std::string> successor_forms(const M& model, const typename M::State& state) {
  std::set<std::string> forms;
  model.for_each_successor(state, [&](const auto&, const auto& next) { forms.insert(form_of(model, next)); });
  return forms;
}

/// Of every successor of every state: how many are told from the state that their form reads back as.
template <Model M>
std::size_t states_unlike_their_form(const M& model) {
  Explorer<M> explorer(model, {.at_violation = ExploreOptions::AtViolation::go_on});
  (void)explorer.run();
  std::size_t unlike = 0;
  explorer.for_each_state([&](const typename M::State& state) {
    model.for_each_successor(state, [&](const auto&, const auto& next) {
      const std::string form = form_of(model, next);
      const auto twin = model.decode(std::vector<std::uint8_t>(form.begin(), form.end()));
      unlike += form_of(model, twin) != form || successor_forms(model, twin) != successor_forms(model, next);
    });
  });
  return unlike;
}

}  // namespace tollgate::explored
