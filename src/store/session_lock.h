// Session lock: one process at a time makes the runs of a session. It is a lock of the byte at the session's id in a file beside
// the store, "STORE-lock", which is empty and stays; the kernel frees the lock when its process is gone, however it went.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace tollgate::store {

class SessionLock {
 public:
  /// Of the store at `store`. An error that names the process when another one has it.
  static Result<SessionLock> take(const std::string& store, std::int64_t session);

  SessionLock(SessionLock&& other) noexcept;
  SessionLock& operator=(SessionLock&&) = delete;
  ~SessionLock();

 private:
  explicit SessionLock(int file) : file_(file) {}
  int file_;
};

}  // namespace tollgate::store
