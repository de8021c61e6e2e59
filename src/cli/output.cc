#include "cli/output.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

namespace tollgate::cli {
namespace {

int g_output_error = 0;  // errno of the first failed write to standard output

std::vector<std::string>& inputs() {
  static std::vector<std::string> paths;
  return paths;
}

/// Whether it is a file, under whatever name, that was read.
bool is_input(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  return std::ranges::any_of(inputs(), [&](const std::string& input) {
    std::error_code no_such_file;
    return std::filesystem::equivalent(path, input, no_such_file);
  });
}

void remember_failure() {
  if (g_output_error == 0) g_output_error = errno != 0 ? errno : EIO;
}

}  // namespace

void hold_standard_streams() {
  for (int stream = 0; stream < 3; ++stream)
    if (::fcntl(stream, F_GETFD) < 0) {
      // The lowest free number is this one. Writing to what is open for reading fails as writing to a closed stream does.
      const int held = ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
      static_cast<void>(held);
    }
}

void print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) remember_failure();
}

Result<void> finish_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) remember_failure();
  if (g_output_error == 0) return {};
  return fail(fmt::format("cannot write to standard output: {}", std::strerror(g_output_error)));
}

void note_input(const std::string& path) { inputs().push_back(path == "-" ? "/dev/stdin" : path); }

Result<void> write_output(const std::string& path, std::string_view text) {
  if (path.empty() || path == "-") {
    print(text);
    return {};
  }
  if (is_input(path)) return fail("the output is an input; name another file", {path});
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return fail(fmt::format("cannot write: {}", std::strerror(errno)), {path});
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  const int write_error = errno;
  if (std::fclose(file) == 0 && written) return {};
  return fail(fmt::format("cannot write: {}", std::strerror(write_error != 0 ? write_error : errno)), {path});
}

}  // namespace tollgate::cli
