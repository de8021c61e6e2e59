// VcpuModel: vCPUs that move between CPUs, each CPU with ASIDs of its own. Any CPU may load any vCPU that no other CPU has.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "world/explored/model.h"
#include "world/explored/vcpu_state.h"

namespace tollgate::explored {

struct VcpuAction {
  enum class Kind : std::uint8_t { load, step, enter, turn_back, exit, again, schedule_out };
  std::uint8_t cpu = 0;
  Kind kind = Kind::step;
  std::uint8_t vcpu = kNoContext;  // the vCPU loaded
  WatchedEntry watch = {};         // the TLB entry that is watched from now on, if one begins to be

  bool operator==(const VcpuAction&) const = default;
};

/// What a mutant does after a step; see vcpu_test.cc. Empty in every other use.
struct VcpuHooks {
  void (*after)(const VcpuState& before, VcpuState& after, const VcpuAction& action) = nullptr;
};

class VcpuModel {
 public:
  using State = VcpuState;
  using Action = VcpuAction;
  using Kind = VcpuAction::Kind;

  explicit VcpuModel(const VcpuSetting& setting, VcpuHooks hooks = {});

  const VcpuSetting& setting() const { return setting_; }
  State initial() const;
  std::size_t state_bytes() const { return bytes_; }
  void encode(const State& state, std::span<std::uint8_t> out) const;
  State decode(std::span<const std::uint8_t> in) const;
  std::span<const Invariant<VcpuModel>> invariants() const;
  std::string describe(const State& before, const Action& action, const State& after) const;
  bool may_end(const State& state) const { return beyond_bound(state); }

  std::uint32_t process_count() const { return setting_.cpus; }
  template <typename Visitor>
  void for_each_successor(const State& state, Visitor visit) const {
    for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu)
      for_each_step(state, cpu, [&](const Action& action, const State& next, Footprint) { visit(action, next); });
  }

  /// Calls visit(action, next, footprint) for every action of one CPU; once more where the entry that its TLB has just filled
  /// begins to be watched.
  template <typename Visitor>
  void for_each_step(const State& state, std::uint32_t cpu, Visitor visit) const {
    if (beyond_bound(state)) return;
    for_each_kind(state, cpu, [&](Kind kind, std::uint8_t vcpu = kNoContext) {
      Action action{std::uint8_t(cpu), kind, vcpu};
      State next = applied(state, action);
      visit(action, next, footprint(kind));
      if (kind != Kind::enter || next.watched.cpu != kNoCpu) return;
      const std::uint8_t entered = next.cpus[cpu].vcpu;
      action.watch = next.watched = {std::uint8_t(cpu), std::uint8_t(next.vcpus[entered].tag.index), entered};
      visit(action, next, footprint(kind));
    });
  }

  /// For transactions (reduced_model.h): no step is better taken first, none is bound to fail, and nothing is to be forgotten.
  std::optional<Action> preferred(const State&, std::uint32_t) const { return std::nullopt; }
  bool doomed(const State&, std::uint32_t) const { return false; }
  void forget(State&) const {}

  /// A CPU in the middle of an update needs nobody's help, so its next step is the helpful one.
  bool somebody_waits(const State& state) const { return helpful(state).has_value(); }
  std::optional<Action> helpful(const State& state) const;
  template <typename Visitor>
  void take_helpful_step(const State& state, Visitor visit) const {
    visit(applied(state, *helpful(state)));
  }

 private:
  bool beyond_bound(const State& state) const;
  bool is_loaded(const State& state, std::uint8_t vcpu) const;
  State applied(const State& state, const Action& action) const;

  /// Others see which vCPUs are loaded; invariants look at those that run, and at the watched entry. All else is a CPU's own.
  static Footprint footprint(Kind kind) {
    return {.shared = kind == Kind::load || kind == Kind::enter || kind == Kind::exit || kind == Kind::schedule_out};
  }

  template <typename Take>
  void for_each_kind(const State& state, std::uint32_t cpu, Take take) const {
    switch (state.cpus[cpu].phase) {
      case Phase::idle:
        for (std::uint8_t vcpu = 0; vcpu < setting_.vcpus; ++vcpu)
          if (!is_loaded(state, vcpu)) take(Kind::load, vcpu);
        break;
      case Phase::updating:
        take(Kind::step);
        break;
      case Phase::ready:
        take(Kind::enter);
        if (setting_.turn_back == TagSetting::TurnBack::possible) take(Kind::turn_back);
        break;
      case Phase::running:
        take(Kind::exit);
        break;
      case Phase::exited:
        take(Kind::again);
        take(Kind::schedule_out);
        break;
    }
  }

  VcpuSetting setting_;
  VcpuHooks hooks_;
  std::size_t bytes_;
};

}  // namespace tollgate::explored
