#include "hw/key_array.h"

#include <bit>

#include "base/check.h"

namespace tollgate::hw {

KeyArray::KeyArray(int sets, int ways, Replacement replacement)
    : keys_(std::size_t(sets) * std::size_t(ways)),
      ways_(std::size_t(ways)),
      sets_(std::uint64_t(sets)),
      set_mask_(std::uint64_t(sets) - 1),
      by_mask_(std::has_single_bit(unsigned(sets))),
      replacement_(replacement),
      stamps_(keys_.size()),
      trees_(std::size_t(sets)) {
  CHECK(sets > 0 && ways > 0, "an array has at least one set and one way");
  CHECK(replacement != Replacement::plru || (std::has_single_bit(unsigned(ways)) && ways <= 64),
        "tree-PLRU needs a power of two of ways, at most 64");
}

Place KeyArray::insert(TlbKey key) {
  Place place = find(key);
  if (place != kNowhere) {
    used(place);
    return place;
  }
  place = victim(set_base(key));
  if (keys_[place].valid()) remove(place);
  keys_[place] = key;
  ++live_[static_cast<std::size_t>(key.size())];
  ++live_count_;
  if (replacement_ == Replacement::plru)
    touch_tree(place);
  else
    stamps_[place] = ++clock_;
  return place;
}

Place KeyArray::victim(std::size_t base) {
  if (live_count_ < keys_.size())
    for (std::size_t way = base; way < base + ways_; ++way)
      if (!keys_[way].valid()) return Place(way);
  switch (replacement_) {
    case Replacement::random: return Place(base + random_.below(ways_));
    case Replacement::plru: return Place(tree_victim(base));
    case Replacement::lru:
    case Replacement::fifo: break;
  }
  return Place(oldest(base));
}

std::size_t KeyArray::oldest(std::size_t base) const {
  std::size_t best = base;
  for (std::size_t way = base + 1; way < base + ways_; ++way)
    if (stamps_[way] < stamps_[best]) best = way;
  return best;
}

// Tree-PLRU: node n has children 2n and 2n+1; a set bit sends the victim search to the upper half.
std::size_t KeyArray::tree_victim(std::size_t base) const {
  const std::uint64_t tree = trees_[base / ways_];
  std::size_t node = 1;
  while (node < ways_) node = 2 * node + (tree >> node & 1);
  return base + node - ways_;
}

void KeyArray::touch_tree(Place place) {
  std::uint64_t& tree = trees_[place / ways_];
  for (std::size_t node = place % ways_ + ways_; node > 1; node /= 2) {
    const std::uint64_t bit = std::uint64_t{1} << (node / 2);
    tree = node & 1 ? tree & ~bit : tree | bit;  // point away from the way just used
  }
}

}  // namespace tollgate::hw
