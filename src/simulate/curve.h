// Curve: misses of one array for every number of ways at once, in one pass. LRU has the stack property: a set of w ways
// holds the w pages of it used last, so the place of a page in a list ordered by use says in which sizes it hits (Mattson
// and others 1970).
//
// A flush leaves a gap in the list where the page was. A page that comes to the front fills the first gap before its own
// place, and leaves one where it came from: just what a set of each size does with the free way.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "simulate/bank.h"

namespace tollgate::simulate {

class Curve {
 public:
  enum class Level : std::uint8_t { l1d, l1i, l2 };
  /// `sets` sets of up to `ways` ways; pages of all sizes, keyed as `keep` says.
  Curve(Level level, std::uint64_t sets, int ways, Keep keep);

  void refer(const Batch& batch, std::span<const std::uint16_t> which);
  template <typename Goes>
  void remove_if(Goes goes) {
    for (PageWord& key : keys_)
      if (key != 0 && goes((key & ~kPageMask) | (key & kPageMask) << hw::pages_shift(size_of(key)))) key = 0;
  }
  void remove_page(PageWord word);

  Level level() const { return level_; }
  std::uint64_t sets() const { return sets_; }
  int ways() const { return ways_; }
  /// Of the references this level saw, those a mode made that miss in `ways` ways. What the simulator left out hits in all.
  std::uint64_t misses(trace::Mode mode, int ways) const;

 private:
  PageWord key(PageWord word) const {
    return key_at(word, hw::pages_shift(size_of(word))) & (word & kKernelHalf ? keep_.kernel : keep_.user);
  }
  PageWord* set(PageWord key) {
    const std::uint64_t page = key & kPageMask;
    return keys_.data() + (set_mask_ != 0 ? page & set_mask_ : page % sets_) * std::uint64_t(ways_);
  }
  int touch(PageWord key);

  Level level_;
  std::uint64_t sets_;
  std::uint64_t set_mask_;  // 0: not a power of two, or one set
  int ways_;
  Keep keep_;
  std::vector<PageWord> keys_;                             // by set, the page used last first; 0: a gap, or none yet
  std::array<std::vector<std::uint64_t>, 2> at_distance_;  // by mode: references by place in the list; last: not in it
};

}  // namespace tollgate::simulate
