#include "trace/output_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace tollgate::trace {
namespace {

tl::unexpected<Error> fail_with_errno(const std::string& doing, const std::string& path) {
  return fail(fmt::format("{}: {}", doing, std::strerror(errno)), {path});
}

Result<int> open_directly(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return fail_with_errno("cannot write", path);
  return descriptor;
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::string& path) {
  if (path.empty()) return fail("no name for the trace to write");
  std::error_code ignored;
  // A link is followed, so that its target is replaced and not the link.
  const std::filesystem::path real = std::filesystem::is_symlink(path, ignored)
                                         ? std::filesystem::weakly_canonical(path, ignored)
                                         : std::filesystem::path(path);
  const std::string target = real.empty() ? path : real.string();
  struct stat status{};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return fail("is a directory; name the file to write", {path});
  if (exists && !S_ISREG(status.st_mode)) return OutputFile(path, "", TRY(open_directly(target)));
  std::string temporary = target + ".partial-XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return fail_with_errno("cannot create a file beside it", path);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor, exists ? status.st_mode & 0777 : 0666 & ~mask);
  return OutputFile(target, temporary, descriptor);
}

OutputFile::OutputFile(std::string path, std::string temporary, int descriptor)
    : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, "")),
      descriptor_(std::exchange(other.descriptor_, -1)),
      written_(other.written_) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(temporary_, other.temporary_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(written_, other.written_);
  return *this;
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(std::exchange(temporary_, "").c_str());
}

Result<void> OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return fail_with_errno(fmt::format("cannot write on after {} bytes, and no trace is left there", written_),
                             path_);
    written_ += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<void> OutputFile::commit() {
  // Pipes and devices cannot be synced; a delayed write error of a real file shows here.
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
    return fail_with_errno("cannot write the last bytes, and no trace is left there", path_);
  if (::close(std::exchange(descriptor_, -1)) != 0)
    return fail_with_errno("cannot write the last bytes, and no trace is left there", path_);
  if (temporary_.empty()) return {};
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return fail_with_errno("cannot give the trace its name", path_);
  temporary_.clear();
  return {};
}

}  // namespace tollgate::trace
