// MmWorld: the explored world's side of the TLB protocols of x86. Every call is one action on an MmState. TLBs fill as
// eagerly as they can, from the root that is loaded: an older entry is never safer than a younger one or none.
#pragma once

#include "world/explored/mm_state.h"

namespace tollgate::explored {

class MmWorld {
 public:
  using CpuSet = SmallCpuSet;

  MmWorld(const MmSetting& setting, MmState& state, std::uint32_t cpu) : setting_(setting), state_(state), cpu_(cpu) {}

  kernel::CpuTlbState& cpu() { return own().tlb; }
  const kernel::Policy& policy() const { return setting_.policy; }
  std::uint64_t context_id(MmId mm) const { return mm.value + 1; }
  std::uint64_t load_tlb_gen(MmId mm) const { return state_.mms[mm.value].tlb_gen; }
  std::uint64_t bump_tlb_gen(MmId mm) { return ++state_.mms[mm.value].tlb_gen; }
  void join_mask(MmId mm) { state_.mms[mm.value].mask.add(cpu_); }
  void leave_mask(MmId mm) { state_.mms[mm.value].mask.remove(cpu_); }
  SmallCpuSet other_cpus_of(MmId mm) const {
    SmallCpuSet others = state_.mms[mm.value].mask;
    others.remove(cpu_);
    return others;
  }
  SmallCpuSet other_online_cpus() const {
    SmallCpuSet others = SmallCpuSet::first(setting_.cpus);
    others.remove(cpu_);
    return others;
  }
  bool needs_branch_barrier(MmId) const { return false; }
  void branch_barrier() {}
  void load_root(MmId, int slot, hw::NoFlush no_flush) {
    if (setting_.policy.pcid == kernel::PcidUse::off)
      drop_everything();
    else if (no_flush == hw::NoFlush::clear)
      drop(slot, Half::kernel);
    own().half = Half::kernel;
  }
  void load_user_root(MmId, int slot, hw::NoFlush no_flush) {
    if (setting_.policy.pcid == kernel::PcidUse::off)
      drop_everything();
    else if (no_flush == hw::NoFlush::clear)
      drop(slot, Half::user);
    own().half = Half::user;
  }
  void flush_slot(int slot, kernel::Whose) {
    if (setting_.policy.pcid == kernel::PcidUse::off)
      drop_everything();
    else
      drop(slot, Half::kernel);
  }
  void flush_page(hw::Vpn page, const kernel::FlushRequest&, kernel::Whose) {
    auto& halves = own().cached[cpu().loaded_slot];
    halves[std::size_t(own().half)][page] = {};
    if (setting_.policy.pcid == kernel::PcidUse::off) halves[std::size_t(Half::user)][page] = {};  // one tag for both
  }
  bool can_flush_other_pcid() const { return true; }
  void flush_user_half_page(int slot, hw::Vpn page, kernel::Whose) {
    own().cached[std::size_t(slot)][std::size_t(Half::user)][page] = {};
  }
  void flush_everything(kernel::Whose) { drop_everything(); }
  void send(SmallCpuSet cpus, const kernel::FlushRequest& request) {
    own().acknowledgements_due = cpus;
    for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu) {
      if (!cpus.contains(cpu)) continue;
      state_.cpus[cpu].inbox[cpu_] = request;
      state_.cpus[cpu].senders.add(cpu_);
    }
  }
  bool all_acknowledged() { return own().acknowledgements_due.empty(); }
  void broadcast(const kernel::FlushRequest&) {}
  void broadcast_sync() {}
  void flush_skipped() {}

 private:
  MmCpu& own() { return state_.cpus[cpu_]; }
  void drop(int slot, Half half) { own().cached[std::size_t(slot)][std::size_t(half)] = {}; }
  void drop_everything() { own().cached = {}; }

  const MmSetting& setting_;
  MmState& state_;
  std::uint32_t cpu_;
};

static_assert(kernel::TlbEnvironment<MmWorld>);
static_assert(kernel::UserRootEnvironment<MmWorld>);

}  // namespace tollgate::explored
