// Reading what a user names, whole: a file, or standard input.
#pragma once

#include <string>

#include "base/result.h"

namespace tollgate::cli {

/// The bytes of the file, or of standard input for "-".
Result<std::string> read_bytes(const std::string& path);

/// What messages call it: the path, or "standard input".
std::string input_name(const std::string& path);

}  // namespace tollgate::cli
