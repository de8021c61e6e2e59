// Reading a whole small text file. Configuration files are written by people, so a very large one is a mistake.
#pragma once

#include <string>

#include "base/result.h"

namespace tollgate::config {

Result<std::string> read_text_file(const std::string& path);

}  // namespace tollgate::config
