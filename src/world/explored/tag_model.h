// TagModel: a tag allocator among CPUs that load, run and schedule out contexts in any order. Any CPU may load any context,
// several CPUs the same one (the vCPUs of a VM, the threads of a process).
#pragma once

#include <algorithm>
#include <optional>
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
  WatchedEntry watch = {};  // the TLB entry that is watched from now on, if one begins to be

  bool operator==(const TagAction&) const = default;
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
  bool may_end(const State& state) const { return beyond_bound(state); }

  std::uint32_t process_count() const { return setting_.cpus; }
  template <typename Visitor>
  void for_each_successor(const State& state, Visitor visit) const {
    for (std::uint8_t cpu = 0; cpu < setting_.cpus; ++cpu)
      for_each_step(state, cpu, [&](const Action& action, const State& next, Footprint) { visit(action, next); });
  }

  /// Calls visit(action, next, footprint) for every action of one CPU.
  template <typename Visitor>
  void for_each_step(const State& state, std::uint32_t cpu, Visitor visit) const {
    if (beyond_bound(state)) return;
    visit_cpu(state, std::uint8_t(cpu), [&](Kind kind, std::uint8_t choice = 0) {
      visit_action(state, {std::uint8_t(cpu), kind, choice}, visit);
    });
  }

  /// Of a CPU's steps that may be taken in any order with the same result, the one to take first if it concerns nobody else
  /// (reduced_model.h): a rollover may take its own CPU's slot before the others'.
  std::optional<Action> preferred(const State& state, std::uint32_t number) const {
    if constexpr (requires(Protocol p) { p.remaining; })
      if (state.cpus[number].update.remaining.contains(number))
        return Action{std::uint8_t(number), Kind::step, std::uint8_t(number)};
    return std::nullopt;
  }

  /// Whether the CPU is on the fast path and bound for the lock, whatever it still reads: its tag is of an older generation,
  /// which never returns; or its slot, which was not empty, has been emptied, and nobody else will fill it.
  bool doomed(const State& state, std::uint32_t number) const {
    if constexpr (kBitmap) {
      using Label = typename Protocol::Label;
      const TagCpu<Protocol>& cpu = state.cpus[number];
      if (cpu.phase != Phase::updating) return false;
      if (setting_.policy.fast_path != kernel::TagPolicy::FastPath::compare_exchange) return false;
      const Label label = cpu.update.label;
      const bool stale = cpu.update.tag.generation != state.generation;
      const bool emptied = cpu.active != cpu.update.old_active;
      if (label == Label::load_active) return stale;
      if (label == Label::load_generation) return stale || emptied;
      return label == Label::publish && emptied;
    }
    return false;
  }

  /// Makes equal what no later step can tell apart. A reservation is read when its CPU's slot is found empty by a rollover, and
  /// compared with tags of older generations. A slot that is filled stays so until a rollover takes it, unless schedule-out
  /// clears it; so where it is filled, and nobody has the reserved tag, the reservation is dead. (Should a rollover end with a
  /// dead one in place, the invariants say so.) A CPU that has left its context may load any again; one that has scheduled it out
  /// may do no more.
  void forget(State& state) const {
    if (setting_.policy.schedule_out == kernel::TagPolicy::ScheduleOut::keep)
      for (std::uint32_t number = 0; number < setting_.cpus; ++number) forget_exited(state.cpus[number]);
    if constexpr (kBitmap) {
      if (setting_.policy.schedule_out == kernel::TagPolicy::ScheduleOut::clear) return;
      for (std::uint32_t number = 0; number < setting_.cpus; ++number) {
        TagCpu<Protocol>& cpu = state.cpus[number];
        if (cpu.active == kernel::kNoTag || someone_has(state, cpu.reserved)) continue;
        cpu.reserved = kDeadTag;
      }
    }
  }

  /// Whether a CPU waits for a tag, or for another to leave the guest.
  bool somebody_waits(const State& state) const { return !beyond_bound(state) && helpful(state).has_value(); }

  /// The next action of a run in which every CPU that wants a tag gets it: IPIs are taken, the holder of the lock goes on, then
  /// the others one by one.
  std::optional<Action> helpful(const State& state) const {
    for (std::uint8_t cpu = 0; cpu < setting_.cpus; ++cpu)
      if (state.cpus[cpu].exit_requested) return first_action(state, cpu);
    if (state.lock_holder != 0) return first_action(state, std::uint8_t(state.lock_holder - 1u));
    for (std::uint8_t cpu = 0; cpu < setting_.cpus; ++cpu)
      if (state.cpus[cpu].phase == Phase::updating) return first_action(state, cpu);
    return std::nullopt;
  }
  template <typename Visitor>
  void take_helpful_step(const State& state, Visitor visit) const {
    const std::optional<Action> helping = helpful(state);
    for_each_step(state, helping->cpu, [&](const Action& action, const State& next, Footprint) {
      if (action == *helping) visit(next);
    });
  }

 private:
  using Kind = TagAction::Kind;
  static constexpr bool kBitmap = requires(Protocol p) { p.old_active; };

  static void forget_exited(TagCpu<Protocol>& cpu) {
    if (cpu.phase != Phase::exited) return;
    cpu.phase = Phase::idle;
    cpu.context = kNoContext;
  }
  bool someone_has(const State& state, kernel::Tag stale) const {
    if (stale == kernel::kNoTag || stale.generation == state.generation) return false;
    return std::find(state.tags.begin(), state.tags.begin() + setting_.contexts, stale) !=
           state.tags.begin() + setting_.contexts;
  }
  bool beyond_bound(const State& state) const {
    return setting_.most_generations > 0 && state.generation > setting_.most_generations;
  }
  static bool picks(const TagCpu<Protocol>& cpu) {
    if constexpr (requires { cpu.update.remaining; }) return !cpu.update.remaining.empty();
    return false;
  }
  static bool takes_interrupt(const TagCpu<Protocol>& cpu) {
    return cpu.exit_requested && (!cpu.interrupts_off || cpu.phase == Phase::running);
  }

  template <typename Visitor>
  void visit_action(const State& state, Action action, Visitor& visit) const {
    State next = state;
    World world(setting_, next, action.cpu, action.choice);
    if (!apply(world, next, action)) return;
    if (chooses_index(state.cpus[action.cpu]) && !world.searched() && action.choice != first_found(state)) return;
    world.settle_cursor(state.cursor);
    Footprint footprint = world.footprint();
    if (action.kind == Kind::step && doomed(state, action.cpu)) {
      footprint.shared = false;
      footprint.undisciplined |= !doomed(next, action.cpu) && !at_lock(next.cpus[action.cpu]);
    }
    const bool wider = setting_.behaviour == Behaviour::wider;
    if (wider && next.watched.cpu != kNoCpu && !next.watched.clash && owned(next, next.watched)) next.watched = {};
    visit(action, next, footprint);
    if (next.watched.cpu != kNoCpu) return;
    const auto watch = [&](const WatchedEntry& entry) {
      action.watch = next.watched = entry;
      visit(action, next, footprint);
    };
    for (std::uint8_t cpu = 0; cpu < setting_.cpus; ++cpu)
      if (world.filled().contains(cpu)) watch({cpu, next.cpus[cpu].base_index, next.cpus[cpu].base_context});
    if (!wider) return;
    for (std::uint8_t context = 0; context < setting_.contexts; ++context) {
      const WatchedEntry left{0, std::uint8_t(state.tags[context].index), context};
      if (!owns_index(state, context) || owned(next, left)) continue;
      for (std::uint8_t cpu = 0; cpu < setting_.cpus; ++cpu)
        if (!next.cpus[cpu].unflushed) watch({cpu, left.index, context});
    }
  }

  static bool owned(const State& state, const WatchedEntry& entry) {
    return state.tags[entry.context].index == entry.index && owns_index(state, entry.context);
  }

  template <typename Take>
  void visit_cpu(const State& state, std::uint8_t number, Take take) const {
    const TagCpu<Protocol>& cpu = state.cpus[number];
    switch (cpu.phase) {
      case Phase::idle:
        for (std::uint8_t context = 0; context < setting_.contexts; ++context) take(Kind::load, context);
        break;
      case Phase::updating:
        visit_step(state, cpu, take);
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
    if (takes_interrupt(cpu)) take(Kind::interrupt);
  }

  /// Whether the step may be a search that finds any free index.
  bool chooses_index(const TagCpu<Protocol>& cpu) const {
    if constexpr (kBitmap) {
      const auto label = cpu.update.label;
      return setting_.behaviour == Behaviour::wider && cpu.phase == Phase::updating &&
             (label == Protocol::Label::choose || label == Protocol::Label::choose_afresh);
    }
    return false;
  }
  /// The lowest free index; 0: none is.
  std::uint32_t first_found(const State& state) const {
    const auto lowest = std::uint32_t(std::countr_one(state.taken | 1u));
    return lowest < setting_.indices ? lowest : 0;
  }
  template <typename Take>
  void visit_found(const State& state, Take take) const {
    const std::uint32_t first = first_found(state);
    take(Kind::step, std::uint8_t(first));
    if (first == 0) return;
    for (std::uint32_t index = first + 1; index < setting_.indices; ++index)
      if ((state.taken >> index & 1) == 0) take(Kind::step, std::uint8_t(index));
  }

  template <typename Take>
  void visit_step(const State& state, const TagCpu<Protocol>& cpu, Take take) const {
    if constexpr (kBitmap)
      if (chooses_index(cpu)) return visit_found(state, take);
    if constexpr (requires { cpu.update.remaining; }) {
      if (picks(cpu)) {
        for (std::uint8_t other = 0; other < setting_.cpus; ++other)
          if (cpu.update.remaining.contains(other)) take(Kind::step, other);
        return;
      }
    }
    take(Kind::step);
  }

  static bool at_lock(const TagCpu<Protocol>& cpu) {
    return cpu.phase == Phase::updating && cpu.update.label == Protocol::Label::lock;
  }

  std::optional<Action> first_action(const State& state, std::uint8_t number) const {
    if (takes_interrupt(state.cpus[number])) return Action{number, Kind::interrupt};
    std::optional<Action> first;
    visit_cpu(state, number, [&](Kind kind, std::uint8_t choice = 0) {
      if (!first) first = Action{number, kind, choice};
    });
    return first;
  }

  /// Whether the action was enabled.
  bool apply(World& world, State& state, const Action& action) const {
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
