// MutantWorld: the tag allocators with one step done wrong, for the test that the invariants notice. A mutant is a name and
// what happens instead of a step of one label; nothing of it is in the protocols themselves.
#pragma once

#include <functional>
#include <string>

#include "world/explored/tag_world.h"

namespace tollgate::explored {

template <typename Protocol>
class MutantWorld : public TagWorld<Protocol> {
 public:
  using Base = TagWorld<Protocol>;
  using State = typename Base::State;
  using Label = typename Protocol::Label;

  /// What a mutant may get at: the state, the CPU at work and the CPU it picked.
  struct Scene {
    MutantWorld& world;
    State& state;
    std::uint32_t cpu;
    std::uint32_t choice;
    Protocol& update() const { return state.cpus[cpu].update; }
    kernel::Step proceed() const { return update().step(world); }
  };
  /// Instead of a step: usually the step with something before, after or undone.
  using Instead = std::function<kernel::Step(const Scene&)>;
  struct Mutation {
    std::string name;
    std::function<bool(Label)> at;
    Instead instead;
  };
  static inline const Mutation* mutation = nullptr;  // of all models of this protocol; a test sets it

  MutantWorld(const TagSetting& setting, State& state, std::uint32_t cpu, std::uint32_t choice)
      : Base(setting, state, cpu, choice), scene_{*this, state, cpu, choice} {}

  kernel::Step run(Protocol& update) {
    if (mutation != nullptr && mutation->at(update.label)) {
      Base::footprint_.shared = true;  // a mutant reaches past the world's calls
      return mutation->instead(scene_);
    }
    return update.step(*this);
  }

  /// The step with no effect but on the CPU's own label and variables.
  static Instead dropped() {
    return [](const Scene& scene) {
      const State before = scene.state;
      const kernel::Step step = scene.proceed();
      const Protocol after = scene.update();
      scene.state = before;
      scene.update() = after;
      return step;
    };
  }

 private:
  Scene scene_;
};

}  // namespace tollgate::explored
