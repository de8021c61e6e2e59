// WalkCaches: the paging-structure caches that a walk starts below: PDE, PDPTE and PML4E entries, each fully associative
// and LRU, tagged with the address space, as hw/mmu.h has them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "simulate/reference.h"

namespace tollgate::simulate {

/// A small fully associative LRU cache that is hit nearly always: a hint says where a key was, a hit costs one stamp.
class StampedCache {
 public:
  explicit StampedCache(std::size_t entries) : keys_(entries), stamps_(entries) {}

  /// Whether the key was here; it is now, and the most recent.
  bool touch(PageWord key) {
    if (keys_.empty()) return false;
    std::uint32_t& hint = hint_of(key);
    if (keys_[hint] == key) [[likely]] {
      stamps_[hint] = ++clock_;
      return true;
    }
    return search(key, hint);
  }
  /// Touches the keys up to the first that its hint does not find, which is left alone, and returns how many they were.
  template <typename KeyOf>
  std::size_t touch_hinted(std::span<const std::uint16_t> which, KeyOf key_of) {
    if (keys_.empty()) return 0;
    const PageWord* const keys = keys_.data();
    std::uint64_t* const stamps = stamps_.data();
    const std::uint64_t clock = clock_;
    std::size_t count = 0;
    for (; count < which.size(); ++count) {
      const PageWord key = key_of(which[count]);
      const std::uint32_t hint = hint_of(key);
      if (keys[hint] != key) break;
      stamps[hint] = clock + count + 1;
    }
    clock_ = clock + count;
    return count;
  }
  template <typename Goes>
  void remove_if(Goes goes) {
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (keys_[i] != 0 && goes(keys_[i])) keys_[i] = stamps_[i] = 0;
  }

 private:
  static constexpr int kHintsLog2 = 8;
  std::uint32_t& hint_of(PageWord key) { return hints_[key * 0x9e3779b97f4a7c15 >> (64 - kHintsLog2)]; }
  bool search(PageWord key, std::uint32_t& hint);

  std::vector<PageWord> keys_;         // 0: free
  std::vector<std::uint64_t> stamps_;  // last use; 0 where free
  std::array<std::uint32_t, 1 << kHintsLog2> hints_{};
  std::uint64_t clock_ = 0;
};

class WalkCaches {
 public:
  static constexpr int kLevels = 3;  // PDE, PDPTE, PML4E
  using Entries = std::array<std::size_t, kLevels>;

  explicit WalkCaches(const Entries& entries)
      : caches_{StampedCache(entries[0]), StampedCache(entries[1]), StampedCache(entries[2])} {}

  /// A walk for a page: returns the level whose entry was cached (1 PDE, 2 PDPTE, 3 PML4E; 4: none, the walk starts at the
  /// root). Table entries fetched are that less `leaf`, the level of the page's own entry (0 for 4K).
  int walk(PageWord word, int leaf) {
    int level = leaf;
    while (level < kLevels && !caches_[std::size_t(level)].touch(entry_key(word, level + 1))) ++level;
    return level + 1;
  }
  /// Walks for 4K pages, up to the first for which the PDE is not where it was last; returns how many they were. Each began
  /// below a cached PDE.
  std::size_t walk_from_pde(std::span<const PageWord> words, std::span<const std::uint16_t> which) {
    return caches_[0].touch_hinted(which, [=](std::uint16_t index) { return entry_key(words[index], 1); });
  }
  template <typename Goes>
  void remove_if(Goes goes) {
    for (StampedCache& cache : caches_) cache.remove_if(goes);
  }

 private:
  static PageWord entry_key(PageWord word, int level) {
    return key_at(word, 9 * level) | PageWord{3}
                                         << kPageBits;  // whatever the size of the page: all its entries are alike
  }

  std::array<StampedCache, kLevels> caches_;
};

}  // namespace tollgate::simulate
