// OutputFile: a file that is either whole under its name or not there. It grows under a temporary name in the same folder;
// commit() makes it durable and renames it. A path that is no regular file, such as a pipe or /dev/null, is written directly.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tollgate::trace {

class OutputFile {
 public:
  static Result<OutputFile> create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  /// Removes the temporary file unless commit() succeeded.
  ~OutputFile();

  Result<void> write(std::string_view bytes);
  Result<void> commit();
  std::uint64_t written() const { return written_; }

 private:
  OutputFile(std::string path, std::string temporary, int descriptor);
  void discard();

  std::string path_;
  std::string temporary_;  // empty: written directly
  int descriptor_ = -1;
  std::uint64_t written_ = 0;
};

}  // namespace tollgate::trace
