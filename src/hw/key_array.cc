#include "hw/key_array.h"

#include <algorithm>

#include "base/check.h"

namespace tollgate::hw {

KeyArray::KeyArray(int sets, int ways, Replacement replacement, Index index)
    : ways_(Place(ways)),
      row_((ways_ + kBytesAWord - 1) / kBytesAWord * kBytesAWord),
      sets_(std::uint64_t(sets)),
      set_mask_(std::uint64_t(sets) - 1),
      by_mask_(std::has_single_bit(unsigned(sets))),
      index_(index),
      replacement_(replacement) {
  CHECK(sets > 0 && ways > 0, "an array has at least one set and one way");
  CHECK(ways < 1 << kStampPlaceBits, "the loader admits at most a million entries");
  CHECK(replacement != Replacement::plru || (std::has_single_bit(unsigned(ways)) && ways <= 64),
        "tree-PLRU needs a power of two of ways, at most 64");
  keys_.resize(std::size_t(sets) * row_);
  stamps_.resize(keys_.size());
  hashes_.resize(keys_.size() / kBytesAWord);
  trees_.resize(replacement == Replacement::plru ? std::size_t(sets) : 0);
  for (Place place = 0; place < keys_.size(); ++place) set_hash(place, place % row_ < ways_ ? kFree : kNoWay);
}

Place KeyArray::insert_absent(TlbKey key) {
  const Place place = victim(row_of(key));
  const TlbKey displaced = keys_[place];
  keys_[place] = key;
  set_hash(place, hash_of(key));
  if (!displaced.valid() || displaced.size() != key.size()) recount(displaced, key);
  if (replacement_ == Replacement::plru)
    touch_tree(place);
  else
    stamp(place);
  return place;
}

void KeyArray::recount(TlbKey displaced, TlbKey key) {
  if (displaced.valid())
    --live_[static_cast<std::size_t>(displaced.size())];
  else
    ++live_count_;
  ++live_[static_cast<std::size_t>(key.size())];
}

Place KeyArray::victim(Place base) {
  if (live_count_ < std::size_t(sets_) * ways_)
    if (const Place free = free_way(base); free != kNowhere) return free;
  switch (replacement_) {
    case Replacement::random:
      return base + Place(random_.below(ways_));
    case Replacement::plru:
      return tree_victim(base);
    case Replacement::lru:
    case Replacement::fifo:
      break;
  }
  return oldest(base);
}

Place KeyArray::free_way(Place base) const {
  for (Place at = base; at < base + row_; at += kBytesAWord)
    if (const std::uint64_t free = zero_bytes(hashes_[at / kBytesAWord]); free != 0) return at + first_byte(free);
  return kNowhere;
}

// Chooses without branches: which way is the oldest is as good as random, and a wrong guess costs more than a
// comparison.
Place KeyArray::oldest(Place base) const {
  const std::uint64_t* stamps = stamps_.data() + base;
  std::uint64_t even = stamps[0];
  std::uint64_t odd = stamps[0];
  for (Place way = 0; way + 1 < ways_; way += 2) {
    even = std::min(even, stamps[way]);
    odd = std::min(odd, stamps[way + 1]);
  }
  const std::uint64_t least = std::min({even, odd, stamps[ways_ - 1]});
  return base + ((Place(least) - base) & kStampPlaceMask);
}

// Tree-PLRU: node n has children 2n and 2n+1; a set bit sends the victim search to the upper half.
Place KeyArray::tree_victim(Place base) const {
  const std::uint64_t tree = trees_[base / row_];
  Place node = 1;
  while (node < ways_) node = 2 * node + Place(tree >> node & 1);
  return base + node - ways_;
}

void KeyArray::touch_tree(Place place) {
  std::uint64_t& tree = trees_[place / row_];
  for (Place node = place % row_ + ways_; node > 1; node /= 2) {
    const std::uint64_t bit = std::uint64_t{1} << (node / 2);
    tree = node & 1 ? tree & ~bit : tree | bit;  // point away from the way just used
  }
}

}  // namespace tollgate::hw
