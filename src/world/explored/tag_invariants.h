// What must hold of a tag allocator in every state, each with its reason. Names follow the public TLA+ models of the arm64
// allocators where those have the invariant.
#pragma once

#include <array>
#include <bit>

#include "world/explored/tag_model.h"

namespace tollgate::explored {

template <typename M>
struct TagInvariants {
  using State = typename M::State;
  using Protocol = typename M::Protocol;
  using Label = typename Protocol::Label;
  static constexpr bool kBitmap = requires(Protocol p) { p.old_active; };

  static bool unique_per_cpu(const M&, const State& state) { return !state.watched.clash; }

  template <typename Clash>
  static bool no_running_pair(const M& model, const State& state, Clash clash) {
    for (std::uint32_t a = 0; a < model.setting().cpus; ++a)
      for (std::uint32_t b = 0; b < a; ++b)
        if (state.cpus[a].phase == Phase::running && state.cpus[b].phase == Phase::running &&
            clash(state.cpus[a], state.cpus[b]))
          return false;
    return true;
  }

  static bool unique_active(const M& model, const State& state) {
    return no_running_pair(model, state, [](const auto& a, const auto& b) {
      return a.base_index == b.base_index && a.context != b.context;
    });
  }

  static bool same_active(const M& model, const State& state) {
    return no_running_pair(model, state, [](const auto& a, const auto& b) {
      return a.base_index != b.base_index && a.context == b.context;
    });
  }

  static bool no_index_zero(const M& model, const State& state) {
    for (std::uint32_t cpu = 0; cpu < model.setting().cpus; ++cpu)
      if (state.cpus[cpu].base_context != kNoContext && state.cpus[cpu].base_index == 0) return false;
    for (std::uint32_t context = 0; context < model.setting().contexts; ++context)
      if (state.tags[context].index == 0 && state.tags[context] != kernel::kNoTag) return false;
    return true;
  }

  /// Whether a rollover has just taken every active slot and flushed, and has not handed out anything yet.
  static bool at_rollover_end(const M& model, const State& state) {
    if constexpr (kBitmap)
      for (std::uint32_t cpu = 0; cpu < model.setting().cpus; ++cpu)
        if (state.cpus[cpu].update.label == Label::choose_afresh) return true;
    return false;
  }

  static bool reservations_agree(const M& model, const State& state) {
    if (!at_rollover_end(model, state)) return true;
    for (std::uint32_t a = 0; a < model.setting().cpus; ++a) {
      const kernel::Tag mine = state.cpus[a].reserved;
      if (mine == kDeadTag) return false;  // see TagModel::forget
      if (mine.index == 0) continue;
      if ((state.taken >> mine.index & 1) == 0) return false;
      for (std::uint32_t b = 0; b < a; ++b)
        if (state.cpus[b].reserved.index == mine.index && state.cpus[b].reserved != mine) return false;
    }
    return true;
  }

  static bool running_is_reserved(const M& model, const State& state) {
    if (!at_rollover_end(model, state)) return true;
    for (std::uint32_t cpu = 0; cpu < model.setting().cpus; ++cpu)
      if (state.cpus[cpu].phase == Phase::running && state.cpus[cpu].reserved.index != state.cpus[cpu].base_index)
        return false;
    return true;
  }

  static bool enough_free(const M& model, const State& state) {
    if constexpr (kBitmap)
      for (std::uint32_t cpu = 0; cpu < model.setting().cpus; ++cpu)
        if (state.cpus[cpu].update.label == Label::exhausted) return false;
    if (!at_rollover_end(model, state)) return true;
    const auto free = int(model.setting().indices) - 1 - std::popcount(state.taken);
    return free >= int(model.setting().indices) - 1 - int(model.setting().cpus);
  }

  static constexpr std::array<Invariant<M>, 7> kAll{{
      {"UniqueVMIDPerCPU", "on one CPU a tag's TLB entries belong to one context; else one VM reads another's memory",
       unique_per_cpu},
      {"UniqueVMIDActive",
       "two contexts that run at once never share a tag; else a broadcast or shared TLB mixes them up", unique_active},
      {"SameVMIDActive", "a context that runs on two CPUs has one tag; else a flush by tag misses one of them",
       same_active},
      {"InvalidNeverAllocated",
       "index 0 is the host's, and marks the invalid value of an active slot: nobody may get it", no_index_zero},
      {"ReservationsAgree", "at the end of a rollover an index is reserved for one tag only, and is not free",
       reservations_agree},
      {"RunningIsReserved",
       "at the end of a rollover every running context's index is reserved; else it is handed out again",
       running_is_reserved},
      {"EnoughFree", "after a rollover all indices but one a CPU are free, and a search for one finds it", enough_free},
  }};
};

template <typename ProtocolType, typename World>
std::span<const Invariant<TagModel<ProtocolType, World>>> TagModel<ProtocolType, World>::invariants() const {
  return TagInvariants<TagModel>::kAll;
}

}  // namespace tollgate::explored
