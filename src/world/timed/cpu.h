// Cpu: one hardware thread of the timed world: its clock, its MMU, its kernel state, its stack of routines, its ledger.
#pragma once

#include <deque>
#include <limits>
#include <memory>
#include <vector>

#include "evidence/events.h"
#include "hw/mmu.h"
#include "world/timed/action.h"
#include "world/timed/price_list.h"

namespace tollgate::world {

inline constexpr Cycles kNever{std::numeric_limits<std::int64_t>::max()};

/// What other CPUs ask of this one by interrupt.
struct Message {
  enum class Kind : std::uint8_t { flush, wake, force_exit };
  Cycles arrival;
  Kind kind = Kind::flush;
  std::uint32_t from = 0;    // flush, force_exit: the CPU that waits for the acknowledgement
  std::uint32_t number = 0;  // flush: request; wake: task
};

/// What was measured between the two ends of the window.
struct Snapshot {
  evidence::Ledger ledger;
  evidence::EventCounts events;
  Cycles in_kernel;  // time in kernel mode, idle and waiting included
};

class Cpu {
 public:
  Cpu(CpuId cpu_id, const hw::DrawnMachine& machine, hw::Core& core, std::uint32_t thread, bool pcid)
      : id(cpu_id), mmu(machine, core, thread, pcid) {}

  /// Charges `fine` to one account and moves the clock. The account's fraction of a cycle is carried to its next charge.
  void charge(evidence::Account account, FineCycles fine) {
    std::uint32_t& fraction = fractions_[static_cast<std::size_t>(account)];
    const FineCycles total = fine + fraction;
    fraction = static_cast<std::uint32_t>(total & ((1u << kFineBits) - 1));
    charge(account, Cycles(static_cast<std::int64_t>(total >> kFineBits)));
  }
  void charge(evidence::Account account, Cycles amount) {
    if (now + amount >= window_edge) [[unlikely]]
      amount = split_at_edge(account, amount);
    ledger.charge(account, amount);
    now += amount;
    if (mode == Mode::kernel) in_kernel += amount;
  }
  /// Waits until `time`, charging the wait.
  void wait_until(Cycles time, evidence::Account account) {
    if (time > now) charge(account, time - now);
  }
  /// The measured window is [begin, end): ledger and events are taken exactly there.
  void set_window(Cycles begin, Cycles end) {
    window_edge = begin;
    window_end_ = end;
    if (now >= begin) split_at_edge(evidence::Account::idle, Cycles(0));
  }

  bool interrupts_allowed() const;
  /// Whether the tick may take the CPU from the running task: not inside a flush or with a lock.
  bool preemptible() const;
  Routine& push();
  void pop() { --depth_; }
  Routine& top() { return routines_[depth_ - 1]; }
  const Routine& top() const { return routines_[depth_ - 1]; }
  std::size_t depth() const { return depth_; }

  CpuId id;
  hw::Mmu mmu;
  Cycles now{};
  Cycles step_began{};  // when it last began something that cannot be interrupted
  Cycles in_kernel{};
  Mode mode = Mode::kernel;
  std::vector<Mode> entered_from;
  kernel::CpuTlbState tlb;
  evidence::Ledger ledger;
  evidence::EventCounts events;
  hw::Vpn bases[kernel::kPlaces] = {};

  // Waiting for something that another CPU does; not in the queue of runnable CPUs.
  bool waiting = false;
  evidence::Account waiting_for = evidence::Account::idle;
  Cycles queued_for = kNever;  // its place in the queue of CPUs; older entries of the queue are out of date

  std::vector<Message> messages;  // by arrival
  Cycles next_tick = kNever;
  std::uint32_t acknowledgements_due = 0;
  Cycles last_acknowledgement{};
  bool lock_granted = false;
  Cycles lock_granted_at{};
  int locks = 0;           // held or waited for: no preemption
  int interrupts_off = 0;  // of these, with interrupts off

  // Scheduling.
  TaskId running = TaskId::none();
  std::deque<TaskId> runnable;
  Cycles slice_end{};
  bool idle = false;
  bool must_yield = false;  // the slice ended where the task could not be preempted

  // Guests.
  Cycles guest_since = kNever;  // when the guest began to work undisturbed; kNever: it does not

  // Observation.
  Cycles window_edge = kNever;
  std::vector<Snapshot> snapshots;
  Cycles next_observation{kNever.value / 2};  // in time spent in user mode
  Cycles user_time() const { return now - in_kernel; }

 private:
  Cycles split_at_edge(evidence::Account account, Cycles amount);

  Cycles window_end_ = kNever;
  std::array<std::uint32_t, evidence::kAccounts> fractions_{};
  std::array<Routine, 8> routines_;
  std::size_t depth_ = 0;
};

}  // namespace tollgate::world
