// The published VMID allocators of KVM/arm64, and what each decides: one list for questions, exploration and help.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kernel/tag_policy.h"

namespace tollgate::kernel {

enum class VmidAllocator : std::uint8_t { v5_14, v3_noclear, v3_clear, merged };
inline constexpr std::array<std::string_view, 4> kVmidAllocators{"v5.14", "v3-noclear", "v3-clear", "merged"};

/// What the bitmap allocator does in this variant; v5.14 has a counter instead (tag_counter.h) and needs none.
constexpr TagPolicy vmid_policy(VmidAllocator allocator) {
  TagPolicy policy;
  if (allocator == VmidAllocator::v3_clear) policy.schedule_out = TagPolicy::ScheduleOut::clear;
  if (allocator == VmidAllocator::merged) policy.schedule_out = TagPolicy::ScheduleOut::mark_invalid;
  return policy;
}

}  // namespace tollgate::kernel
