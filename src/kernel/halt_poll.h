// How long KVM polls for a wake-up before it blocks a vCPU that waits (halt_poll_ns), and how that adapts: it grows from a
// start, doubling, while waits are shorter than the most, and is given up after a wait that was longer. Defaults of arm64.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tollgate::kernel {

struct HaltPolling {
  std::int64_t start = 10'000;  // ns: halt_poll_ns_grow_start
  std::int64_t most = 500'000;  // ns: halt_poll_ns

  /// The next limit after a wait of `waited` under the limit `limit`, all in ns.
  constexpr std::int64_t adapted(std::int64_t limit, std::int64_t waited) const {
    if (waited <= limit) return limit;
    if (waited > most) return 0;
    return std::min(most, std::max(start, 2 * limit));
  }
};

}  // namespace tollgate::kernel
