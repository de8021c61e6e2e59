// Progress: how library code says how far it is, without knowing whether anybody watches.
#pragma once

#include <cstdint>
#include <functional>

namespace tollgate {

/// Called now and then with what is done and what there is in all, in the caller's unit (bytes, draws); `total` 0 means
/// unknown. May come from any thread. An empty function means that nobody watches: test it before the call.
using ProgressCallback = std::function<void(std::uint64_t done, std::uint64_t total)>;

}  // namespace tollgate
