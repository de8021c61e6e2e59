// KeyArray: which keys a set-associative array holds, and which of them goes when a set is full. A TLB array hangs its
// entries on it; a paging-structure cache, the page-table lines and the shadow TLB need nothing more.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "hw/tlb_key.h"

namespace tollgate::hw {

/// Where a key is: set x ways + way.
using Place = std::uint32_t;
inline constexpr Place kNowhere = ~Place{0};

class KeyArray {
 public:
  KeyArray(int sets, int ways, Replacement replacement);

  TlbKey at(Place place) const { return keys_[place]; }
  Place find(TlbKey key) const {
    const std::size_t base = set_base(key);
    for (std::size_t way = base; way < base + ways_; ++way)
      if (keys_[way] == key) return Place(way);
    return kNowhere;
  }
  /// The first key if it is here, else the second. Both are of one page and size.
  Place find_either(TlbKey first, TlbKey second) const {
    const std::size_t base = set_base(first);
    Place other = kNowhere;
    for (std::size_t way = base; way < base + ways_; ++way) {
      if (keys_[way] == first) return Place(way);
      if (keys_[way] == second) other = Place(way);
    }
    return other;
  }
  /// The key here was used: it becomes the most recent one of its set.
  void used(Place place) {
    if (replacement_ == Replacement::lru) [[likely]]
      stamps_[place] = ++clock_;
    else if (replacement_ == Replacement::plru)
      touch_tree(place);
  }
  /// Puts the key in, displacing a victim if its set is full; a key that is here already is used.
  Place insert(TlbKey key);
  void remove(Place place) {
    --live_[static_cast<std::size_t>(keys_[place].size())];
    --live_count_;
    keys_[place] = TlbKey();
  }

  /// Removes the key, if it is here.
  void remove_key(TlbKey key) {
    const Place place = find(key);
    if (place != kNowhere) remove(place);
  }
  template <typename Matches>
  void remove_if(Matches matches) {
    for (Place place = 0; live_count_ > 0 && place < keys_.size(); ++place)
      if (keys_[place].valid() && matches(keys_[place])) remove(place);
  }

  std::size_t places() const { return keys_.size(); }
  std::size_t live() const { return live_count_; }
  bool holds_any(PageSize size) const { return live_[static_cast<std::size_t>(size)] != 0; }

 private:
  std::size_t set_base(TlbKey key) const {
    const std::uint64_t page = key.page();
    return std::size_t(by_mask_ ? page & set_mask_ : page % sets_) * ways_;
  }
  Place victim(std::size_t base);
  std::size_t oldest(std::size_t base) const;
  std::size_t tree_victim(std::size_t base) const;
  void touch_tree(Place place);

  std::vector<TlbKey> keys_;
  std::size_t ways_;
  std::uint64_t sets_;
  std::uint64_t set_mask_;  // where sets is a power of two
  bool by_mask_;
  Replacement replacement_;
  std::uint64_t clock_ = 0;
  std::vector<std::uint64_t> stamps_;  // lru: last use; fifo: fill
  std::vector<std::uint64_t> trees_;   // plru: one word of tree bits a set
  std::size_t live_count_ = 0;
  std::array<std::uint32_t, 4> live_{};  // by size; the fourth "size" is the upper level of a paging-structure cache
  RandomStream random_{0x746c62};
};

}  // namespace tollgate::hw
