// What the tests of the tag allocators' mutants share: each mutant must break an invariant, or reach exactly the states that
// the original reaches.
#pragma once

#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "world/explored/explorer.h"
#include "world/explored/mutant_world.h"
#include "world/explored/run_model.h"
#include "world/explored/tag_model.h"
#include "world/explored/test_scale.h"

namespace tollgate::explored {
template <typename Protocol>
using World = MutantWorld<Protocol>;
template <typename Protocol>
using Mutation = typename World<Protocol>::Mutation;
template <typename Protocol>
using Scene = typename World<Protocol>::Scene;

template <typename Protocol>
struct Subject {
  using MutantModel = TagModel<Protocol, World<Protocol>>;
  TagSetting setting;
  std::vector<std::uint64_t> original_projection = {};

  /// Every reachable state in which nobody holds the lock, without labels and variables of updates in progress: what the
  /// protocol shows the rest of the system. The order of stores within the lock is nobody's business.
  std::vector<std::uint64_t> projection(const Explorer<MutantModel>& explorer, const MutantModel& model) const {
    std::vector<std::uint64_t> hashes;
    std::vector<std::uint8_t> bytes(model.state_bytes());
    explorer.for_each_state([&](typename MutantModel::State state) {
      if (state.lock_holder != 0) return;
      for (auto& cpu : state.cpus) cpu.update = {};
      model.encode(state, bytes);
      hashes.push_back(XXH3_64bits(bytes.data(), bytes.size()));
    });
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    return hashes;
  }

  void expect_decided(const Mutation<Protocol>& mutation) {
    World<Protocol>::mutation = &mutation;
    const MutantModel model(setting);
    Explorer<MutantModel> explorer(model, {});
    const Outcome outcome = *explorer.run();
    if (outcome.verdict == Verdict::violated) {
      // Index 0 in one of the first generations looks like a marker, to a replay alone: it numbers them from the first.
      if (outcome.invariant != "InvalidNeverAllocated") {
        EXPECT_EQ(std::ranges::count(outcome.schedule, std::string(kNotReplayed)), 0) << mutation.name;
      }
      std::printf("  %-60s killed by %s in %zu steps\n", mutation.name.c_str(), outcome.invariant.c_str(),
                  outcome.schedule.size());
    } else {
      EXPECT_EQ(outcome.verdict, Verdict::holds) << mutation.name;
      const bool equal = projection(explorer, model) == original();
      EXPECT_TRUE(equal) << mutation.name << ": breaks nothing, yet is not the original";
      std::printf("  %-60s %s\n", mutation.name.c_str(), equal ? "equivalent" : "UNDECIDED");
    }
    std::fflush(stdout);
    expect_same_by_transactions(mutation, outcome.verdict);
    World<Protocol>::mutation = nullptr;
  }

  /// By transactions the same verdict comes out; with the wider behaviour nothing passes that should not.
  void expect_same_by_transactions(const Mutation<Protocol>& mutation, Verdict verdict) const {
    const auto exact = by_transactions(Behaviour::exact);
    if (!exact) return;  // it breaks the lock's discipline: always explored step by step
    EXPECT_EQ(exact->verdict, verdict) << mutation.name << " by transactions: " << exact->invariant;
    const auto wider = by_transactions(Behaviour::wider);
    if (verdict == Verdict::violated && wider) {
      EXPECT_EQ(wider->verdict, Verdict::violated) << mutation.name << " with the wider behaviour";
    }
  }

  std::optional<Outcome> by_transactions(Behaviour behaviour) const {
    TagSetting with = setting;
    with.behaviour = behaviour;
    return *explore_reduced(MutantModel(with), {}, "");
  }

  const std::vector<std::uint64_t>& original() {
    if (original_projection.empty()) {
      World<Protocol>::mutation = nullptr;
      const MutantModel model(setting);
      Explorer<MutantModel> explorer(model, {});
      EXPECT_EQ((*explorer.run()).verdict, Verdict::holds);
      original_projection = projection(explorer, model);
    }
    return original_projection;
  }
};

template <typename Protocol>
Mutation<Protocol> drop(typename Protocol::Label label, const std::string& name) {
  return {"drop: " + name, [label](auto at) { return at == label; }, World<Protocol>::dropped()};
}

template <typename Protocol, typename Instead>
Mutation<Protocol> replace(typename Protocol::Label label, const std::string& name, Instead instead) {
  return {name, [label](auto at) { return at == label; }, instead};
}

/// The first label's effect comes at the second's place.
template <typename Protocol, typename Effect>
Mutation<Protocol> delay(typename Protocol::Label from, typename Protocol::Label to, const std::string& name,
                         Effect effect) {
  return {name, [from, to](auto at) { return at == from || at == to; },
          [from, effect](const Scene<Protocol>& scene) {
            if (scene.update().label == from) return World<Protocol>::dropped()(scene);
            effect(scene);
            return scene.proceed();
          }};
}

}  // namespace tollgate::explored
