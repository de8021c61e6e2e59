// The era file of the project, and errors of era texts.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "kernel/era.h"

namespace tollgate::kernel::testing {

inline std::string era_path() { return std::string(TOLLGATE_SOURCE_DIR) + "/kernels/linux-4.16.toml"; }

inline Era linux_4_16(const std::vector<std::string>& overrides = {}) {
  Result<Era> era = load_era(era_path(), overrides);
  if (!era) ADD_FAILURE() << era.error().text();
  return era ? *std::move(era) : Era{};
}

inline std::string era_text() {
  std::ostringstream text;
  text << std::ifstream(era_path()).rdbuf();
  return text.str();
}

/// The project's era file with one place of its text replaced.
inline std::string replaced(const std::string& from, const std::string& to) {
  std::string text = era_text();
  const std::size_t at = text.find(from);
  if (at == std::string::npos)
    ADD_FAILURE() << "the era file has no '" << from << "'";
  else
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace tollgate::kernel::testing
