// The invalidating events of an Mmu. Each removes exactly what the manual says software may rely on being removed.
#include "base/check.h"
#include "hw/mmu.h"

namespace tollgate::hw {
void Mmu::drop_structure_entries(std::uint32_t pcid) {
  const Tag tag = tag_for(pcid);
  for (auto& cache : structures_)
    if (cache) cache->remove_if([&](TlbKey key) { return key.tag() == tag; });
}

void Mmu::drop_all_structure_entries() {
  for (auto& cache : structures_)
    if (cache) cache->remove_if([](TlbKey) { return true; });
}

void Mmu::write_cr3(const PageTableRoot& root, std::uint32_t pcid, NoFlush no_flush, evidence::FlushCause cause) {
  CHECK(pcid_enabled_ || pcid == 0, "with PCIDs off the PCID is 0");
  CHECK(root.identity() != kGlobalIdentity && root.identity() <= kMaxSpace, "roots are named from 1 to 2^22 - 1");
  root_ = &root;
  tag_ = tag_for(pcid);
  if (!pcid_enabled_)
    invpcid_all_nonglobal(cause);
  else if (no_flush == NoFlush::clear)
    invpcid_single(pcid, cause);
}

// A page fault drops what it could have come from, so that a stale entry cannot make it recur; the page-table edit that
// follows a fault is the CPU's own, and the refill is charged to it.
void Mmu::page_fault(Vpn vpn) { broadcast_address(pcid(), vpn, Globals::drop, evidence::FlushCause::local_shootdown); }

void Mmu::invlpg(Vpn vpn, evidence::FlushCause cause) {
  broadcast_address(pcid(), vpn, Globals::drop, cause);
  drop_structure_entries(pcid());
}

void Mmu::invpcid_address(std::uint32_t pcid, Vpn vpn, evidence::FlushCause cause) {
  broadcast_address(pcid, vpn, Globals::keep, cause);
}

void Mmu::broadcast_address(std::uint32_t pcid, Vpn vpn, Globals globals, evidence::FlushCause cause) {
  const Tag tag = tag_for(pcid);
  const auto removed = [&](const TlbArray::Entry& entry) { core_.classifier_.saw_removal(entry, cause); };
  core_.tlb_.remove_address(vpn, [&](PageSize size) { return TlbKey::tagged(vpn, size, tag); }, removed);
  if (ever_cached_) ever_cached_->flush_address(vpn, tag, EverCached::Whose::own);
  if (ever_cached_ && globals == Globals::drop) ever_cached_->flush_address(vpn, tag, EverCached::Whose::global);
  if (globals == Globals::drop)
    core_.tlb_.remove_address(vpn, [&](PageSize size) { return TlbKey::global(vpn, size, tag); }, removed);
  for (int level = 1; level <= kUpperLevels; ++level)
    if (auto& cache = structures_[std::size_t(level - 1)])
      cache->remove_key(TlbKey::tagged(vpn, static_cast<PageSize>(level), tag));
}

void Mmu::invpcid_single(std::uint32_t pcid, evidence::FlushCause cause) {
  const Tag tag = tag_for(pcid);
  core_.tlb_.remove_tagged([&](TlbKey key) { return key.tag() == tag; },
                           [&](const TlbArray::Entry& entry) { core_.classifier_.saw_removal(entry, cause); });
  if (ever_cached_) ever_cached_->flush_tag(tag);
  drop_structure_entries(pcid);
}

void Mmu::invpcid_all(evidence::FlushCause cause) {
  core_.tlb_.remove_any([&](const TlbArray::Entry& entry) { return thread_of(entry.key.tag()) == thread_; },
                        [&](const TlbArray::Entry& entry) { core_.classifier_.saw_removal(entry, cause); });
  if (ever_cached_) ever_cached_->flush_all();
  drop_all_structure_entries();
}

void Mmu::invpcid_all_nonglobal(evidence::FlushCause cause) {
  core_.tlb_.remove_tagged([&](TlbKey key) { return thread_of(key.tag()) == thread_; },
                           [&](const TlbArray::Entry& entry) { core_.classifier_.saw_removal(entry, cause); });
  if (ever_cached_) ever_cached_->flush_all_nonglobal();
  drop_all_structure_entries();
}

}  // namespace tollgate::hw
