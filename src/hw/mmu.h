// Mmu: the translation state of one hardware thread and the exact effect of every event that changes it (Intel SDM vol.
// 3 "Invalidation of TLBs and Paging-Structure Caches"; AMD APM vol. 2 for INVLPGB; for guests, whose translations take two
// stages, the Arm ARM's D8 "Translation Lookaside Buffers" and "TLB maintenance"). Core: what the threads of a core share.
//
// Nothing here has a price: an access reports what happened, and the world that executes it prices that.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "hw/ever_cached.h"
#include "hw/guest_tags.h"
#include "hw/miss_classifier.h"
#include "hw/tlb_hierarchy.h"

namespace tollgate::hw {

enum class Reference : std::uint8_t { fetch, read, write };

enum class Outcome : std::uint8_t {
  l1_hit,
  stlb_hit,
  walk,             // the page was mapped; the entry is now in the TLB
  not_present,      // the walk found nothing: page fault
  write_protected,  // a write to a page mapped read-only: page fault
};

struct Access {
  Outcome outcome = Outcome::l1_hit;
  MissCause cause{};              // of a walk
  std::uint8_t fetches_near = 0;  // page-table fetches of the walk, served near or far
  std::uint8_t fetches_far = 0;
  const Translation* translation = nullptr;  // what was used, or found not to allow it; valid until the next access
};

/// Shared by the hardware threads of one core.
class Core {
 public:
  explicit Core(const DrawnMachine& machine);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  const TlbHierarchy& tlb() const { return tlb_; }

 private:
  friend class Mmu;
  TlbLayout layout_;
  TlbHierarchy tlb_;
  MissClassifier classifier_;
  KeyArray table_lines_;  // page-table cache lines in the core's own caches
};

class Mmu {
 public:
  /// `core` must outlive this. `pcid_enabled` is CR4.PCIDE.
  Mmu(const DrawnMachine& machine, Core& core, std::uint32_t thread, bool pcid_enabled);

  Access access(Reference reference, Vpn vpn) {
    const Shortcut& known = shortcut(reference == Reference::fetch, vpn);
    if (known.page == page_here(vpn) && known.array->holds(known.place, known.key) &&
        known.shadow->at(known.shadow_place) == known.shadow_key) [[likely]] {
      const Translation& translation = known.array->at(known.place).translation;
      if (reference != Reference::write || translation.mapping.writable) [[likely]] {
        known.array->used(known.place);
        known.shadow->used(known.shadow_place);
        return {Outcome::l1_hit, {}, 0, 0, &translation};
      }
    }
    return look_up(reference, vpn);
  }
  /// Where a reference would hit now (level 0: nowhere), without changing anything.
  TlbHit peek(Reference reference, Vpn vpn) const;

  /// MOV to CR3. With PCIDs off `pcid` must be 0 and `no_flush` is ignored.
  void write_cr3(const PageTableRoot& root, std::uint32_t pcid, NoFlush no_flush, evidence::FlushCause cause);
  /// INVLPG: the address in the current PCID, and global entries for it; all paging-structure entries of the PCID.
  void invlpg(Vpn vpn, evidence::FlushCause cause);
  /// INVPCID types 0 to 3.
  void invpcid_address(std::uint32_t pcid, Vpn vpn, evidence::FlushCause cause);
  void invpcid_single(std::uint32_t pcid, evidence::FlushCause cause);
  void invpcid_all(evidence::FlushCause cause);
  void invpcid_all_nonglobal(evidence::FlushCause cause);
  /// Two writes of CR4 that clear and set PGE: everything, globals too, all PCIDs.
  void toggle_pge(evidence::FlushCause cause) { invpcid_all(cause); }
  /// This thread's part of an INVLPGB by PCID and address: like invpcid_address, and global entries when `globals`.
  enum class Globals : std::uint8_t { keep, drop };
  void broadcast_address(std::uint32_t pcid, Vpn vpn, Globals globals, evidence::FlushCause cause);

  /// Entering a guest: translations are those of `root` under this VMID and ASID, and walks take two stages. The host's come
  /// back with leave_guest. The host (VHE) keeps translations of its own apart from all guests'.
  void enter_guest(const TwoStageRoot& root, std::uint32_t vmid, Asid asid);
  void leave_guest();
  bool in_guest() const { return guest_ != nullptr && guest_->root != nullptr; }
  /// This thread's part of TLBI ALLE1IS: everything of every guest.
  void tlbi_guests(evidence::FlushCause cause);
  /// VMALLS12E1IS: everything of one VMID, both stages.
  void tlbi_vmid(std::uint32_t vmid, evidence::FlushCause cause);
  /// ASIDE1IS: one ASID of one VMID, without the translations that all its ASIDs share.
  void tlbi_asid(std::uint32_t vmid, Asid asid, evidence::FlushCause cause);
  /// VAE1IS: one address in one ASID of one VMID, and the shared translation for it.
  void tlbi_address(std::uint32_t vmid, Asid asid, Vpn vpn, evidence::FlushCause cause);
  /// IPAS2E1IS: what the second stage caches for one intermediate page. Translations made through both stages stay until
  /// they are invalidated too.
  void tlbi_ipa(std::uint32_t vmid, Vpn ipa);
  /// VMALLE2 without broadcast: the host's own, guests' not.
  void tlbi_host(evidence::FlushCause cause);

  /// From now on, remembers what a TLB of unlimited size would hold.
  void record_everything_cached() { ever_cached_ = std::make_unique<EverCached>(); }
  /// Visits the translations for `vpn` that were cached since their last covering flush, wherever they are now; nothing
  /// unless they are recorded. Ask before the access: a page fault that a larger TLB would not have taken flushes them.
  template <typename Visitor>
  void for_each_ever_cached(Vpn vpn, Visitor visit) const {
    if (ever_cached_) ever_cached_->for_each_at(vpn, tag_, visit);
  }

  std::uint32_t pcid() const { return tag_.value & (kFirstGuestSpace - 1); }
  bool pcid_enabled() const { return pcid_enabled_; }
  const PageTableRoot* root() const { return root_; }
  /// Visits the entries that would hit in this thread's current address space: its PCID's and the global ones.
  template <typename Visitor>
  void for_each_usable(Visitor visit) const {
    core_.tlb_.for_each([&](const TlbArray::Entry& entry) {
      const bool usable = entry.key.tag() == (entry.key.is_global() ? Tag{tag_.shared} : tag_);
      if (usable) visit(entry);
    });
  }

 private:
  static constexpr int kUpperLevels = 3;  // PDE, PDPTE, PML4E caches

  static constexpr std::uint64_t kNoPage = ~std::uint64_t{0};
  /// Where a page was last found in the first level and in the shadow's. While both places hold the same keys, a
  /// look-up would find just that, so it is skipped. Only an entry put in for the same page could come before it in the
  /// order of look-ups; so every such insertion forgets the shortcut.
  struct Shortcut {
    std::uint64_t page = kNoPage;  // see page_here
    TlbKey key;
    TlbKey shadow_key;
    TlbArray* array = nullptr;
    KeyArray* shadow = nullptr;
    Place place = 0;
    Place shadow_place = 0;
  };
  static constexpr int kShortcutsLog2 = 7;
  using Shortcuts = std::array<Shortcut, 1 << kShortcutsLog2>;

  std::uint64_t page_here(Vpn vpn) const { return vpn | std::uint64_t(tag_.value) << 37; }
  Shortcut& shortcut(std::size_t side, Vpn vpn) {
    return shortcuts_[side][vpn * 0x9e3779b97f4a7c15 >> (64 - kShortcutsLog2)];
  }
  void forget_shortcuts(Vpn vpn, TlbHierarchy::FirstLevel inserted);
  void remember(Side side, Vpn vpn, TlbHierarchy::FirstLevel real, const ShadowTlb::FirstLevel& shadow);
  Access look_up(Reference reference, Vpn vpn);
  Access walk(Reference reference, Side side, Vpn vpn);
  void page_fault(Vpn vpn);
  void fetch_tables(Vpn vpn, int leaf_level, Access& access);
  void fetch_entry(TlbKey line, Access& access);
  void translate_intermediate(Vpn ipa, Access& access);
  void drop_second_stage(std::uint32_t vmid);
  template <typename Matches>
  void remove_guests(Matches matches, evidence::FlushCause cause);
  int deepest_cached_level(Vpn vpn, int leaf_level);
  void drop_structure_entries(std::uint32_t pcid);
  void drop_all_structure_entries();
  Tag tag_for(std::uint32_t pcid) const { return make_tag(pcid, thread_); }

  /// What the second stage needs; there from the first entry of a guest on.
  struct Guest {
    GuestTags tags;
    KeyArray intermediate;               // intermediate pages already translated
    std::optional<KeyArray> tables;      // upper-level entries of the second stage
    const TwoStageRoot* root = nullptr;  // of the guest that runs
    Tag vm = {};
    Tag host_tag = {};
    const PageTableRoot* host_root = nullptr;
  };

  Core& core_;
  std::uint32_t thread_;
  bool pcid_enabled_;
  Translation seen_;  // the translation of the last walk or write-protection fault
  Tag tag_;
  const PageTableRoot* root_ = nullptr;
  std::unique_ptr<EverCached> ever_cached_;
  std::unique_ptr<Guest> guest_;
  int intermediate_entries_, stage2_entries_;
  std::array<Shortcuts, 2> shortcuts_;               // data side, instruction side
  std::vector<std::optional<KeyArray>> structures_;  // by level: [0] PDE, [1] PDPTE, [2] PML4E; those the machine has
};

}  // namespace tollgate::hw
