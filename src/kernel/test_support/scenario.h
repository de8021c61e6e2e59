// Scenarios on a SmallWorld, one situation at a time: begin something on a CPU, run it to its end, read what it asked of the
// world.
#pragma once

#include <gtest/gtest.h>

#include "kernel/test_support/small_invariants.h"

namespace tollgate::kernel::testing {

using Log = std::vector<std::string>;

inline constexpr CpuId kFirst{0}, kSecond{1}, kThird{2};
inline constexpr MmId kA{1}, kB{2};

inline SmallSetup setup_of(Policy policy) {
  SmallSetup setup;
  setup.policy = policy;
  return setup;
}
inline constexpr Policy kPlain{Pti::off, GlobalSet::all, PcidUse::on, ShootdownMode::serial, 33};
inline constexpr Policy kIsolated{Pti::on, GlobalSet::entry, PcidUse::on, ShootdownMode::serial, 33};
inline constexpr Policy kUntagged{Pti::off, GlobalSet::all, PcidUse::off, ShootdownMode::serial, 33};

inline Policy with(Policy policy, ShootdownMode mode) {
  policy.shootdown = mode;
  return policy;
}

/// Runs what was begun on one CPU to its end, and says what it asked of the world.
inline Log finish(SmallWorld& world, CpuId id) {
  world.log.clear();
  world.logs = true;
  for (int steps = 0; world.cpu(id).busy() || world.cpu(id).flushing; ++steps) {
    if (steps == 100) {
      ADD_FAILURE() << "CPU " << id.value << " waits for ever";
      break;
    }
    step(world, id);
  }
  world.logs = false;
  return world.log;
}

inline Log switch_to(SmallWorld& world, CpuId id, MmId mm) {
  perform(world, {id, Move::switch_mm, mm.value});
  return finish(world, id);
}

inline Log leave(SmallWorld& world, CpuId id) {
  perform(world, {id, Move::leave_kernel});
  return finish(world, id);
}

/// A request handled alone, as if another CPU had asked for it.
inline Log handle(SmallWorld& world, CpuId id, const FlushRequest& request) {
  world.cpu(id).inbox.push_back({id, request});
  perform(world, {id, Move::take_interrupt});
  return finish(world, id);
}

inline FlushRequest pages_of(MmId mm, hw::Vpn first, hw::Vpn pages, std::uint64_t gen) {
  return {FlushRequest::Scope::user, false, hw::PageSize::k4K, mm, first, pages, gen};
}

inline FlushRequest kernel_pages(hw::Vpn first, hw::Vpn pages) {
  return {FlushRequest::Scope::kernel, false, hw::PageSize::k4K, kInitMm, hw::kKernelHalf + first, pages, 0};
}

}  // namespace tollgate::kernel::testing
