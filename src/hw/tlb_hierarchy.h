// TlbHierarchy: the TLB arrays of one core, first and second level, instruction and data side, as the machine file says.
// Models what SDM vol. 3 "Caching Translation Information" lets software see: look-up, fill, and invalidation by rules.
// Hardware threads of a core share the arrays that are not per_thread; tags keep their entries apart.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "hw/tlb_array.h"

namespace tollgate::hw {

/// Where a look-up ended. level 0: in no array. Where several entries translate one page, the order is: level, array in
/// the machine file, small sizes first, the PCID's own before a global one.
struct TlbHit {
  int level = 0;
  const TlbArray::Entry* entry = nullptr;
};

class TlbHierarchy {
 public:
  /// `fractured_instruction_side`: large pages enter the instruction side's first level as 4K pieces.
  TlbHierarchy(const DrawnMachine& machine, bool fractured_instruction_side);

  /// Looks `vpn` up for a thread in `tag`; updates replacement state, and copies a second-level hit into the first level.
  TlbHit access(Side side, Vpn vpn, Tag tag);
  /// The same answer, without changing anything.
  TlbHit peek(Side side, Vpn vpn, Tag tag) const;
  /// Installs a walk's result for `vpn` at both levels.
  void fill(Side side, Vpn vpn, Tag tag, const Translation& translation, PageHandle page);

  /// The level that holds this very translation, at its own page size or as a piece of it; 0: none.
  int level_of(Side side, Vpn vpn, Tag tag, const Mapping& mapping) const;
  /// The same, as a reference: updates replacement state, and copies a second-level hit into the first level.
  int access_as(Side side, Vpn vpn, Tag tag, const Translation& translation);

  /// Removes the non-global entries whose key `matches`, at every level, telling `removed` about each.
  template <typename Matches, typename Removed>
  void remove_tagged(Matches matches, Removed removed) {
    for (auto& slot : arrays_) slot.array.remove_tagged(matches, removed);
  }
  /// Removes the entries that `matches`, global ones too.
  template <typename Matches, typename Removed>
  void remove_any(Matches matches, Removed removed) {
    for (auto& slot : arrays_) slot.array.remove_any(matches, removed);
  }
  /// Removes what translates `vpn` under the key that `key_at(size)` gives for each page size, and all pieces of its page.
  template <typename KeyAt, typename Removed>
  void remove_address(Vpn vpn, KeyAt key_at, Removed removed) {
    for (auto& slot : arrays_) {
      for (int size = 0; size < kPageSizes; ++size)
        if (slot.holds[std::size_t(size)]) slot.array.remove_key(key_at(static_cast<PageSize>(size)), removed);
      if (slot.has_pieces) remove_pieces(slot, vpn, key_at(PageSize::k4K), removed);
    }
  }
  template <typename Visitor>
  void for_each(Visitor visit) const {
    for (const auto& slot : arrays_) slot.array.for_each(visit);
  }
  /// The arrays in the order of the machine file, those private to a thread once for each thread.
  std::size_t arrays() const { return arrays_.size(); }
  const TlbArray& array(std::size_t index) const { return arrays_[index].array; }

 private:
  struct Slot {
    std::array<bool, kPageSizes> holds;
    Side side;
    int level;
    int thread;  // -1: shared by the core's threads
    bool has_pieces;  // has ever held a 4K piece of a large page
    TlbArray array;
  };
  static constexpr int kMaxThreads = 2;
  /// Indices into arrays_ for one side, level and thread.
  using Route = std::vector<std::uint8_t>;

  template <typename Removed>
  static void remove_pieces(Slot& slot, Vpn vpn, TlbKey like, Removed removed) {
    slot.array.remove_any(
        [&](const TlbArray::Entry& entry) {
          return entry.translation.mapping.covers(vpn) && entry.key.tag() == like.tag() &&
                 entry.key.is_global() == like.is_global();
        },
        removed);
  }

  const Route& route(Side side, int level, Tag tag) const {
    return routes_[std::size_t(side)][std::size_t(level - 1)][thread_of(tag)];
  }
  struct Home {
    int array = -1;  // -1: nowhere
    PageSize held_as = PageSize::k4K;
  };
  /// Where a page of this size lives at a level.
  Home home(Side side, int level, Tag tag, PageSize size) const;
  void insert(Side side, int level, Vpn vpn, Tag tag, const TlbArray::Entry& entry);

  bool fractured_instruction_side_;
  std::vector<Slot> arrays_;
  Route routes_[2][2][kMaxThreads];
};

}  // namespace tollgate::hw
