#include "measure/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace tollgate::measure {
namespace {

constexpr int kPasses = 1000;  // over all processes, while there are still new ones

/// 0 for what is no number.
pid_t number_of(std::string_view name) {
  pid_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : 0;
}

/// From /proc/PID/stat: "PID (name) state parent ..."; a name may hold anything.
pid_t parent_of(const std::filesystem::path& process) {
  std::ifstream file(process / "stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(") ");
  if (name_end == std::string::npos || line.size() < name_end + 5) return 0;
  const std::string_view rest = std::string_view(line).substr(name_end + 4);
  return number_of(rest.substr(0, rest.find(' ')));
}

bool holds(int file, const std::string& mark) {
  char buffer[16384];
  std::size_t kept = 0;
  ssize_t got = 0;
  while ((got = ::read(file, buffer + kept, sizeof buffer - kept)) > 0) {
    const std::size_t size = kept + std::size_t(got);
    if (memmem(buffer, size, mark.data(), mark.size()) != nullptr) return true;
    kept = std::min(size, mark.size() - 1);
    std::memmove(buffer, buffer + size - kept, kept);
  }
  return false;
}

/// Whether it was there and could be signalled. `processes` is /proc.
bool end_if_marked(int processes, const char* name, const std::string& mark) {
  const pid_t process = number_of(name);
  if (process <= 0 || process == getpid()) return false;
  const int folder = openat(processes, name, O_RDONLY | O_DIRECTORY);
  if (folder < 0) return false;
  const int file = openat(folder, "environ", O_RDONLY);
  const bool marked = file >= 0 && holds(file, mark);
  if (file >= 0) ::close(file);
  ::close(folder);
  return marked && kill(process, SIGKILL) == 0;
}

std::size_t end_marked_once(const std::string& mark) {
  const int processes = ::open("/proc", O_RDONLY | O_DIRECTORY);
  if (processes < 0) return 0;
  alignas(dirent64) char buffer[8192];
  std::size_t ended = 0;
  long got = 0;
  while ((got = syscall(SYS_getdents64, processes, buffer, sizeof buffer)) > 0)
    for (long at = 0; at < got; at += reinterpret_cast<dirent64*>(buffer + at)->d_reclen)
      ended += end_if_marked(processes, reinterpret_cast<dirent64*>(buffer + at)->d_name, mark);
  ::close(processes);
  return ended;
}

}  // namespace

void adopt_orphans(bool adopt) { prctl(PR_SET_CHILD_SUBREAPER, adopt ? 1 : 0); }

std::vector<pid_t> children() {
  std::vector<pid_t> found;
  std::error_code error;
  for (std::filesystem::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error))
    if (const pid_t process = number_of(at->path().filename().native());
        process > 0 && parent_of(at->path()) == getpid())
      found.push_back(process);
  return found;
}

std::size_t end_children(std::span<const pid_t> kept) {
  std::size_t ended = 0;
  for (bool any = true; any;) {
    pid_t gone = 0;
    while ((gone = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (gone < 0) return ended;  // there is no child
    any = false;
    for (const pid_t child : children()) {
      if (std::ranges::find(kept, child) != kept.end() || kill(child, SIGKILL) != 0) continue;
      any = true;
      int status = 0;
      while (waitpid(child, &status, __WALL) < 0 && errno == EINTR) {
      }
      ended += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    }
  }
  return ended;
}

void end_marked(const std::string& mark) {
  for (int pass = 0; pass < kPasses && end_marked_once(mark) > 0; ++pass) {
  }
}

}  // namespace tollgate::measure
