// One page reference as the stages pass it on: 64 bits that say which page of which address space, and a route that says
// from which side and in which mode it came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hw/machine.h"
#include "trace/record.h"

namespace tollgate::simulate {

/// A page and its address space: bits 0-44 the number of its (first) 4K page, as 57-bit addresses have; 45-46 its size plus
/// one, so that no page is 0; 47-62 the address space; 63 the top bit of the address,
/// set in the kernel's half. A key of an array is the same with the
/// page in units of its size.
using PageWord = std::uint64_t;
inline constexpr int kPageBits = 45;
inline constexpr PageWord kPageMask = (PageWord{1} << kPageBits) - 1;
inline constexpr PageWord kKernelHalf = PageWord{1} << 63;
inline constexpr int kSpaceShift = 47;
inline constexpr PageWord kSpaceMask = PageWord{0xffff} << kSpaceShift;
inline constexpr std::uint32_t kMaxSpaces = 0xffff;

constexpr PageWord page_word(std::uint64_t page, hw::PageSize size, std::uint32_t space) {
  return (page & kPageMask) | (PageWord(size) + 1) << kPageBits | PageWord(space) << kSpaceShift |
         (page << 12 & kKernelHalf);
}
constexpr std::uint32_t space_of(PageWord word) { return std::uint32_t(word >> kSpaceShift & 0xffff); }
constexpr hw::PageSize size_of(PageWord word) { return static_cast<hw::PageSize>((word >> kPageBits & 3) - 1); }
/// The key of the page held as pages of `shift` (hw::pages_shift of a size), with the size bits as they are.
constexpr PageWord key_at(PageWord word, int shift) { return (word & ~kPageMask) | (word & kPageMask) >> shift; }
/// Whose page it is, whatever hardware tags it with: the kernel's half is the same memory in every space.
constexpr PageWord identity_of(PageWord key) { return key & kKernelHalf ? key & ~kSpaceMask : key; }

/// Side and mode of a reference: bits of a route.
inline constexpr std::uint8_t kFetchBit = 1;
inline constexpr std::uint8_t kKernelBit = 2;
inline constexpr int kSizeShift = 2;  // of the route: the page size
constexpr std::uint8_t make_route(trace::Kind kind, trace::Mode mode, hw::PageSize size) {
  return std::uint8_t((kind == trace::Kind::fetch ? kFetchBit : 0) | (mode == trace::Mode::kernel ? kKernelBit : 0) |
                      int(size) << kSizeShift);
}
inline constexpr std::size_t kRoutes = 12;

/// References of one stream in one address space; at most kBatch, so that a batch stays in the first-level cache.
struct Batch {
  std::span<const PageWord> words;
  std::span<const std::uint8_t> routes;
  std::uint32_t routes_seen = 0;  // a bit a route that occurs; more bits do no harm
};
inline constexpr std::size_t kBatch = 1024;

}  // namespace tollgate::simulate
