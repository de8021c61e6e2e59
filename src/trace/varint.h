// Varints: numbers as little-endian groups of seven bits, the high bit set on all but the last byte. At most ten bytes.
#pragma once

#include <cstdint>
#include <string>

namespace tollgate::trace {

inline constexpr int kMaxVarintBytes = 10;

inline void put_varint(std::string& out, std::uint64_t number) {
  while (number >= 0x80) {
    out.push_back(static_cast<char>(number | 0x80));
    number >>= 7;
  }
  out.push_back(static_cast<char>(number));
}

/// Reads varints from bytes that are followed by at least `kMaxVarintBytes` of padding for each read made before the
/// caller looks at overrun(): the fast path then needs no bounds check.
struct VarintCursor {
  const std::uint8_t* at = nullptr;
  const std::uint8_t* end = nullptr;
  bool malformed = false;  // a number of more than 64 bits was met

  std::uint64_t next() {
    const std::uint64_t first = *at++;
    if (first < 0x80) [[likely]]
      return first;
    return next_long(first & 0x7f);
  }
  bool overrun() const { return at > end; }
  bool bad() const { return malformed || overrun(); }
  bool more() const { return at < end; }

 private:
  std::uint64_t next_long(std::uint64_t number) {
    for (int shift = 7; shift < 64; shift += 7) {
      const std::uint64_t byte = *at++;
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        malformed |= shift == 63 && byte > 1;
        return number;
      }
    }
    malformed = true;
    return number;
  }
};

}  // namespace tollgate::trace
