#include "base/random.h"

#include <xxhash.h>

#include "base/check.h"

namespace tollgate {
namespace {
constexpr std::uint64_t rotate_left(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
}  // namespace

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

RandomStream::RandomStream(std::uint64_t seed) {
  for (auto& word : state_) word = splitmix64(seed);
}

RandomStream RandomStream::named(std::uint64_t seed, std::string_view purpose,
                                 std::initializer_list<std::uint64_t> indices) {
  std::uint64_t mixed = XXH3_64bits_withSeed(purpose.data(), purpose.size(), seed);
  for (std::uint64_t index : indices) {
    mixed ^= index + 0x9e3779b97f4a7c15;
    mixed = splitmix64(mixed);
  }
  return RandomStream(mixed);
}

std::uint64_t RandomStream::next() {
  const std::uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotate_left(state_[3], 45);
  return result;
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  CHECK(bound > 0, "a random number below zero has no value");
  const std::uint64_t limit = -bound % bound;  // 2^64 mod bound: values under it would be too frequent
  std::uint64_t x = next();
  while (x < limit) x = next();
  return x % bound;
}

}  // namespace tollgate
