// The project's own data files, for tests and benchmarks of questions.
#pragma once

#include <string>

#include "base/result.h"

namespace tollgate::lab::test {

/// A lab::DataFinder over the source tree.
inline Result<std::string> find_shipped(const std::string& kind, const std::string& name) {
  return std::string(TOLLGATE_SOURCE_DIR) + "/" + kind + "/" + name + ".toml";
}

}  // namespace tollgate::lab::test
