#include "measure/watchdog.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>

#include "measure/leftovers.h"

namespace tollgate::measure {
namespace {

static_assert(std::atomic<pid_t>::is_always_lock_free, "two processes share it");

constexpr pid_t kOver = -1;  // in the place of a group: this program ends of its own accord, and leaves nothing

/// The process and the time, so that no other process is meant that once gets its number.
std::string make_mark() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return fmt::format("TOLLGATE_MEASURE_{:010}={:010}.{:09}", getpid(), now.tv_sec, now.tv_nsec);
}

/// Keeps `file` as descriptor 0 and no other: a pipe that this process held would never close for its reader.
void keep_only(int file) {
  dup2(file, 0);
  if (close_range(1, ~0U, 0) == 0) return;
  for (int other = 1; other < 1024; ++other) ::close(other);  // before Linux 5.9
}

/// The watchdog's part. Only calls that are safe after a fork.
[[noreturn]] void watch_until_closed(int pipe, const std::atomic<pid_t>& group, const std::string& mark) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  setsid();  // out of reach of what a terminal or a timeout sends to our group
  prctl(PR_SET_NAME, "tollgate-watch");
  keep_only(pipe);
  char none = 0;
  while (::read(0, &none, 1) < 0 && errno == EINTR) {
  }
  const pid_t left = group.load();
  if (left > 0) kill(-left, SIGKILL);
  if (left != kOver) end_marked(mark);
  _exit(0);
}

}  // namespace

Watchdog::Watchdog() : mark_(make_mark()) { start(); }

void Watchdog::start() {
  void* page = mmap(nullptr, sizeof *group_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int ends[2];
  if (page == MAP_FAILED || pipe2(ends, O_CLOEXEC) != 0) {
    error_ = errno;
    return;
  }
  group_ = new (page) std::atomic<pid_t>(0);
  process_ = pid_t(syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L));  // a fork but for SIGCHLD, which hides it from waitpid(-1)
  if (process_ == 0) watch_until_closed(ends[0], *group_, mark_);
  if (process_ < 0) error_ = errno;
  ::close(ends[0]);
  pipe_ = ends[1];
}

Watchdog::~Watchdog() {
  if (group_ != nullptr) group_->store(kOver);
  if (pipe_ >= 0) ::close(pipe_);
  while (process_ > 0 && waitpid(process_, nullptr, __WALL) < 0 && errno == EINTR) {
  }
}

Result<Watchdog*> Watchdog::running() {
  static Watchdog one;
  if (one.error_ != 0) return fail(fmt::format("cannot start a process: {}", std::strerror(one.error_)));
  return &one;
}

}  // namespace tollgate::measure
