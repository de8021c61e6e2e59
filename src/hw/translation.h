// Translation: what a page-table entry says and a TLB entry holds, and the names of what it belongs to.
#pragma once

#include <cstdint>

#include "evidence/exposure.h"
#include "hw/machine.h"

namespace tollgate::hw {

/// A virtual page number in 4K units, the low 37 bits of address >> 12 (48-bit addresses and the half they lie in).
using Vpn = std::uint64_t;
inline constexpr Vpn kVpnMask = (Vpn{1} << 37) - 1;
constexpr Vpn vpn_of(std::uint64_t address) { return (address >> 12) & kVpnMask; }
/// The kernel half: the addresses with their top bit set.
inline constexpr Vpn kKernelHalf = Vpn{1} << 36;

/// What tags a translation: a space (the PCID or ASID in use, or a guest's VMID and ASID by their number in guest_tags.h),
/// and above it the hardware thread. 23 bits.
struct Tag {
  std::uint32_t value = 0;
  std::uint32_t shared = 0;  // tags the global translations that may be used beside this tag's own
  constexpr bool operator==(const Tag& other) const { return value == other.value; }
};
inline constexpr int kThreadShift = 22;
inline constexpr std::uint32_t kMaxSpace = (1u << kThreadShift) - 1;
/// Spaces from here on are guests'.
inline constexpr std::uint32_t kFirstGuestSpace = 1u << (kThreadShift - 1);
constexpr Tag make_tag(std::uint32_t space, std::uint32_t thread, std::uint32_t shared_space = 0) {
  return Tag{space | thread << kThreadShift, shared_space | thread << kThreadShift};
}
constexpr bool is_guest(Tag tag) { return (tag.value & kFirstGuestSpace) != 0; }
constexpr std::uint32_t thread_of(Tag tag) { return tag.value >> kThreadShift; }

/// A leaf page-table entry. `first` is the page's first 4K page; `version` changes whenever the entry is written.
struct Mapping {
  Vpn first = 0;
  PageSize size = PageSize::k4K;
  bool writable = false;
  bool global = false;
  evidence::MemoryKind kind = evidence::MemoryKind::own;
  std::uint32_t version = 0;
  std::uint64_t frame = 0;  // in 4K units

  Vpn pages() const { return Vpn{1} << pages_shift(size); }
  bool covers(Vpn vpn) const { return vpn - first < pages(); }
};

/// The name of an address space's view for ourselves, never seen by hardware: who the translation belongs to.
using Identity = std::uint32_t;
inline constexpr Identity kGlobalIdentity = 0;

struct Translation {
  Mapping mapping;
  Identity identity = kGlobalIdentity;  // the space and view it was filled from; kGlobalIdentity when global
};

enum class NoFlush : std::uint8_t { clear, set };  // bit 63 of a CR3 write

/// The page tables that a root reaches, as the walker sees them.
class PageTableRoot {
 public:
  virtual ~PageTableRoot() = default;
  /// The leaf entry for `vpn`, or nullptr where nothing is present.
  virtual const Mapping* find(Vpn vpn) const = 0;
  /// Names this root: two roots that may differ have different identities. Below 2^22, and never kGlobalIdentity.
  virtual Identity identity() const = 0;
  /// The same of its global translations: those of the host are everybody's, those of a guest its own.
  virtual Identity global_identity() const { return kGlobalIdentity; }
  /// Names the tables below the root that serve `vpn`: kernel tables are shared by all roots, user tables by an mm's
  /// two views. Below 2^22.
  virtual std::uint32_t table_identity(Vpn vpn) const = 0;
};

/// A guest's page tables: what they yield is an intermediate address (a mapping's frame), which a second stage translates.
/// The tables of the first stage lie at intermediate addresses themselves.
class TwoStageRoot : public PageTableRoot {
 public:
  /// The intermediate page that holds the table in which the entry for `vpn` at `level` stands (0 PTE .. 3 the root).
  virtual Vpn table_frame(Vpn vpn, int level) const = 0;
  /// Names the tables of the second stage. Below 2^22.
  virtual std::uint32_t stage2_identity() const = 0;
  /// How large the host's mappings behind the guest's memory are.
  virtual PageSize stage2_size() const = 0;
};

}  // namespace tollgate::hw
