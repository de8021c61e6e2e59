// Eight hexadecimal digits at a time: an address is most of a lackey line, and importing is bound by reading addresses.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

namespace tollgate::trace {

/// The number that the eight characters at `text` spell, in either case; nothing when one of them is no hex digit.
inline std::optional<std::uint32_t> eight_hex_digits(const char* text) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t kOnes = 0x0101010101010101u;
  std::uint64_t chars = 0;
  std::memcpy(&chars, text, sizeof chars);
  // Letters have bit 6 set, and a value of 9 more than their low four bits.
  const std::uint64_t letters = chars >> 6 & kOnes;
  const std::uint64_t values = (chars & 0x0f * kOnes) + 9 * letters;
  // Check by spelling the values again and comparing with the lower-case text: only hex digits survive the round trip.
  const std::uint64_t over_nine = (values + 6 * kOnes) >> 4 & kOnes;
  const std::uint64_t spelled = values + '0' * kOnes + ('a' - '9' - 1) * over_nine;
  if (spelled != (chars | letters << 5) || (values & 0xf0 * kOnes) != 0) return std::nullopt;
  // The first character is the lowest byte and the highest digit: swap, then close the gaps between the nibbles.
  std::uint64_t digits = __builtin_bswap64(values);
  digits = (digits | digits >> 4) & 0x00ff00ff00ff00ffu;
  digits = (digits | digits >> 8) & 0x0000ffff0000ffffu;
  return static_cast<std::uint32_t>(digits | digits >> 16);
}

/// The value of one hex digit in either case, or 16 and more.
inline unsigned hex_digit(char c) {
  const unsigned byte = static_cast<unsigned char>(c);
  if (byte - '0' < 10u) return byte - '0';
  const unsigned letter = (byte | 0x20u) - 'a';
  return letter < 6 ? letter + 10 : 16;
}

}  // namespace tollgate::trace
