// Named random streams: xoshiro256** seeded through splitmix64 (Blackman and Vigna, public domain algorithms).
//
// A stream is named by (seed, purpose, indices). Two variants that draw for the same purpose and item get the same
// numbers however much else they draw: that is what makes common random numbers hold. Only integers and + - * / are used,
// so the values are the same on every host.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tollgate {

class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed);
  /// The stream called `purpose` for item `indices` under `seed`.
  static RandomStream named(std::uint64_t seed, std::string_view purpose,
                            std::initializer_list<std::uint64_t> indices = {});

  std::uint64_t next();
  /// Uniform in [0, bound), without bias; `bound` > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [0, 1), a multiple of 2^-53.
  double unit() { return double(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_[4];
};

/// One step of splitmix64: advances `state` and returns 64 mixed bits.
std::uint64_t splitmix64(std::uint64_t& state);

}  // namespace tollgate
