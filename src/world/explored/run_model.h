// Runs a model the way a request asks: every state, or random walks.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "world/explored/explorer.h"
#include "world/explored/protocols.h"
#include "world/explored/random_walk.h"
#include "world/explored/reduced_model.h"

namespace tollgate::explored {

/// What a verdict of any protocol rests on.
inline std::vector<std::string> shared_notes(const CheckRequest& request, const Outcome& outcome) {
  std::vector<std::string> notes = {
      "exploration is sequentially consistent: reorderings by the processor or the compiler are not explored"};
  if (outcome.stride == Stride::transaction)
    notes.emplace_back(
        outcome.verdict == Verdict::violated
            ? "found by transactions, since memory did not allow the shortest counterexample step by step"
            : "explored by transactions: steps that no other CPU can notice are joined to their neighbours");
  if (request.random) notes.emplace_back("random walks find mistakes and prove nothing");
  return notes;
}

/// Of what checkpoints hold. Raise it when an action, a canonical form or a reduction changes: states found before mean nothing
/// to the search after it.
inline constexpr int kFormsVersion = 2;

/// `how` tells the explorations of one check from each other.
inline ExploreOptions explore_options(const CheckRequest& request, const std::string& how) {
  ExploreOptions options{.memory_limit = request.memory_limit, .progress = request.progress};
  if (request.checkpoint.empty()) return options;
  options.checkpoint = request.checkpoint + "." + how;
  options.checkpoint_of = fmt::format("{} {}: {} CPUs, {} contexts, {} IDs, {}, generations {}, by {}, forms {}",
                                      request.protocol, request.variant, request.cpus, request.contexts,
                                      request.usable_ids, request.speculation == Speculation::guest ? "guest" : "vttbr",
                                      request.most_generations, how, kFormsVersion);
  if (request.checkpoint_every > 0) options.checkpoint_every = request.checkpoint_every;
  return options;
}

template <Model M>
Result<Outcome> walk_model(const M& model, const CheckRequest& request) {
  const RandomWalks& walks = *request.random;
  return RandomWalker<M>(model, {walks.walks, walks.depth, walks.seed, request.progress}).run();
}

/// Step by step.
template <Model M>
Result<Outcome> explore_model(const M& model, const CheckRequest& request) {
  return Explorer<M>(model, explore_options(request, "steps")).run();
}

/// By transactions. Nothing when the protocol breaks the discipline on which they rest.
template <typename M>
Result<std::optional<Outcome>> explore_reduced(const M& model, const CheckRequest& request, const std::string& how) {
  const ReducedModel<M> reduced(model);
  Outcome outcome = TRY(Explorer<ReducedModel<M>>(reduced, explore_options(request, how)).run());
  outcome.stride = Stride::transaction;
  if (!reduced.sound()) return std::optional<Outcome>();
  return std::optional(std::move(outcome));
}

}  // namespace tollgate::explored
