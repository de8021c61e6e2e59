// Counters of the kernel's perf events, of one command and everything it starts (perf_event_open(2), inherited, from its exec
// on). Kernel and user mode both count unless the event says ":u" or ":k".
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace tollgate::measure {

enum class Modes : std::uint8_t { both, user, kernel };

struct PerfEvent {
  std::string name;        // as asked for
  std::uint32_t type = 0;  // PERF_TYPE_...
  std::uint64_t config = 0;
  Modes modes = Modes::both;
};

/// "page-faults", "instructions:u", "r01c2" (a raw code of the CPU, hexadecimal): names as perf list prints them.
Result<PerfEvent> parse_perf_event(const std::string& text);

struct PerfCount {
  double value = 0;  // scaled up when the event had to share its counter
  double share = 1;  // of the time in which it was really counted
};

class PerfCounters {
 public:
  /// Opens the events on a process that has not called exec yet. The error says what to do when the kernel refuses.
  static Result<PerfCounters> open(std::span<const PerfEvent> events, pid_t process);

  PerfCounters(PerfCounters&& other) noexcept : events_(std::move(other.events_)), files_(std::move(other.files_)) {
    other.files_.clear();
  }
  PerfCounters& operator=(PerfCounters&&) = delete;
  ~PerfCounters();

  /// After the process is gone; one count an event.
  Result<std::vector<PerfCount>> read() const;

 private:
  PerfCounters() = default;
  std::vector<PerfEvent> events_;
  std::vector<int> files_;
};

}  // namespace tollgate::measure
