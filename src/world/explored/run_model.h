// Runs a model the way a request asks: every state, or random walks.
#pragma once

#include "world/explored/explorer.h"
#include "world/explored/protocols.h"
#include "world/explored/random_walk.h"
#include "world/explored/reduced_model.h"

namespace tollgate::explored {

inline ExploreOptions explore_options(const CheckRequest& request) { return {request.memory_limit, request.progress}; }

template <Model M>
Result<Outcome> walk_model(const M& model, const CheckRequest& request) {
  const RandomWalks& walks = *request.random;
  return RandomWalker<M>(model, {walks.walks, walks.depth, walks.seed, request.progress}).run();
}

/// Step by step.
template <Model M>
Result<Outcome> explore_model(const M& model, const CheckRequest& request) {
  return Explorer<M>(model, explore_options(request)).run();
}

/// By transactions. Nothing when the protocol breaks the discipline on which they rest.
template <typename M>
Result<std::optional<Outcome>> explore_reduced(const M& model, const CheckRequest& request) {
  const ReducedModel<M> reduced(model);
  Outcome outcome = TRY(Explorer<ReducedModel<M>>(reduced, explore_options(request)).run());
  outcome.stride = Stride::transaction;
  if (!reduced.sound()) return std::optional<Outcome>();
  return std::optional(std::move(outcome));
}

}  // namespace tollgate::explored
