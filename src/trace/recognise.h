// What a file is, by its first bytes, and what to tell a user who gave it to us as a trace or as a text to import.
#pragma once

#include <string>
#include <string_view>

namespace tollgate::trace {

enum class Content {
  empty,
  tollgate_trace,
  lackey_text,
  drmemtrace,
  valgrind_log,
  gzip,
  zstd,
  xz,
  bzip2,
  lz4,
  zip,
  elf,
  binary,
  text
};

/// From the first kRecogniseBytes of the file, or all of it.
inline constexpr std::size_t kRecogniseBytes = 1 << 16;
Content recognise(std::string_view beginning);

/// Why a file with this content cannot be opened as a Tollgate trace, and what to do.
std::string describe_foreign_trace(Content content);
/// Why a file with this content cannot be imported, and what to do. Not for lackey_text and
/// drmemtrace.
std::string describe_foreign_text(Content content);

}  // namespace tollgate::trace
