// The sample files of every format, for tests.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tollgate::import {

inline const std::filesystem::path kData = std::filesystem::path(TOLLGATE_SOURCE_DIR) / "tests/data/import";

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::string> data_files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kData))
    if (entry.path().extension() != ".expected") names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

}  // namespace tollgate::import
