// SequentialInput: a file or a pipe that is read once, from its beginning; and the same unpacked.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

struct archive;

namespace tollgate::trace {

class SequentialInput {
 public:
  /// "-" is standard input. A directory is an error.
  static Result<SequentialInput> open(const std::string& path);
  SequentialInput(SequentialInput&& other) noexcept;
  SequentialInput& operator=(SequentialInput&&) = delete;
  ~SequentialInput();

  const std::string& name() const { return name_; }
  /// Its length; 0 for a pipe.
  std::uint64_t size() const { return S_ISREG(status_.st_mode) ? static_cast<std::uint64_t>(status_.st_size) : 0; }
  bool is_same_file(const std::string& path) const;
  /// At least one byte, at most `count`; 0 at the end.
  Result<std::size_t> read(char* out, std::size_t count);
  /// Bytes read so far.
  std::uint64_t done() const { return done_; }

 private:
  explicit SequentialInput(std::string name) : name_(std::move(name)) {}
  Result<void> wait_for_bytes() const;

  std::string name_;
  struct stat status_{};
  int descriptor_ = -1;
  std::uint64_t done_ = 0;
};

/// What a file holds under its packing, as far as it has any: gzip, zstd, xz, bzip2, lz4, or the members of a zip archive
/// one after the other. Told by content. Memory stays constant, and a pipe will do.
class UnpackedInput {
 public:
  static Result<UnpackedInput> open(SequentialInput input);
  UnpackedInput(UnpackedInput&&) noexcept;
  UnpackedInput& operator=(UnpackedInput&&) = delete;
  ~UnpackedInput();

  const SequentialInput& packed() const;
  const std::string& name() const { return packed().name(); }
  /// At least one byte, at most `count`; 0 at the end. Damage to the packing is an error.
  Result<std::size_t> read(char* out, std::size_t count);
  /// "zip, gzip", "" when it is not packed. After the first read.
  std::string packing() const;

 private:
  struct State;
  explicit UnpackedInput(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tollgate::trace
