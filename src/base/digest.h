// Digest: XXH3-128 over a stream of integers and bytes, in order. Equal inputs give equal digests on every host.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace tollgate {

class Digest {
 public:
  Digest();
  ~Digest();
  Digest(Digest&&) noexcept;

  /// Adds eight bytes, least significant first.
  void add(std::uint64_t word);
  void add(std::int64_t word) { add(static_cast<std::uint64_t>(word)); }
  /// Adds the bit pattern.
  void add(double value);
  /// Adds the length and then the bytes, so that ("ab","c") differs from ("a","bc").
  void add(std::string_view bytes);
  /// 32 hexadecimal digits of all that was added so far.
  std::string hex() const;

 private:
  XXH3_state_s* state_;
};

/// XXH3-64 of `bytes`: the checksum of chunks in our files.
std::uint64_t checksum64(std::string_view bytes);

}  // namespace tollgate
