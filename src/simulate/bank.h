// Bank: the TLB arrays of one level, of both sides and all page sizes. What a page of some size is kept in, and as what,
// is hw/tlb_layout.h's to say.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "hw/tlb_layout.h"
#include "simulate/touch.h"

namespace tollgate::simulate {

/// Which bits of a word tag an entry: all, or all but the address space where entries are global or the CPU has no tags.
struct Keep {
  PageWord user = ~PageWord{0};
  PageWord kernel = ~PageWord{0};
};

class Bank {
 public:
  Bank(const hw::TlbLayout& layout, int level, Keep keep, Instructions instructions);

  /// As Touch.
  std::size_t touch(const Batch& batch, std::span<const std::uint16_t> which, std::uint16_t* missed) {
    return touch_ != nullptr ? touch_(sets_, batch, which, missed) : touch_by_policy(batch, which, missed);
  }
  /// Removes every entry the word of whose page `goes`, telling `removed(word of its page, side of the array)` about
  /// each; the address space is missing from the word where the key has none.
  template <typename Goes, typename Removed>
  void remove_if(Goes goes, Removed removed);
  /// Removes the entries that translate the page of `word`, with all its pieces.
  template <typename Removed>
  void remove_page(PageWord word, Removed removed);
  bool empty() const { return arrays_.empty(); }
  /// Takes over the entries of `other`, a bank of the same layout, each key changed by `rename(key)`.
  template <typename Rename>
  void copy_entries(const Bank& other, Rename rename);

  struct Array {
    std::uint64_t offset = 0;  // of its first set, in keys
    std::uint64_t sets = 1;
    int ways = 1;
    hw::Replacement replacement = hw::Replacement::lru;
    hw::Side side = hw::Side::both;
    std::array<int, hw::kPageSizes> shifts{};  // in what a page of each size is held
  };
  const std::vector<Array>& arrays() const { return arrays_; }
  const Sets& sets() const { return sets_; }

 private:
  struct AlignedDelete {
    void operator()(PageWord* keys) const { ::operator delete[](keys, std::align_val_t{64}); }
  };

  void add_arrays(const hw::TlbLayout& layout, int level);
  void allocate();
  std::size_t touch_by_policy(const Batch& batch, std::span<const std::uint16_t> which, std::uint16_t* missed);
  bool touch_one(const Array& array, std::uint64_t first, PageWord key);
  int victim(const Array& array, std::uint64_t first);
  void close_gaps(const Array& array, PageWord* set) const;
  /// The word of the page whose key, or a piece's key, is held in an array.
  PageWord word_of(std::size_t array, PageWord key) const {
    const int own = hw::pages_shift(simulate::size_of(key));
    const PageWord first = (key & kPageMask) << arrays_[array].shifts[std::size_t(simulate::size_of(key))];
    return (key & ~kPageMask) | (first >> own << own);
  }
  template <typename Goes, typename Removed>
  void remove_in_set(std::size_t array, PageWord* set, Goes goes, Removed removed);

  std::unique_ptr<PageWord[], AlignedDelete> keys_;
  std::size_t key_count_ = 0;
  Sets sets_;
  std::vector<Array> arrays_;
  std::array<int, kRoutes> route_arrays_{};  // -1: none
  std::vector<std::uint64_t> trees_;         // plru: one word of tree bits a set, by set of the whole bank
  Touch touch_ = nullptr;                    // nullptr: not all arrays are LRU with at most 64 ways
  RandomStream random_{0x73696d756c617465};
};

template <typename Goes, typename Removed>
void Bank::remove_in_set(std::size_t array, PageWord* set, Goes goes, Removed removed) {
  bool any = false;
  for (int way = 0; way < arrays_[array].ways; ++way)
    if (set[way] != 0 && goes(set[way])) {
      removed(word_of(array, set[way]), arrays_[array].side);
      set[way] = 0;
      any = true;
    }
  if (any) close_gaps(arrays_[array], set);
}

template <typename Goes, typename Removed>
void Bank::remove_if(Goes goes, Removed removed) {
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    for (std::uint64_t set = 0; set < arrays_[i].sets; ++set)
      remove_in_set(
          i, keys_.get() + arrays_[i].offset + set * sets_.stride, [&](PageWord key) { return goes(word_of(i, key)); },
          removed);
}

template <typename Removed>
void Bank::remove_page(PageWord word, Removed removed) {
  const hw::PageSize size = simulate::size_of(word);
  for (std::size_t side = 0; side < 2; ++side) {
    const std::size_t index = side | std::size_t(size) << kSizeShift;
    if (route_arrays_[index] < 0) continue;
    const auto array = std::size_t(route_arrays_[index]);
    const Route& route = sets_.routes[index];
    const PageWord key = key_of(sets_, route, word);
    if (route.shift == hw::pages_shift(size)) {
      remove_in_set(
          array, keys_.get() + set_of(sets_, route, key), [&](PageWord other) { return other == key; }, removed);
      continue;
    }
    const int piece_shift = hw::pages_shift(size) - route.shift;
    const PageWord page_bits = kPageMask >> piece_shift << piece_shift;
    const PageWord compared = ~kPageMask | page_bits;
    for (std::uint64_t set = 0; set < arrays_[array].sets; ++set)
      remove_in_set(
          array, keys_.get() + arrays_[array].offset + set * sets_.stride,
          [&](PageWord other) { return ((other ^ key) & compared) == 0; }, removed);
  }
}

template <typename Rename>
void Bank::copy_entries(const Bank& other, Rename rename) {
  for (std::size_t i = 0; i < key_count_; ++i) keys_[i] = other.keys_[i] == 0 ? 0 : rename(other.keys_[i]);
  trees_ = other.trees_;
}

}  // namespace tollgate::simulate
