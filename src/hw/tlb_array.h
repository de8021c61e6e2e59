// TlbArray: one set-associative array of tagged entries, with its replacement. It knows keys and sets, not what a flush
// means: flushes are rules given from outside (see tlb_hierarchy.h). Also serves as paging-structure cache.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/random.h"
#include "hw/translation.h"

namespace tollgate::hw {

/// How an entry is found: page (in units of its own size), size, tag, global bit. Zero is "no entry".
class TlbKey {
 public:
  constexpr TlbKey() = default;
  constexpr TlbKey(Vpn vpn, PageSize size, Tag tag, std::uint64_t global)
      : bits_((vpn >> pages_shift(size)) | std::uint64_t(size) << 37 | std::uint64_t(tag.value) << 39 | global << 62 |
              std::uint64_t{1} << 63) {}
  static constexpr TlbKey tagged(Vpn vpn, PageSize size, Tag tag) { return TlbKey(vpn, size, tag, 0); }
  /// Global entries match any PCID of the thread that filled them.
  static constexpr TlbKey global(Vpn vpn, PageSize size, Tag tag) {
    return TlbKey(vpn, size, make_tag(0, thread_of(tag)), 1);
  }

  constexpr bool valid() const { return bits_ != 0; }
  constexpr bool is_global() const { return bits_ >> 62 & 1; }
  constexpr Tag tag() const { return Tag{static_cast<std::uint32_t>(bits_ >> 39 & 0x7fffff)}; }
  constexpr PageSize size() const { return static_cast<PageSize>(bits_ >> 37 & 3); }
  constexpr std::uint64_t page() const { return bits_ & kVpnMask; }
  constexpr Vpn first_vpn() const { return page() << pages_shift(size()); }
  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool operator==(const TlbKey&) const = default;

 private:
  std::uint64_t bits_ = 0;
};

/// The miss classifier's number for a page of one address space or of all: what a flush of its entry is noted under.
using PageHandle = Id<struct PageHandleTag>;

class TlbArray {
 public:
  struct Entry {
    TlbKey key;
    Translation translation;
    PageHandle page{};  // the miss classifier's name for the page
  };

  TlbArray(int sets, int ways, Replacement replacement);

  /// The entry with the first key, else the one with the second, without touching replacement state. nullptr: not here.
  const Entry* peek(TlbKey first, TlbKey second) const;
  /// The same, and the entry becomes the most recently used.
  Entry* access(TlbKey first, TlbKey second);
  /// Puts the entry in, displacing a victim if its set is full; an entry with the same key is overwritten in place.
  void insert(const Entry& entry);
  /// Removes every non-global entry whose key `matches`, telling `removed` about each. Costs the live entries only.
  template <typename Matches, typename Removed>
  void remove_tagged(Matches matches, Removed removed) {
    std::size_t kept = 0;
    for (std::uint32_t at : tagged_) {
      const TlbKey key = keys_[at];
      const bool goes = key.valid() && !key.is_global() && matches(key);
      if (goes) take(at, removed);
      if (!goes && key.valid() && !key.is_global())
        tagged_[kept++] = at;
      else
        listed_[at] = false;
    }
    tagged_.resize(kept);
  }
  /// Removes every entry that `matches`, global ones too.
  template <typename Matches, typename Removed>
  void remove_any(Matches matches, Removed removed) {
    if (live_ == 0) return;
    for (std::size_t at = 0; at < keys_.size(); ++at)
      if (keys_[at].valid() && matches(std::as_const(entries_[at]))) take(at, removed);
  }
  /// Removes the entry with exactly this key, if it is here.
  template <typename Removed>
  void remove_key(TlbKey key, Removed removed) {
    const std::ptrdiff_t at = find(key, key);
    if (at >= 0) take(std::size_t(at), removed);
  }
  template <typename Visitor>
  void for_each(Visitor visit) const {
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (keys_[i].valid()) visit(entries_[i]);
  }

  std::size_t live() const { return live_; }
  int sets() const { return sets_; }
  int ways() const { return ways_; }

 private:
  std::size_t set_base(TlbKey key) const;
  std::ptrdiff_t find(TlbKey first, TlbKey second) const;
  std::size_t victim(std::size_t base);
  std::size_t oldest(std::size_t base) const;
  std::size_t tree_victim(std::size_t base) const;
  void touch(std::size_t index);
  void touch_tree(std::size_t index);
  template <typename Removed>
  void take(std::size_t index, Removed removed) {
    removed(std::as_const(entries_[index]));
    keys_[index] = TlbKey();
    --live_;
  }

  int sets_;
  int ways_;
  Replacement replacement_;
  std::uint64_t set_mask_;  // sets - 1 where sets is a power of two, else 0
  std::size_t live_ = 0;
  std::uint64_t clock_ = 0;
  RandomStream random_{0x746c62};
  std::vector<TlbKey> keys_;          // scanned on every look-up, so kept apart from the entries
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> tagged_; // where non-global entries are: a superset, each place once
  std::vector<bool> listed_;          // by place: in tagged_
  std::vector<std::uint64_t> stamps_; // lru: last use; fifo: fill
  std::vector<std::uint64_t> trees_;  // plru: one word of tree bits a set
};

}  // namespace tollgate::hw
