// Watchdog: a process of its own that ends a run's process group, and whatever else carries its mark, when this program dies
// without having ended it. Between runs and during them it sleeps in a read that only the death of this program ends, so that
// no run's time sees it. waitpid(-1) of this process does not see the watchdog.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <string>

#include "base/result.h"

namespace tollgate::measure {

class Watchdog {
 public:
  /// The one of this process, started at the first call. It ends with the program.
  static Result<Watchdog*> running();

  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  /// The group to end; 0 for none. Also for a child of this process, between its fork and its exec.
  void watch(pid_t group) { group_->store(group); }

  /// "NAME=VALUE", of this process alone: what has it in its environment ends with this program.
  const std::string& mark() const { return mark_; }

 private:
  Watchdog();
  void start();

  std::string mark_;
  std::atomic<pid_t>* group_ = nullptr;  // in memory that both processes see
  int pipe_ = -1;                        // closes when this process is gone
  pid_t process_ = -1;
  int error_ = 0;  // errno of what failed
};

}  // namespace tollgate::measure
