// VcpuState: the small world in which per-CPU ASIDs of vCPUs are explored: a few CPUs with counters of their own, the vCPUs,
// each loaded by one CPU at a time, and one TLB entry under observation (tag_state.h says why one is enough). Plain and copyable.
#pragma once

#include <array>
#include <cstdint>

#include "kernel/svm_asid.h"
#include "world/explored/tag_state.h"

namespace tollgate::explored {

inline constexpr std::uint32_t kMostVcpuCpus = 4;
inline constexpr std::uint32_t kMostVcpus = 8;
inline constexpr std::uint32_t kMostAsids = 30;

struct VcpuCpu {
  kernel::SvmCpu asids = {};
  kernel::SvmAsidUpdate update = {};
  Phase phase = Phase::idle;
  std::uint8_t vcpu = kNoContext;  // what the scheduler loaded
  bool operator==(const VcpuCpu&) const = default;
};

struct VcpuState {
  WatchedEntry watched = {};  // `context` is a vCPU
  std::array<VcpuCpu, kMostVcpuCpus> cpus{};
  std::array<kernel::SvmVcpu, kMostVcpus> vcpus{};
  bool operator==(const VcpuState&) const = default;
};

struct VcpuSetting {
  std::uint32_t cpus = 2;
  std::uint32_t vcpus = 4;
  std::uint32_t asids = 3;  // 1 to this on each CPU
  kernel::SvmMigration migration = kernel::SvmMigration::forget;
  /// Whether a vCPU may turn back between its update and the guest. Linux keeps interrupts off there.
  TagSetting::TurnBack turn_back = TagSetting::TurnBack::never;
  std::uint32_t most_generations = 0;  // of any CPU; 0: no bound, generations are renamed (vcpu_codec.cc)
};

/// The explored world's side of SvmAsidUpdate, and what a CPU's loop does between updates.
class VcpuWorld {
 public:
  VcpuWorld(const VcpuSetting& setting, VcpuState& state, std::uint32_t number)
      : setting_(setting), state_(state), number_(number) {}

  kernel::SvmMigration migration() const { return setting_.migration; }
  std::uint32_t this_cpu() const { return number_; }
  std::uint32_t last_asid() const { return setting_.asids; }
  kernel::SvmCpu& cpu() { return own().asids; }
  kernel::SvmVcpu& vcpu() { return state_.vcpus[own().vcpu]; }

  void load(std::uint8_t vcpu) {
    own().vcpu = vcpu;
    own().update = {};
    own().phase = Phase::updating;
  }
  /// The TLB holds from now on whatever the guest may touch. A second vCPU's entries under the same ASID are a clash.
  void enter() {
    WatchedEntry& watched = state_.watched;
    if (vcpu().flush_at_entry && watched.cpu == number_) watched = {};
    vcpu().flush_at_entry = false;
    own().phase = Phase::running;
    if (watched.cpu == number_ && watched.index == vcpu().tag.index && watched.context != own().vcpu)
      watched.clash = true;
  }
  void schedule_out() {
    own().vcpu = kNoContext;
    own().phase = Phase::idle;
  }

 private:
  VcpuCpu& own() { return state_.cpus[number_]; }

  const VcpuSetting& setting_;
  VcpuState& state_;
  std::uint32_t number_;
};

static_assert(kernel::SvmEnvironment<VcpuWorld>);

}  // namespace tollgate::explored
