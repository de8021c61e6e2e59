// Runs a model the way a request asks: every state, or random walks.
#pragma once

#include "world/explored/explorer.h"
#include "world/explored/protocols.h"
#include "world/explored/random_walk.h"

namespace tollgate::explored {

template <Model M>
Result<Outcome> run_model(const M& model, const CheckRequest& request) {
  if (request.random) {
    const RandomWalks& walks = *request.random;
    return RandomWalker<M>(model, {walks.walks, walks.depth, walks.seed, request.progress}).run();
  }
  return Explorer<M>(model, {request.memory_limit, request.progress}).run();
}

}  // namespace tollgate::explored
