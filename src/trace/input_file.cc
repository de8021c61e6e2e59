#include "trace/input_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tollgate::trace {

Result<InputFile> InputFile::open(const std::string& path) {
  InputFile file;
  file.path_ = path;
  struct stat status{};
  // O_NONBLOCK: opening a pipe nobody writes to must not hang; regular files do not heed it.
  file.descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file.descriptor_ < 0 || ::fstat(file.descriptor_, &status) != 0)
    return fail(fmt::format("cannot open: {}", std::strerror(errno)), {path});
  if (S_ISDIR(status.st_mode)) return fail("is a directory; a trace is one file", {path});
  if (!S_ISREG(status.st_mode))
    return fail("is no regular file: a trace is read from its end, so save it first", {path});
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

InputFile InputFile::of_bytes(std::string bytes, std::string name) {
  InputFile file;
  file.path_ = std::move(name);
  file.size_ = bytes.size();
  file.bytes_ = std::move(bytes);
  return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      bytes_(std::move(other.bytes_)),
      size_(other.size_),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> InputFile::read(std::uint64_t offset, std::size_t count, std::string& out) const {
  count = static_cast<std::size_t>(std::min<std::uint64_t>(count, offset < size_ ? size_ - offset : 0));
  if (descriptor_ < 0) {
    out.assign(bytes_, static_cast<std::size_t>(std::min(offset, size_)), count);
    return {};
  }
  out.resize(count);
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::pread(descriptor_, out.data() + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(fmt::format("cannot read at byte {}: {}", offset + done, std::strerror(errno)), {path_});
    if (got == 0) break;  // the file shrank meanwhile
    done += static_cast<std::size_t>(got);
  }
  out.resize(done);
  return {};
}

}  // namespace tollgate::trace
