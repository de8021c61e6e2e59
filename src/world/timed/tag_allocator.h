// TagAllocator: the variables of a tag allocator (kernel/tag_bitmap.h, kernel/tag_counter.h) in the timed world, each with the
// cache line it lies in. The lock and the generation share a line: in the kernel they lie 16 to 24 bytes apart.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "kernel/tag.h"
#include "kernel/tag_policy.h"
#include "world/timed/interconnect.h"

namespace tollgate::world {

/// A CPU's active and reserved slots lie in one line of its per-CPU area.
struct TagSlots {
  kernel::Tag active;
  kernel::Tag reserved;
  bool flush_pending = false;
  Line line;
};

struct TagContext {
  kernel::Tag tag;
  Line line;
};

/// Which indices are handed out, a bit an index.
class IndexMap {
 public:
  explicit IndexMap(std::uint32_t count) : words_((count + 63) / 64), count_(count) {}
  bool taken(std::uint32_t index) const { return words_[index / 64] >> index % 64 & 1; }
  void take(std::uint32_t index) { words_[index / 64] |= std::uint64_t{1} << index % 64; }
  void free_all() { words_.assign(words_.size(), 0); }
  /// The first free index from `from` on; 0 when there is none.
  std::uint32_t next_free(std::uint32_t from) const {
    for (std::uint32_t word = from / 64; word < words_.size(); ++word) {
      const std::uint64_t before = word == from / 64 ? (std::uint64_t{1} << from % 64) - 1 : 0;
      const std::uint64_t free = ~(words_[word] | before);
      if (free == 0) continue;
      const std::uint32_t index = word * 64 + std::uint32_t(std::countr_zero(free));
      return index < count_ ? index : 0;
    }
    return 0;
  }
  std::uint32_t words() const { return std::uint32_t(words_.size()); }

 private:
  std::vector<std::uint64_t> words_;
  std::uint32_t count_;
};

struct TagAllocator {
  TagAllocator(kernel::TagPolicy decisions, int bits, int cpus, std::uint32_t its_lock)
      : policy(decisions), indices(1u << bits), lock(its_lock), map(indices), slots(std::size_t(cpus)) {}

  kernel::TagPolicy policy;
  std::uint32_t indices;  // the host's 0 included
  std::uint32_t lock;     // its number in the world
  std::uint32_t generation = kernel::kFirstGeneration;
  std::uint32_t cursor = 0;  // of the bitmap, where a search starts; of the counter, the next index
  IndexMap map;
  std::vector<TagSlots> slots;  // by CPU
  std::vector<TagContext> contexts;
};

}  // namespace tollgate::world
