// touch: the hot loop. References look their key up in sets kept in order of use, most recent first, and move it to the
// front; what was not there displaces the last. So one pass over a set finds, ages and replaces, and there are no stamps.
//
// Three versions that do the same: plain C++, AVX2 (four ways an instruction) and AVX-512 (eight). The widest that this CPU
// has is chosen when the program runs; a test holds them to each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "simulate/reference.h"

namespace tollgate::simulate {

/// Where the references of one route are looked up: an array, or nothing (lanes 0), where all miss and nothing is kept.
struct alignas(64) Route {
  std::uint64_t offset = 0;    // of the array's first set, in keys
  std::uint64_t set_mask = 0;  // number of sets - 1, where that is a power of two
  std::uint64_t sets = 1;
  std::uint64_t last = 1;   // bit ways - 1
  std::uint64_t lanes = 0;  // bits 0 to ways - 1
  int shift = 0;            // of the page number: pages are held in this size
  bool operator==(const Route&) const = default;
};

/// The arrays of one level, all with sets of `stride` keys.
struct Sets {
  PageWord* keys = nullptr;
  std::uint64_t stride = 0;   // a multiple of 8, at most 64
  PageWord keep_user = 0;     // which bits of a word are the key, in the lower half of addresses
  PageWord keep_kernel = 0;   // and in the upper half
  bool powers_of_two = true;  // all numbers of sets are
  std::array<Route, kRoutes> routes{};
};

/// Looks up `which` of the batch, in order; writes those that missed to `missed`, which has room for all, and returns how
/// many they are.
using Touch = std::size_t (*)(const Sets& sets, const Batch& batch, std::span<const std::uint16_t> which,
                              std::uint16_t* missed);

enum class Instructions : std::uint8_t { plain, avx2, avx512 };
std::string_view to_text(Instructions instructions);
/// The widest of this CPU.
Instructions widest_instructions();
/// The version for sets of `stride` keys.
Touch touch_for(Instructions instructions, std::uint64_t stride);

inline PageWord key_of(const Sets& sets, const Route& route, PageWord word) {
  return key_at(word, route.shift) & (word & kKernelHalf ? sets.keep_kernel : sets.keep_user);
}
inline std::uint64_t set_of(const Sets& sets, const Route& route, PageWord key) {
  const std::uint64_t page = key & kPageMask;
  return route.offset + (sets.powers_of_two ? page & route.set_mask : page % route.sets) * sets.stride;
}

}  // namespace tollgate::simulate
