// StateStore: every state seen, each once, as a byte string of one fixed length, with the state it was first reached from.
// States lie in the order they were found, so the store is also the queue of a breadth-first search. Beside the arena lies an
// open-addressing index of (hash, number); about 30 to 60 bytes a state in all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tollgate::explored {

class StateStore {
 public:
  using Number = std::uint32_t;  // of a state, in the order found
  static constexpr Number kNoState = ~Number{0};

  /// `memory_limit` in bytes; what is checked before each growth.
  StateStore(std::size_t state_bytes, std::uint64_t memory_limit);

  enum class Insertion : std::uint8_t { fresh, known, full };
  Insertion insert(std::span<const std::uint8_t> state, Number parent);

  /// The number of a state that is in here; kNoState if it is not.
  Number find(std::span<const std::uint8_t> state) const;

  std::uint64_t size() const { return parents_count_; }
  std::span<const std::uint8_t> state(Number number) const;
  Number parent(Number number) const;
  std::uint64_t memory_bytes() const;

 private:
  static constexpr std::uint64_t kBlockStates = std::uint64_t{1} << 16;

  static std::uint64_t hash_of(std::span<const std::uint8_t> state);
  /// Where the state is in the index, or the empty place where it would be.
  std::size_t place_of(std::span<const std::uint8_t> state, std::uint64_t hash) const;
  bool grow_index();
  bool room_for_block() const;
  std::uint64_t block_bytes() const { return kBlockStates * (state_bytes_ + sizeof(Number)); }
  std::uint8_t* bytes_of(Number number) const;

  std::size_t state_bytes_;
  std::uint64_t memory_limit_;
  std::uint64_t parents_count_ = 0;
  // A block: its states' bytes, then their parents.
  std::vector<std::unique_ptr<std::uint8_t[]>> blocks_;
  std::vector<std::uint64_t> index_;  // hash in the high half, number + 1 in the low one; 0 is empty
};

}  // namespace tollgate::explored
