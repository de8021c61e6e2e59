// EverCached: every translation that one hardware thread has cached since the last flush that covered it: what a TLB of
// unlimited size would still hold. A missing flush shows here even where a small TLB happened to displace the entry;
// the idea is that of checking cached against uncached translations with the largest TLB one can afford
// (riscv/sail-riscv#498).
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include "hw/tlb_key.h"

namespace tollgate::hw {

class EverCached {
 public:
  /// The oldest translation for a key stays until a flush: it is the one that may have gone stale.
  void saw_fill(Vpn vpn, Tag tag, const Translation& translation) {
    const Mapping& mapping = translation.mapping;
    entries_[group_of(tag, mapping.global)].try_emplace(key_of(vpn, mapping.size, tag, mapping.global).bits(),
                                                        translation);
  }
  /// Visits what may still be cached for `vpn`, for use in this tag.
  template <typename Visitor>
  void for_each_at(Vpn vpn, Tag tag, Visitor visit) const {
    for (std::uint64_t global : {0, 1}) {
      const auto group = entries_.find(group_of(tag, global));
      if (group == entries_.end()) continue;
      for (int size = 0; size < kPageSizes; ++size) {
        const auto entry = group->second.find(key_of(vpn, static_cast<PageSize>(size), tag, global).bits());
        if (entry != group->second.end()) visit(entry->second);
      }
    }
  }

  void flush_tag(Tag tag) { entries_.erase(group_of(tag, 0)); }
  void flush_all() { entries_.clear(); }
  /// Groups of guests whose tag `matches`.
  template <typename Matches>
  void flush_guests(Matches matches) {
    erase_if(entries_, [&](const auto& group) {
      const Tag tag{group.first & kTagMask};
      return is_guest(tag) && matches(tag);
    });
  }
  void flush_host() {
    erase_if(entries_, [](const auto& group) { return !is_guest(Tag{group.first & kTagMask}); });
  }
  void flush_all_nonglobal() {
    erase_if(entries_, [](const auto& group) { return (group.first >> kGlobalShift) == 0; });
  }
  enum class Whose : std::uint8_t { own, global };
  void flush_address(Vpn vpn, Tag tag, Whose whose) {
    const std::uint64_t global = whose == Whose::global;
    const auto group = entries_.find(group_of(tag, global));
    if (group == entries_.end()) return;
    for (int size = 0; size < kPageSizes; ++size)
      group->second.erase(key_of(vpn, static_cast<PageSize>(size), tag, global).bits());
  }

 private:
  static constexpr int kGlobalShift = kThreadShift + 1;
  static constexpr std::uint32_t kTagMask = (1u << kGlobalShift) - 1;
  static TlbKey key_of(Vpn vpn, PageSize size, Tag tag, std::uint64_t global) {
    return global ? TlbKey::global(vpn, size, tag) : TlbKey::tagged(vpn, size, tag);
  }
  static std::uint32_t group_of(Tag tag, std::uint64_t global) {
    return global ? tag.shared | 1u << kGlobalShift : tag.value;
  }

  // By tag, so that a flush of one costs what it drops; the global ones are a group of their own.
  boost::unordered_flat_map<std::uint32_t, boost::unordered_flat_map<std::uint64_t, Translation>> entries_;
};

}  // namespace tollgate::hw
