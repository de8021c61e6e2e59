#include "store/session_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace tollgate::store {
namespace {

struct flock byte_of(std::int64_t session) {
  struct flock byte = {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = session;
  byte.l_len = 1;
  return byte;
}

/// "process 4711"; its number may not be visible here.
std::string holder_of(int file, std::int64_t session) {
  struct flock byte = byte_of(session);
  if (fcntl(file, F_GETLK, &byte) != 0 || byte.l_type == F_UNLCK || byte.l_pid <= 0) return "another process";
  return fmt::format("process {}", byte.l_pid);
}

}  // namespace

Result<SessionLock> SessionLock::take(const std::string& store, std::int64_t session) {
  std::error_code unknown;
  const auto real = std::filesystem::canonical(store, unknown);  // a link to the store is the same store
  const std::string path = (unknown ? store : real.string()) + "-lock";
  SessionLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (lock.file_ < 0) return fail(fmt::format("cannot be opened: {}", std::strerror(errno)), {path});
  const struct flock byte = byte_of(session);
  if (fcntl(lock.file_, F_SETLK, &byte) == 0) return lock;
  if (errno != EACCES && errno != EAGAIN)
    return fail(fmt::format("cannot be locked: {}", std::strerror(errno)), {path});
  return fail(fmt::format("session {} is being measured by {}", session, holder_of(lock.file_, session)));
}

SessionLock::SessionLock(SessionLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

SessionLock::~SessionLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace tollgate::store
