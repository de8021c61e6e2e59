// PageIndex: the number under which a (page, mode) was first seen in a chunk. A small open-addressing hash table, since it is
// asked once a record; forgetting everything between chunks costs one increment.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/record.h"

namespace tollgate::trace {

class PageIndex {
 public:
  PageIndex() : slots_(1024) {}

  /// page and mode as one number: what a chunk's dictionary holds.
  static constexpr std::uint64_t key(std::uint64_t page, Mode mode) {
    return page << 1 | static_cast<std::uint64_t>(mode);
  }

  /// The index of `key`; size() before the call when it is new.
  std::uint32_t find_or_add(std::uint64_t key) {
    for (std::size_t at = mix(key) & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.generation != generation_) return add(slot, key);
      if (slot.key == key) return slot.index;
    }
  }
  std::uint32_t size() const { return size_; }

  void clear() {
    ++generation_;
    size_ = 0;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t generation = 0;  // 64 bits: never comes round
    std::uint32_t index = 0;
  };

  static std::uint64_t mix(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15u;
    return key ^ key >> 32;
  }

  std::uint32_t add(Slot& slot, std::uint64_t key) {
    slot = {key, generation_, size_};
    ++size_;
    if (std::size_t{2} * size_ > slots_.size()) grow();
    return size_ - 1;
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.generation != generation_) continue;
      std::size_t at = mix(slot.key) & (slots_.size() - 1);
      while (slots_[at].generation == generation_) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two
  std::uint64_t generation_ = 1;
  std::uint32_t size_ = 0;
};

}  // namespace tollgate::trace
