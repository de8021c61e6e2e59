// Tag: a VMID or ASID with the generation it was given in, as the allocators of arm64 keep them (one 64-bit word there:
// generation in the high bits, index in the low ones). Index 0 is the host's and is never handed out.
#pragma once

#include <cstdint>

namespace tollgate::kernel {

struct Tag {
  std::uint32_t generation = 0;
  std::uint32_t index = 0;  // what the hardware compares
  bool operator==(const Tag&) const = default;
};

/// Generations count from here: 0 is older than all.
inline constexpr std::uint32_t kFirstGeneration = 1;
/// Of a context that never had a tag, and of an active slot whose content a rollover has taken.
inline constexpr Tag kNoTag{};
/// What the merged VMID allocator stores on schedule-out: not "no tag", so the fast path stays open; never handed out, so
/// a rollover that takes it reserves nothing (commit 100b4f092f87 of Linux 5.18).
inline constexpr Tag kInvalidTag{kFirstGeneration, 0};

}  // namespace tollgate::kernel
