// TagPolicy: what the published variants of the bitmap allocator decide differently. The protocol is one (tag_bitmap.h).
#pragma once

#include <cstdint>

namespace tollgate::kernel {

struct TagPolicy {
  enum class FastPath : std::uint8_t {
    compare_exchange,        // publish only over what was read: a rollover in between sends this CPU to the slow path
    unconditional_exchange,  // publish first, look at what was there afterwards: Linux before commit a8ffaaa060b8
  };
  enum class Flush : std::uint8_t {
    broadcast,  // one TLBI for all CPUs within the rollover (VMIDs)
    pending,    // each CPU flushes itself at its next slow path (ASIDs)
  };
  enum class ScheduleOut : std::uint8_t { keep, clear, mark_invalid };

  FastPath fast_path = FastPath::compare_exchange;
  Flush flush = Flush::broadcast;
  ScheduleOut schedule_out = ScheduleOut::keep;
  bool operator==(const TagPolicy&) const = default;
};

}  // namespace tollgate::kernel
