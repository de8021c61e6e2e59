// What must hold in every state of a SmallWorld, whatever happens next. Stronger than waiting for a bad reference: an entry
// that a finished flush has taken away may still lie in a TLB, but something must stand between it and its next use.
#pragma once

#include "kernel/test_support/small_schedule.h"

namespace tollgate::kernel::testing {

/// Between the old mm's mask and the new root a CPU uses no user translation, and its flush requests wait.
inline bool is_between_mms(const SmallCpu& cpu) {
  const auto midway = [](const SwitchMm& switching) {
    return switching.label == SwitchMm::Label::join_new || switching.label == SwitchMm::Label::read_gen ||
           switching.label == SwitchMm::Label::load_root;
  };
  const bool leaves =
      (cpu.handling && cpu.handling->label == FlushHandler::Label::leave_lazy && midway(cpu.handling->leave)) ||
      (cpu.flushing && cpu.flushing->own.label == FlushHandler::Label::leave_lazy && midway(cpu.flushing->own.leave));
  return leaves || (cpu.switching && midway(*cpu.switching));
}

/// The slot a PCID belongs to, and which half of it.
struct TagOwner {
  int slot = 0;
  bool user_half = false;
};
inline TagOwner owner_of_tag(std::uint32_t pcid) { return {int(pcid & 0x7ff) - 1, pcid >= user_pcid(0)}; }

/// Nothing stands between this entry and a use: no pending flush of its user PCID, no switch that would flush its slot.
/// `settled_gen` is the generation of the flush that took it away.
inline bool is_user_entry_live(const SmallWorld& world, const SmallCpu& cpu, const CachedPage& entry,
                               std::uint64_t settled_gen) {
  if (!world.tagged()) return entry.mm == cpu.tlb.loaded_mm && !is_between_mms(cpu);
  const TagOwner tag = owner_of_tag(entry.pcid);
  if (tag.user_half && (cpu.tlb.user_flush_mask >> tag.slot & 1)) return false;
  if (tag.user_half && cpu.leaving && cpu.leaving->label == ExitToUser::Label::write_flushing &&
      tag.slot == cpu.tlb.loaded_slot)
    return false;
  const TlbSlot& slot = cpu.tlb.slots[std::size_t(tag.slot)];
  if (slot.context_id != world.mm(entry.mm).context_id) return false;
  if (tag.slot == cpu.tlb.loaded_slot && !is_between_mms(cpu)) return true;
  return slot.tlb_gen >= settled_gen;
}

/// Kernel entries: under the loaded slot's kernel PCID, or under another's that no pending invalidate_other will take away.
inline bool is_kernel_entry_live(const SmallWorld& world, const SmallCpu& cpu, const CachedPage& entry) {
  if (entry.global || !world.tagged()) return true;
  const TagOwner tag = owner_of_tag(entry.pcid);
  if (tag.slot == cpu.tlb.loaded_slot) return !tag.user_half;
  return !cpu.tlb.invalidate_other && cpu.tlb.slots[std::size_t(tag.slot)].context_id != 0;
}

/// Invariant 3: after the flush to generation g has returned, no TLB holds a usable entry of that mm older than g and covered
/// by the range.
inline void check_no_live_stale_entry(SmallWorld& world, CpuId id) {
  const SmallCpu& cpu = world.cpu(id);
  for (const CachedPage& entry : cpu.cached) {
    for (const Settled& settled : world.page(entry.mm, entry.page).settled) {
      if (entry.version >= settled.version) continue;
      const bool live = entry.page >= hw::kKernelHalf ? is_kernel_entry_live(world, cpu, entry)
                                                      : is_user_entry_live(world, cpu, entry, settled.tlb_gen);
      if (live)
        world.violate("CPU " + std::to_string(id.value) + ": mm" + std::to_string(entry.mm.value) + " page " +
                      std::to_string(entry.page & 0xff) + " is still usable under PCID " + std::to_string(entry.pcid) +
                      " after its flush returned");
    }
  }
}

/// Invariant 1: under the PCIDs of a loaded slot lie translations of the loaded mm alone.
inline void check_one_owner_a_tag(SmallWorld& world, CpuId id) {
  const SmallCpu& cpu = world.cpu(id);
  if (is_between_mms(cpu) || cpu.tlb.loaded_mm == kInitMm) return;
  for (const CachedPage& entry : cpu.cached) {
    if (entry.mm == kInitMm || entry.mm == cpu.tlb.loaded_mm) continue;
    const TagOwner tag = world.tagged() ? owner_of_tag(entry.pcid) : TagOwner{cpu.tlb.loaded_slot, false};
    const bool pending = tag.user_half && ((cpu.tlb.user_flush_mask >> tag.slot & 1) ||
                                           (cpu.leaving && cpu.leaving->label == ExitToUser::Label::write_flushing));
    if (tag.slot == cpu.tlb.loaded_slot && !pending)
      world.violate("CPU " + std::to_string(id.value) + ": two mms under one tag");
  }
}

/// Invariant 4: no slot claims to be fresher than its mm.
inline void check_slots_not_ahead(SmallWorld& world, CpuId id) {
  for (const TlbSlot& slot : world.cpu(id).tlb.slots)
    for (std::uint32_t mm = 0; mm <= std::uint32_t(world.setup().mms); ++mm)
      if (slot.context_id == world.mm(MmId(mm)).context_id && slot.tlb_gen > world.mm(MmId(mm)).tlb_gen)
        world.violate("CPU " + std::to_string(id.value) + ": a slot is ahead of mm" + std::to_string(mm));
}

/// A CPU that runs an mm is in its mask: nobody else could reach it.
inline void check_in_mask(SmallWorld& world, CpuId id) {
  const SmallCpu& cpu = world.cpu(id);
  const bool switching = is_between_mms(cpu) || (cpu.switching && cpu.switching->label != SwitchMm::Label::compare);
  if (cpu.tlb.loaded_mm != kInitMm && !switching && !world.mm(cpu.tlb.loaded_mm).mask.contains(id))
    world.violate("CPU " + std::to_string(id.value) + ": runs an mm without being in its mask");
}

inline void check_invariants(SmallWorld& world) {
  for (std::uint32_t cpu = 0; cpu < std::uint32_t(world.cpus()); ++cpu) {
    check_no_live_stale_entry(world, CpuId(cpu));
    check_one_owner_a_tag(world, CpuId(cpu));
    check_slots_not_ahead(world, CpuId(cpu));
    check_in_mask(world, CpuId(cpu));
  }
}

}  // namespace tollgate::kernel::testing
