// The ledger: every cycle of every CPU is charged to exactly one account. The accounts add up to elapsed x CPUs, exactly.
// A delta between two variants is the difference of two ledgers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/cycles.h"

namespace tollgate::evidence {

/// Why translations were lost: each flush names its cause, and each refill is charged to the flush that made it needed.
enum class FlushCause : std::uint8_t {
  entry_cr3,         // kernel entry's CR3 write, where it flushes (no PCID)
  exit_cr3,          // return to user's CR3 write, where it flushes (no PCID)
  user_flush_mask,   // return to user with this PCID's bit pending in the user-flush mask
  mm_switch,         // switch to another mm whose slot was stale, recycled, or with no PCID
  local_shootdown,   // this CPU's own part of a page-table edit's flush
  remote_shootdown,  // a flush asked for by another CPU
  kernel_range,      // a flush of kernel addresses
  vmid_rollover,     // the VMIDs ran out: every guest's translations, on every CPU
  asid_rollover,     // the ASIDs ran out: this CPU's part of the flush
  count,
};
inline constexpr std::size_t kFlushCauses = static_cast<std::size_t>(FlushCause::count);
inline constexpr std::array<std::string_view, kFlushCauses> kFlushCauseNames{
    "entry_cr3",        "exit_cr3",     "user_flush_mask", "mm_switch",    "local_shootdown",
    "remote_shootdown", "kernel_range", "vmid_rollover",   "asid_rollover"};

enum class Account : std::uint8_t {
  user_work,
  kernel_work,
  entry_exit,
  cr3_write,
  stlb_hit,
  walk_cold,
  walk_capacity,
  walk_refill_first,  // one account a FlushCause follows, in its order
  walk_refill_last = walk_refill_first + kFlushCauses - 1,
  local_flush,
  ipi_send,
  ipi_wait,
  ipi_handling,
  lock_wait,
  line_transfer,
  mitigation_ibpb,
  guest_work,
  vm_exit,
  vcpu_load,
  halt_poll,
  idle,
  count,
};
inline constexpr std::size_t kAccounts = static_cast<std::size_t>(Account::count);

constexpr Account refill_account(FlushCause cause) {
  return static_cast<Account>(static_cast<int>(Account::walk_refill_first) + static_cast<int>(cause));
}

struct AccountInfo {
  std::string_view name;
  std::string_view meaning;
};
/// In the order of Account.
inline constexpr std::array<AccountInfo, kAccounts> kAccountInfo{{
    {"user_work", "instructions of user code at its base CPI"},
    {"kernel_work", "instructions of kernel code at its base CPI"},
    {"entry_exit", "entering and leaving the kernel, without CR3 writes"},
    {"cr3_write", "CR3 writes of entry, exit and mm switch"},
    {"stlb_hit", "first-level TLB misses that hit the second level"},
    {"walk_cold", "page walks for pages never seen before"},
    {"walk_capacity", "page walks for pages that were displaced"},
    {"walk_refill.entry_cr3", "page walks that repair the kernel entry's flush"},
    {"walk_refill.exit_cr3", "page walks that repair the flush on return to user"},
    {"walk_refill.user_flush_mask", "page walks that repair a deferred user-PCID flush"},
    {"walk_refill.mm_switch", "page walks that repair a flush at an mm switch"},
    {"walk_refill.local_shootdown", "page walks that repair a CPU's own flush"},
    {"walk_refill.remote_shootdown", "page walks that repair a flush asked for by another CPU"},
    {"walk_refill.kernel_range", "page walks that repair a flush of kernel addresses"},
    {"walk_refill.vmid_rollover", "page walks that repair the flush of a VMID rollover"},
    {"walk_refill.asid_rollover", "page walks that repair the flush of an ASID rollover"},
    {"local_flush", "invalidating instructions"},
    {"ipi_send", "sending interrupts to other CPUs"},
    {"ipi_wait", "waiting for other CPUs to acknowledge"},
    {"ipi_handling", "taking and serving interrupts of other CPUs"},
    {"lock_wait", "waiting for a contended lock"},
    {"line_transfer", "moving contended cache lines"},
    {"mitigation.ibpb", "branch predictor barriers"},
    {"guest_work", "instructions of guests"},
    {"vm_exit", "leaving and entering guests"},
    {"vcpu_load", "loading and putting the registers of vCPUs"},
    {"halt_poll", "polling for a wake-up of a vCPU that waits"},
    {"idle", "nothing to run"},
}};

struct Ledger {
  std::array<std::int64_t, kAccounts> cycles{};

  void charge(Account account, Cycles amount) { cycles[static_cast<std::size_t>(account)] += amount.value; }
  std::int64_t operator[](Account account) const { return cycles[static_cast<std::size_t>(account)]; }
  std::int64_t total() const {
    std::int64_t sum = 0;
    for (std::int64_t amount : cycles) sum += amount;
    return sum;
  }
  Ledger& operator+=(const Ledger& other) {
    for (std::size_t i = 0; i < kAccounts; ++i) cycles[i] += other.cycles[i];
    return *this;
  }
  friend Ledger operator-(Ledger a, const Ledger& b) {
    for (std::size_t i = 0; i < kAccounts; ++i) a.cycles[i] -= b.cycles[i];
    return a;
  }
};

}  // namespace tollgate::evidence
