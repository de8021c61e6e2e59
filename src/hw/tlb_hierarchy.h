// TlbHierarchy: the TLB arrays of one core, first and second level, instruction and data side, as the machine file
// says. Models what SDM vol. 3 "Caching Translation Information" lets software see: look-up, fill, and invalidation by
// rules. Hardware threads of a core share the arrays that are not per_thread; tags keep their entries apart.
#pragma once

#include <vector>

#include "hw/tlb_array.h"
#include "hw/tlb_layout.h"

namespace tollgate::hw {

/// Where a look-up ended. level 0: in no array. Where several entries translate one page, the order is: level, array in
/// the machine file, small sizes first, the PCID's own before a global one.
struct TlbHit {
  int level = 0;
  const TlbArray::Entry* entry = nullptr;
};

class TlbHierarchy {
 public:
  /// `layout` must outlive this.
  explicit TlbHierarchy(const TlbLayout& layout);

  /// A first-level entry; array -1: nowhere.
  struct FirstLevel {
    int array = -1;
    Place place = kNowhere;
  };
  struct Found {
    TlbHit hit;
    FirstLevel now;  // where the page is in the first level after the look-up
  };
  /// Looks `vpn` up for a thread in `tag`; updates replacement state, and copies a second-level hit into the first
  /// level.
  Found access(Side side, Vpn vpn, Tag tag);
  /// The same answer, without changing anything.
  TlbHit peek(Side side, Vpn vpn, Tag tag) const;
  /// Installs a walk's result for `vpn` at both levels.
  FirstLevel fill(Side side, Vpn vpn, Tag tag, const Translation& translation, PageHandle page);

  /// Removes the non-global entries whose key `matches`, at every level, telling `removed` about each.
  template <typename Matches, typename Removed>
  void remove_tagged(Matches matches, Removed removed) {
    for (auto& array : arrays_) array.remove_tagged(matches, removed);
  }
  /// Removes the entries that `matches`, global ones too.
  template <typename Matches, typename Removed>
  void remove_any(Matches matches, Removed removed) {
    for (auto& array : arrays_) array.remove_any(matches, removed);
  }
  /// Removes what translates `vpn` under the key that `key_at(size)` gives for each page size, and all pieces of its
  /// page.
  template <typename KeyAt, typename Removed>
  void remove_address(Vpn vpn, KeyAt key_at, Removed removed) {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      for (PageSize size : {PageSize::k4K, PageSize::k2M, PageSize::k1G})
        if (layout_.arrays()[i].may_hold(size)) arrays_[i].remove_key(key_at(size), removed);
      if (has_pieces_[i]) remove_pieces(arrays_[i], vpn, key_at(PageSize::k4K), removed);
    }
  }
  template <typename Visitor>
  void for_each(Visitor visit) const {
    for (const auto& array : arrays_) array.for_each(visit);
  }

  /// The arrays in the order of the machine file, those private to a thread once for each thread.
  std::size_t arrays() const { return arrays_.size(); }
  const TlbArray& array(std::size_t index) const { return arrays_[index]; }
  TlbArray& array(std::size_t index) { return arrays_[index]; }

 private:
  template <typename Removed>
  static void remove_pieces(TlbArray& array, Vpn vpn, TlbKey like, Removed removed) {
    array.remove_any(
        [&](const TlbArray::Entry& entry) {
          return entry.translation.mapping.covers(vpn) && entry.key.tag() == like.tag() &&
                 entry.key.is_global() == like.is_global();
        },
        removed);
  }
  FirstLevel insert(Side side, int level, Vpn vpn, Tag tag, const Translation& translation, PageHandle page);

  const TlbLayout& layout_;
  std::vector<TlbArray> arrays_;
  std::vector<std::uint8_t> has_pieces_;  // by array: has ever held a 4K piece of a large page
};

}  // namespace tollgate::hw
