#include "hw/tlb_array.h"

#include <bit>

#include "base/check.h"

namespace tollgate::hw {

TlbArray::TlbArray(int sets, int ways, Replacement replacement)
    : sets_(sets),
      ways_(ways),
      replacement_(replacement),
      set_mask_(std::has_single_bit(unsigned(sets)) ? std::uint64_t(sets) - 1 : 0),
      keys_(std::size_t(sets) * std::size_t(ways)),
      entries_(keys_.size()),
      listed_(keys_.size()),
      stamps_(keys_.size()),
      trees_(std::size_t(sets) * ((std::size_t(ways) + 63) / 64)) {
  CHECK(sets > 0 && ways > 0, "an array has at least one set and one way");
  CHECK(replacement != Replacement::plru || (std::has_single_bit(unsigned(ways)) && ways <= 64),
        "tree-PLRU needs a power of two of ways, at most 64");
}

std::size_t TlbArray::set_base(TlbKey key) const {
  const std::uint64_t set = set_mask_ != 0 || sets_ == 1 ? key.page() & set_mask_ : key.page() % std::uint64_t(sets_);
  return std::size_t(set) * std::size_t(ways_);
}

std::ptrdiff_t TlbArray::find(TlbKey first, TlbKey second) const {
  const std::size_t base = set_base(first);
  const TlbKey* keys = keys_.data() + base;
  std::ptrdiff_t other = -1;
  for (int way = 0; way < ways_; ++way) {
    if (keys[way] == first) return std::ptrdiff_t(base) + way;
    if (keys[way] == second) other = std::ptrdiff_t(base) + way;
  }
  return other;
}

const TlbArray::Entry* TlbArray::peek(TlbKey first, TlbKey second) const {
  const std::ptrdiff_t at = find(first, second);
  return at < 0 ? nullptr : &entries_[std::size_t(at)];
}

TlbArray::Entry* TlbArray::access(TlbKey first, TlbKey second) {
  const std::ptrdiff_t at = find(first, second);
  if (at < 0) return nullptr;
  if (replacement_ != Replacement::fifo) touch(std::size_t(at));
  return &entries_[std::size_t(at)];
}

void TlbArray::insert(const Entry& entry) {
  const std::ptrdiff_t present = find(entry.key, entry.key);
  const std::size_t at = present >= 0 ? std::size_t(present) : victim(set_base(entry.key));
  if (!keys_[at].valid()) ++live_;
  keys_[at] = entry.key;
  entries_[at] = entry;
  if (!entry.key.is_global() && !listed_[at]) {
    listed_[at] = true;
    tagged_.push_back(std::uint32_t(at));
  }
  if (present < 0 || replacement_ != Replacement::fifo) touch(at);
}

std::size_t TlbArray::victim(std::size_t base) {
  if (live_ < keys_.size())
    for (std::size_t way = base; way < base + std::size_t(ways_); ++way)
      if (!keys_[way].valid()) return way;
  switch (replacement_) {
    case Replacement::random: return base + random_.below(std::uint64_t(ways_));
    case Replacement::plru: return tree_victim(base);
    case Replacement::lru:
    case Replacement::fifo: break;
  }
  return oldest(base);
}

std::size_t TlbArray::oldest(std::size_t base) const {
  std::size_t best = base;
  for (std::size_t way = base + 1; way < base + std::size_t(ways_); ++way)
    if (stamps_[way] < stamps_[best]) best = way;
  return best;
}

// Tree-PLRU: node n has children 2n and 2n+1; a set bit sends the victim search to the upper half.
std::size_t TlbArray::tree_victim(std::size_t base) const {
  const std::uint64_t tree = trees_[base / std::size_t(ways_)];
  std::size_t node = 1;
  while (node < std::size_t(ways_)) node = 2 * node + (tree >> node & 1);
  return base + node - std::size_t(ways_);
}

void TlbArray::touch_tree(std::size_t index) {
  std::uint64_t& tree = trees_[index / std::size_t(ways_)];
  for (std::size_t node = index % std::size_t(ways_) + std::size_t(ways_); node > 1; node /= 2) {
    const std::uint64_t bit = std::uint64_t{1} << (node / 2);
    tree = node & 1 ? tree & ~bit : tree | bit;  // point away from the way just used
  }
}

void TlbArray::touch(std::size_t index) {
  if (replacement_ == Replacement::plru)
    touch_tree(index);
  else
    stamps_[index] = ++clock_;
}

}  // namespace tollgate::hw
