// Events: what the mechanism did, counted. One list: name, and what is counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tollgate::evidence {

enum class Event : std::uint8_t {
  operations,
  instructions_user,
  instructions_kernel,
  references,
  kernel_entries,
  page_faults,
  context_switches,
  mm_switches,
  cr3_writes,
  cr3_writes_noflush,
  itlb_misses,
  dtlb_misses,
  itlb_walks,
  dtlb_walks,
  walk_fetches_near,
  walk_fetches_far,
  walks_cold,
  walks_capacity,
  walks_refill,
  flushes_full,
  flushes_page,
  flushes_skipped,
  flushes_broadcast,
  ipi_rounds,
  ipis,
  line_transfers_near,
  line_transfers_far,
  lock_acquisitions,
  lock_contended,
  vm_exits,
  vm_exits_forced,
  vcpu_loads,
  vcpu_preemptions,
  vcpu_waits,
  vcpu_waits_polled,
  vmid_slow_paths,
  vmid_allocations,
  vmid_rollovers,
  count,
};
inline constexpr std::size_t kEvents = static_cast<std::size_t>(Event::count);

struct EventInfo {
  std::string_view name;
  std::string_view meaning;
};
/// In the order of Event.
inline constexpr std::array<EventInfo, kEvents> kEventInfo{{
    {"operations", "operations the workload finished"},
    {"instructions_user", "user instructions"},
    {"instructions_kernel", "kernel instructions"},
    {"references", "page references made, runs on one page counted once"},
    {"kernel_entries", "system calls, faults and interrupts from user mode"},
    {"page_faults", "page faults taken"},
    {"context_switches", "switches to another task"},
    {"mm_switches", "switches to another address space"},
    {"cr3_writes", "writes of CR3"},
    {"cr3_writes_noflush", "of these, with the no-flush bit"},
    {"itlb_misses", "first-level misses of the instruction side"},
    {"dtlb_misses", "first-level misses of the data side"},
    {"itlb_walks", "page walks of the instruction side"},
    {"dtlb_walks", "page walks of the data side"},
    {"walk_fetches_near", "page-table fetches served by the core's own caches"},
    {"walk_fetches_far", "page-table fetches served from further away"},
    {"walks_cold", "walks for pages never seen before"},
    {"walks_capacity", "walks for pages that were displaced"},
    {"walks_refill", "walks that repair a flush"},
    {"flushes_full", "flushes of a whole address space or of everything"},
    {"flushes_page", "flushes of one page"},
    {"flushes_skipped", "flush requests that found their work already done"},
    {"flushes_broadcast", "hardware broadcast invalidations"},
    {"ipi_rounds", "IPI rounds: one request to one or more CPUs"},
    {"ipis", "IPIs delivered, one a target CPU"},
    {"line_transfers_near", "contended cache lines moved within a socket"},
    {"line_transfers_far", "contended cache lines moved between sockets"},
    {"lock_acquisitions", "locks taken"},
    {"lock_contended", "of these, after waiting"},
    {"vm_exits", "exits from a guest, forced ones included"},
    {"vm_exits_forced", "of these, by the interrupt of a VMID rollover"},
    {"vcpu_loads", "times a vCPU was loaded on a CPU"},
    {"vcpu_preemptions", "times a vCPU lost its CPU to another task"},
    {"vcpu_waits", "times a vCPU waited for an interrupt (WFI)"},
    {"vcpu_waits_polled", "of these, ended while the CPU still polled"},
    {"vmid_slow_paths", "VMID updates that took the allocator's lock"},
    {"vmid_allocations", "VMIDs given out or renewed"},
    {"vmid_rollovers", "times the VMIDs ran out"},
}};

struct EventCounts {
  std::array<std::uint64_t, kEvents> counts{};

  void add(Event event, std::uint64_t times = 1) { counts[static_cast<std::size_t>(event)] += times; }
  std::uint64_t operator[](Event event) const { return counts[static_cast<std::size_t>(event)]; }
  EventCounts& operator+=(const EventCounts& other) {
    for (std::size_t i = 0; i < kEvents; ++i) counts[i] += other.counts[i];
    return *this;
  }
};

}  // namespace tollgate::evidence
