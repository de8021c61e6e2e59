// Interconnect: cache lines that several CPUs write, and locks on them. A line serves one request at a time, in global time
// order: a request waits while earlier ones are served and then takes its own transfer. That queue, and nothing else, is
// where contention comes from.
#pragma once

#include <deque>
#include <vector>

#include "base/cpu_set.h"
#include "base/cycles.h"
#include "base/id.h"
#include "hw/machine.h"

namespace tollgate::world {

/// How far a line had to come.
enum class Distance : std::uint8_t { own, near, far };

/// A line is either its last writer's alone or shared by those who have read it since.
struct Line {
  CpuId owner = CpuId::none();  // the last writer
  Cycles busy_until{};
  CpuSet readers;  // since the last write, besides the owner
  bool shared = false;
};

/// Whether a lock is waited for and held with interrupts on (spin_lock) or off (spin_lock_irqsave).
enum class LockKind : std::uint8_t { interrupts_on, interrupts_off };

/// A fair queueing lock, as the kernel's qspinlock: waiters are served in the order they came.
struct Lock {
  LockKind kind = LockKind::interrupts_on;
  Line line;
  CpuId holder = CpuId::none();
  std::deque<CpuId> waiters;
};

class Topology {
 public:
  Topology(int cpus, const hw::Topology& machine);
  int socket_of(CpuId cpu) const;
  /// Fewer CPUs than the machine has fill one thread of each core first, socket by socket; then the other threads.
  std::uint32_t core_of(CpuId cpu) const { return cpu.value % cores_; }
  std::uint32_t thread_of(CpuId cpu) const { return cpu.value / cores_; }
  std::uint32_t cores() const { return cores_; }
  Distance distance(CpuId from, CpuId to) const;

 private:
  std::uint32_t cores_;           // that the simulated CPUs use
  std::uint32_t cores_a_socket_;  // of the machine
};

}  // namespace tollgate::world
