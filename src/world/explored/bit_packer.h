// BitWriter, BitReader: fields of a few bits, one after the other, in a byte string. A state of a small model packs into 15
// to 40 bytes, and how many states fit into memory is what bounds an exhaustive exploration.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace tollgate::explored {

/// Writes into zeroed or old bytes alike; `finish` writes what is left. Fields are at most 32 bits.
class BitWriter {
 public:
  explicit BitWriter(std::span<std::uint8_t> bytes) : next_(bytes.data()) {}

  void put(std::uint32_t value, unsigned bits) {
    pending_ |= std::uint64_t(value) << used_;
    used_ += bits;
    while (used_ >= 8) {
      *next_++ = std::uint8_t(pending_);
      pending_ >>= 8;
      used_ -= 8;
    }
  }
  void finish() {
    if (used_ > 0) *next_++ = std::uint8_t(pending_);
    used_ = 0;
  }

 private:
  std::uint8_t* next_;
  std::uint64_t pending_ = 0;
  unsigned used_ = 0;
};

class BitReader {
 public:
  explicit BitReader(std::span<const std::uint8_t> bytes) : next_(bytes.data()) {}

  std::uint32_t get(unsigned bits) {
    while (have_ < bits) {
      pending_ |= std::uint64_t(*next_++) << have_;
      have_ += 8;
    }
    const auto value = std::uint32_t(pending_ & ((std::uint64_t{1} << bits) - 1));
    pending_ >>= bits;
    have_ -= bits;
    return value;
  }

 private:
  const std::uint8_t* next_;
  std::uint64_t pending_ = 0;
  unsigned have_ = 0;
};

/// Counts the bits that a BitWriter would write: the same code says how long a state is.
class BitCounter {
 public:
  void put(std::uint32_t, unsigned bits) { bits_ += bits; }
  void finish() {}
  std::size_t bytes() const { return (bits_ + 7) / 8; }

 private:
  std::size_t bits_ = 0;
};

}  // namespace tollgate::explored
