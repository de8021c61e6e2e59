// InputFile: bytes that can be read at any place: a regular file, or bytes in memory for tests and fuzzing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tollgate::trace {

class InputFile {
 public:
  /// A missing file, a directory, a pipe are errors.
  static Result<InputFile> open(const std::string& path);
  static InputFile of_bytes(std::string bytes, std::string name);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  /// Replaces `out` with `count` bytes from `offset`, or with what there is up to the end.
  Result<void> read(std::uint64_t offset, std::size_t count, std::string& out) const;

 private:
  InputFile() = default;

  std::string path_;
  std::string bytes_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

}  // namespace tollgate::trace
