#include "world/explored/state_store.h"

#include <xxhash.h>

#include <cstring>

namespace tollgate::explored {
namespace {

constexpr std::size_t kFirstIndex = std::size_t{1} << 16;
constexpr std::uint64_t kHashMask = ~std::uint64_t{0} << 32;

}  // namespace

StateStore::StateStore(std::size_t state_bytes, std::uint64_t memory_limit)
    : state_bytes_(state_bytes), memory_limit_(memory_limit), index_(kFirstIndex, 0) {}

std::uint8_t* StateStore::bytes_of(Number number) const {
  return blocks_[number / kBlockStates].get() + number % kBlockStates * state_bytes_;
}

std::span<const std::uint8_t> StateStore::state(Number number) const { return {bytes_of(number), state_bytes_}; }

StateStore::Number StateStore::parent(Number number) const {
  Number parent;
  const std::uint8_t* parents = blocks_[number / kBlockStates].get() + kBlockStates * state_bytes_;
  std::memcpy(&parent, parents + number % kBlockStates * sizeof parent, sizeof parent);
  return parent;
}

std::uint64_t StateStore::memory_bytes() const { return blocks_.size() * block_bytes() + index_.size() * 8; }

bool StateStore::room_for_block() const { return memory_bytes() + block_bytes() <= memory_limit_; }

/// Doubles the index. Needs the old one and the new one at once.
bool StateStore::grow_index() {
  if (memory_bytes() + index_.size() * 16 > memory_limit_) return false;
  std::vector<std::uint64_t> larger(index_.size() * 2, 0);
  const std::size_t mask = larger.size() - 1;
  for (const std::uint64_t slot : index_) {
    if (slot == 0) continue;
    std::size_t place = (slot >> 32) & mask;
    while (larger[place] != 0) place = (place + 1) & mask;
    larger[place] = slot;
  }
  index_ = std::move(larger);
  return true;
}

std::uint64_t StateStore::hash_of(std::span<const std::uint8_t> state) {
  return XXH3_64bits(state.data(), state.size()) & kHashMask;
}

std::size_t StateStore::place_of(std::span<const std::uint8_t> state, std::uint64_t hash) const {
  const std::size_t mask = index_.size() - 1;
  std::size_t place = (hash >> 32) & mask;
  for (; index_[place] != 0; place = (place + 1) & mask) {
    if ((index_[place] & kHashMask) != hash) continue;
    if (std::memcmp(bytes_of(Number(index_[place]) - 1), state.data(), state_bytes_) == 0) break;
  }
  return place;
}

StateStore::Number StateStore::find(std::span<const std::uint8_t> state) const {
  const std::uint64_t slot = index_[place_of(state, hash_of(state))];
  return slot == 0 ? kNoState : Number(slot) - 1;
}

StateStore::Insertion StateStore::insert(std::span<const std::uint8_t> state, Number parent) {
  const std::uint64_t hash = hash_of(state);
  const std::size_t place = place_of(state, hash);
  if (index_[place] != 0) return Insertion::known;
  if (parents_count_ == kNoState - 1) return Insertion::full;
  if (parents_count_ == blocks_.size() * kBlockStates) {
    if (!room_for_block()) return Insertion::full;
    blocks_.push_back(std::make_unique_for_overwrite<std::uint8_t[]>(block_bytes()));
  }
  const auto number = Number(parents_count_++);
  std::memcpy(bytes_of(number), state.data(), state_bytes_);
  std::uint8_t* parents = blocks_[number / kBlockStates].get() + kBlockStates * state_bytes_;
  std::memcpy(parents + number % kBlockStates * sizeof parent, &parent, sizeof parent);
  index_[place] = hash | (number + std::uint64_t{1});
  if (parents_count_ * 4 > index_.size() * 3 && !grow_index()) return Insertion::full;
  return Insertion::fresh;
}

}  // namespace tollgate::explored
