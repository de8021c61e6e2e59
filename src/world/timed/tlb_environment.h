// TimedEnvironment: the timed world's side of the TLB protocols. Every call has its effect on this CPU's MMU and on the
// shared variables, and charges what it costs.
#pragma once

#include "world/timed/world.h"

namespace tollgate::world {

class TimedEnvironment {
 public:
  using CpuSet = tollgate::CpuSet;

  TimedEnvironment(World& world, Cpu& cpu) : world_(world), cpu_(cpu) {}

  kernel::CpuTlbState& cpu() { return cpu_.tlb; }
  const kernel::Policy& policy() const { return world_.setup_.policy; }
  std::uint64_t context_id(MmId mm) const { return mm == kernel::kInitMm ? 1 : world_.mm(mm).context_id; }
  std::uint64_t load_tlb_gen(MmId mm);
  std::uint64_t bump_tlb_gen(MmId mm);
  void join_mask(MmId mm);
  void leave_mask(MmId mm);
  CpuSet other_cpus_of(MmId mm) const;
  CpuSet other_online_cpus() const;
  bool needs_branch_barrier(MmId mm) const { return mm != kernel::kInitMm && !world_.mm(mm).dumpable; }
  void branch_barrier();
  void load_root(MmId mm, int slot, hw::NoFlush no_flush);
  void load_user_root(MmId mm, int slot, hw::NoFlush no_flush);
  void flush_slot(int slot, kernel::Whose whose);
  void flush_page(hw::Vpn vpn, const kernel::FlushRequest& request, kernel::Whose whose);
  bool can_flush_other_pcid() const { return world_.setup_.machine->features.invpcid; }
  void flush_user_half_page(int slot, hw::Vpn vpn, kernel::Whose whose);
  void flush_everything(kernel::Whose whose);
  void send(const CpuSet& cpus, const kernel::FlushRequest& request);
  bool all_acknowledged() const { return cpu_.acknowledgements_due == 0; }
  void broadcast(const kernel::FlushRequest& request);
  void broadcast_sync();
  void flush_skipped() { cpu_.events.add(evidence::Event::flushes_skipped); }

 private:
  void broadcast_user(Cpu& target, const kernel::FlushRequest& request);
  void broadcast_kernel(Cpu& target, const kernel::FlushRequest& request);
  bool tagged() const { return policy().pcid == kernel::PcidUse::on; }
  bool isolated() const { return policy().pti == kernel::Pti::on; }

  World& world_;
  Cpu& cpu_;
};

static_assert(kernel::TlbEnvironment<TimedEnvironment>);
static_assert(kernel::UserRootEnvironment<TimedEnvironment>);

}  // namespace tollgate::world
