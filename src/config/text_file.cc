#include "config/text_file.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace tollgate::config {
namespace {
constexpr std::size_t kMaxBytes = std::size_t{4} << 20;
constexpr std::size_t kBlock = std::size_t{64} << 10;
}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  const auto cannot = [&](int error) {
    return fail(fmt::format("cannot read: {}", std::strerror(error)), {path, 0, 0});
  };
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return cannot(errno);
  if (S_ISDIR(status.st_mode)) return fail("cannot read: this is a directory", {path, 0, 0});
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return cannot(errno);
  std::string text;
  while (text.size() <= kMaxBytes) {
    const std::size_t old_size = text.size();
    text.resize(old_size + kBlock);
    const std::size_t got = std::fread(text.data() + old_size, 1, kBlock, file.get());
    text.resize(old_size + got);
    if (std::ferror(file.get())) return cannot(errno);
    if (got < kBlock) return text;
  }
  return fail(fmt::format("larger than {} MiB: this is not a file a person wrote", kMaxBytes >> 20), {path, 0, 0});
}

}  // namespace tollgate::config
