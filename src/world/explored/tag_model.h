// TagModel: a tag allocator among CPUs that load, run and schedule out contexts in any order. Any CPU may load any context,
// several CPUs the same one (the vCPUs of a VM, the threads of a process).
#pragma once

#include <span>
#include <string>

#include "world/explored/model.h"
#include "world/explored/tag_codec.h"
#include "world/explored/tag_state.h"
#include "world/explored/tag_world.h"

namespace tollgate::explored {

struct TagAction {
  enum class Kind : std::uint8_t { load, step, enter, abandon, exit, again, schedule_out, interrupt };
  std::uint8_t cpu = 0;
  Kind kind = Kind::step;
  std::uint8_t choice = 0;  // the context loaded, or the CPU picked
};

template <typename ProtocolType, typename World = TagWorld<ProtocolType>>
class TagModel {
 public:
  using Protocol = ProtocolType;
  using State = TagState<Protocol>;
  using Action = TagAction;

  explicit TagModel(const TagSetting& setting) : setting_(setting), codec_(setting) {}

  const TagSetting& setting() const { return setting_; }
  State initial() const {
    State state;
    if constexpr (requires(Protocol p) { p.old_active; }) state.cursor = 1;
    return state;
  }
  std::size_t state_bytes() const { return codec_.state_bytes(); }
  void encode(const State& state, std::span<std::uint8_t> out) const { codec_.encode(state, out); }
  State decode(std::span<const std::uint8_t> in) const { return codec_.decode(in); }
  std::span<const Invariant<TagModel>> invariants() const;
  std::string describe(const State& before, const Action& action, const State& after) const;
  bool may_end(const State&) const { return false; }

  template <typename Visitor>
  void for_each_successor(const State& state, Visitor visit) const {
    if (setting_.most_generations > 0 && state.generation > setting_.most_generations) return;
    for (std::uint8_t cpu = 0; cpu < setting_.cpus; ++cpu) {
      const auto take = [&](TagAction::Kind kind, std::uint8_t choice = 0) {
        const Action action{cpu, kind, choice};
        State next = state;
        if (apply(next, action)) visit(action, next);
      };
      visit_cpu(state, cpu, take);
    }
  }

 private:
  using Kind = TagAction::Kind;

  template <typename Take>
  void visit_cpu(const State& state, std::uint8_t number, Take take) const {
    const TagCpu<Protocol>& cpu = state.cpus[number];
    switch (cpu.phase) {
      case Phase::idle:
        for (std::uint8_t context = 0; context < setting_.contexts; ++context) take(Kind::load, context);
        break;
      case Phase::updating:
        visit_step(cpu, take);
        break;
      case Phase::ready:
        take(Kind::enter);
        if (setting_.turn_back == TagSetting::TurnBack::possible) take(Kind::abandon);
        break;
      case Phase::running:
        take(Kind::exit);
        break;
      case Phase::exited:
        take(Kind::again);
        take(Kind::schedule_out);
        break;
    }
    if (cpu.exit_requested && (!cpu.interrupts_off || cpu.phase == Phase::running)) take(Kind::interrupt);
  }

  template <typename Take>
  void visit_step(const TagCpu<Protocol>& cpu, Take take) const {
    if constexpr (requires { cpu.update.remaining; }) {
      if (!cpu.update.remaining.empty()) {
        for (std::uint8_t other = 0; other < setting_.cpus; ++other)
          if (cpu.update.remaining.contains(other)) take(Kind::step, other);
        return;
      }
    }
    take(Kind::step);
  }

  /// Whether the action was enabled.
  bool apply(State& state, const Action& action) const {
    World world(setting_, state, action.cpu, action.choice);
    TagCpu<Protocol>& cpu = state.cpus[action.cpu];
    switch (action.kind) {
      case Kind::load:
        world.load_context(action.choice);
        break;
      case Kind::step:
        return step(world, cpu);
      case Kind::enter:
        world.enter();
        break;
      case Kind::abandon:
      case Kind::exit:
        world.leave();
        break;
      case Kind::again:
        world.load_context(cpu.context);
        break;
      case Kind::schedule_out:
        world.schedule_out();
        break;
      case Kind::interrupt:
        world.take_interrupt();
        break;
    }
    return true;
  }

  static bool step(World& world, TagCpu<Protocol>& cpu) {
    const kernel::Step step = world.run(cpu.update);
    if (step == kernel::Step::done) {
      cpu.update = {};
      cpu.phase = Phase::ready;
    }
    return step != kernel::Step::blocked;
  }

  TagSetting setting_;
  TagCodec<Protocol> codec_;
};

}  // namespace tollgate::explored

#include "world/explored/tag_invariants.h"
#include "world/explored/tag_words.h"
