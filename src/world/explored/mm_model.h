// MmModel: mm switches, page-table edits with their shootdowns, lazy kernel threads, and (with PTI) returns to user mode, on
// a few CPUs in any order, through the very protocol code that the timed world prices. Bounded: so many edits in all.
#pragma once

#include <span>
#include <string>

#include "world/explored/mm_world.h"
#include "world/explored/model.h"

namespace tollgate::explored {

struct MmAction {
  enum class Kind : std::uint8_t { step, handle, take_request, switch_to, go_lazy, edit, exit_to_user, enter_kernel };
  std::uint8_t cpu = 0;
  Kind kind = Kind::step;
  std::uint8_t choice = 0;  // the mm, the page or the sender
};

/// A step of a mutant in place of the real one; see mm_mutants_test.cc. Empty in every other use.
struct MmHooks {
  void (*after)(MmState& before, MmState& after, const MmAction& action) = nullptr;
};

class MmModel {
 public:
  using State = MmState;
  using Action = MmAction;

  explicit MmModel(const MmSetting& setting, MmHooks hooks = {});

  const MmSetting& setting() const { return setting_; }
  State initial() const;
  std::size_t state_bytes() const { return bytes_; }
  void encode(const State& state, std::span<std::uint8_t> out) const;
  State decode(std::span<const std::uint8_t> in) const;
  std::span<const Invariant<MmModel>> invariants() const;
  std::string describe(const State& before, const Action& action, const State& after) const;
  bool may_end(const State&) const { return false; }

  /// Whether a CPU has begun something that it must get to the end of.
  bool somebody_waits(const State& state) const;
  /// Requests are taken and served first; then whoever can go on does.
  template <typename Visitor>
  void take_helpful_step(const State& state, Visitor visit) const {
    State next = state;
    if (help(next)) visit(next);
  }

  template <typename Visitor>
  void for_each_successor(const State& state, Visitor visit) const {
    std::array<Action, 16> actions;
    for (std::uint8_t cpu = 0; cpu < setting_.cpus; ++cpu) {
      const std::size_t count = enabled(state, cpu, actions);
      for (std::size_t at = 0; at < count; ++at) {
        State next = state;
        if (apply(next, actions[at])) visit(actions[at], next);
      }
    }
  }

 private:
  std::size_t enabled(const State& state, std::uint8_t cpu, std::array<Action, 16>& actions) const;
  bool apply(State& state, const Action& action) const;
  bool help(State& state) const;
  bool step(State& state, MmCpu& cpu, MmWorld& world) const;
  void handle(State& state, MmCpu& cpu, std::uint8_t number, MmWorld& world) const;
  void start_edit(State& state, MmCpu& cpu, std::uint8_t page) const;
  void fill(State& state) const;

  MmSetting setting_;
  MmHooks hooks_;
  std::size_t bytes_;
};

}  // namespace tollgate::explored
