// How large an exploration a test build affords: sanitizers make one about ten times slower.
#pragma once

namespace tollgate::explored {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kLargeExplorations = false;
#else
inline constexpr bool kLargeExplorations = true;
#endif

}  // namespace tollgate::explored
