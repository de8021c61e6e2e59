// Reading what a user names, whole: a file, or standard input.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace tollgate::cli {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;

/// The bytes of the file, or of standard input for "-". More than `limit` of them are an error: devices and pipes may never end.
Result<std::string> read_bytes(const std::string& path, std::size_t limit = kMostBytes);

/// What messages call it: the path, or "standard input".
std::string input_name(const std::string& path);

}  // namespace tollgate::cli
