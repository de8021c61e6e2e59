// TlbKey: how a TLB entry is found, in one word that compares at once.
#pragma once

#include <cstdint>

#include "hw/translation.h"

namespace tollgate::hw {

/// Page (in units of its own size), size, tag, global bit. Zero is "no entry".
class TlbKey {
 public:
  constexpr TlbKey() = default;
  constexpr TlbKey(Vpn vpn, PageSize size, Tag tag, std::uint64_t global)
      : bits_((vpn >> pages_shift(size)) | std::uint64_t(size) << 37 | std::uint64_t(tag.value) << 39 | global << 62 |
              std::uint64_t{1} << 63) {}
  static constexpr TlbKey tagged(Vpn vpn, PageSize size, Tag tag) { return TlbKey(vpn, size, tag, 0); }
  /// Global entries match any PCID of the thread that filled them; a guest's, any ASID of its VMID.
  static constexpr TlbKey global(Vpn vpn, PageSize size, Tag tag) { return TlbKey(vpn, size, Tag{tag.shared}, 1); }
  /// The key under which a translation is found: at its own size, or at 4K for a piece of a large page.
  static constexpr TlbKey of(const Mapping& mapping, Vpn vpn, PageSize size, Tag tag) {
    return mapping.global ? global(vpn, size, tag) : tagged(vpn, size, tag);
  }

  constexpr bool valid() const { return bits_ != 0; }
  constexpr bool is_global() const { return bits_ >> 62 & 1; }
  constexpr Tag tag() const { return Tag{static_cast<std::uint32_t>(bits_ >> 39 & 0x7fffff)}; }
  constexpr PageSize size() const { return static_cast<PageSize>(bits_ >> 37 & 3); }
  constexpr std::uint64_t page() const { return bits_ & kVpnMask; }
  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool operator==(const TlbKey&) const = default;

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace tollgate::hw
