// The hardware of a SmallWorld: what loads of CR3, INVLPG, INVPCID and references do to a CPU's entries, by the Intel SDM's
// table of invalidations and with nothing left out or added.
#pragma once

#include "kernel/test_support/small_world.h"

namespace tollgate::kernel::testing {

/// Drops the entries that `doomed` names.
template <typename Predicate>
void drop(SmallCpu& cpu, Predicate doomed) {
  std::erase_if(cpu.cached, doomed);
}

inline void drop_pcid(SmallCpu& cpu, std::uint32_t pcid) {
  drop(cpu, [&](const CachedPage& entry) { return !entry.global && entry.pcid == pcid; });
}

inline void drop_page(SmallCpu& cpu, std::uint32_t pcid, hw::Vpn vpn) {
  drop(cpu, [&](const CachedPage& entry) { return !entry.global && entry.pcid == pcid && entry.page == vpn; });
}

inline void write_cr3(const SmallWorld& world, SmallCpu& cpu, MmId root, bool user_half, int slot,
                      hw::NoFlush no_flush) {
  cpu.root = root;
  cpu.user_half = user_half;
  cpu.pcid = !world.tagged() ? 0 : user_half ? user_pcid(slot) : kernel_pcid(slot);
  if (!world.tagged() || no_flush == hw::NoFlush::clear) drop_pcid(cpu, cpu.pcid);
}

inline void invlpg(SmallCpu& cpu, hw::Vpn vpn) {
  drop_page(cpu, cpu.pcid, vpn);
  drop(cpu, [&](const CachedPage& entry) { return entry.global && entry.page == vpn; });
}

/// The root shows the page: every root the mm's own pages, and all but PTI's user half the kernel's.
inline bool shows(const SmallWorld& world, const SmallCpu& cpu, hw::Vpn vpn) {
  return vpn >= hw::kKernelHalf ? !(world.isolated() && cpu.user_half) : cpu.root != kInitMm;
}

/// The entry that a reference to `vpn` hits now, or nullptr.
inline const CachedPage* find_cached(const SmallCpu& cpu, hw::Vpn vpn) {
  for (const auto& entry : cpu.cached)
    if (entry.page == vpn && (entry.global || entry.pcid == cpu.pcid)) return &entry;
  return nullptr;
}

/// A walk, asked for by a reference or by speculation, which needs nobody's leave.
inline void fill(const SmallWorld& world, SmallCpu& cpu, hw::Vpn vpn) {
  if (!shows(world, cpu, vpn) || find_cached(cpu, vpn) != nullptr) return;
  const MmId owner = SmallWorld::owner_of(vpn, cpu.root);
  const bool global = vpn >= hw::kKernelHalf && world.policy().global_pages == GlobalSet::all;
  cpu.cached.push_back({cpu.pcid, global, owner, vpn, world.page(owner, vpn).version});
}

/// An architectural reference: it must not go through what a finished flush has taken away, or through another's page.
inline void touch(SmallWorld& world, CpuId id, hw::Vpn vpn) {
  SmallCpu& cpu = world.cpu(id);
  fill(world, cpu, vpn);
  const CachedPage* entry = find_cached(cpu, vpn);
  if (entry == nullptr) return;
  const MmId owner = SmallWorld::owner_of(vpn, cpu.root);
  const std::string where = "CPU " + std::to_string(id.value) + " page " + std::to_string(vpn & 0xff);
  if (entry->mm != owner) world.violate(where + ": used a translation of another mm");
  for (const Settled& settled : world.page(owner, vpn).settled)
    if (entry->mm == owner && entry->version < settled.version)
      world.violate(where + ": used a translation older than a finished flush");
}

}  // namespace tollgate::kernel::testing
