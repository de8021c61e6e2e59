#include "cli/input_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/text.h"
#include "cli/output.h"

namespace tollgate::cli {

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

Result<std::string> read_bytes(const std::string& path, std::size_t limit) {
  const auto cannot = [&] { return fail(fmt::format("cannot read: {}", std::strerror(errno)), {input_name(path)}); };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(nullptr, &std::fclose);
  note_input(path);
  if (path != "-") {
    opened.reset(std::fopen(path.c_str(), "rb"));
    if (!opened) return cannot();
  }
  std::FILE* file = opened ? opened.get() : stdin;
  std::string bytes;
  std::size_t got = 0;
  do {
    const std::size_t old = bytes.size();
    bytes.resize(old + std::max<std::size_t>(old, std::size_t{1} << 16));
    got = std::fread(bytes.data() + old, 1, bytes.size() - old, file);
    bytes.resize(old + got);
    if (std::ferror(file) != 0) return cannot();
    if (bytes.size() > limit)
      return fail(
          fmt::format("goes on after {}: no result file is that large", human_bytes(static_cast<double>(limit))),
          {input_name(path)});
  } while (got > 0);
  return bytes;
}

}  // namespace tollgate::cli
