#include "base/digest.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <bit>
#include <utility>

#include "base/check.h"

namespace tollgate {

Digest::Digest() : state_(XXH3_createState()) {
  CHECK(state_ != nullptr, "out of memory");
  XXH3_128bits_reset(state_);
}
Digest::~Digest() { XXH3_freeState(state_); }
Digest::Digest(Digest&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}

void Digest::add(std::uint64_t word) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<unsigned char>(word >> (8 * i));
  XXH3_128bits_update(state_, bytes, sizeof bytes);
}
void Digest::add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
void Digest::add(std::string_view bytes) {
  add(std::uint64_t(bytes.size()));
  XXH3_128bits_update(state_, bytes.data(), bytes.size());
}
std::string Digest::hex() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::uint64_t checksum64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace tollgate
