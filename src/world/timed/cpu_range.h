// CpuRange: the CPUs that a loop over all of them has still to visit.
#pragma once

#include <cstdint>

#include "base/check.h"

namespace tollgate::world {

struct CpuRange {
  std::uint32_t next = 0, end = 0;
  bool empty() const { return next == end; }
  void remove(std::uint32_t cpu) {
    CHECK(cpu == next, "a loop over CPUs visits them in order");
    ++next;
  }
  bool operator==(const CpuRange&) const = default;
};

}  // namespace tollgate::world
