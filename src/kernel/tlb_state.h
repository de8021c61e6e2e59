// The variables of the x86 TLB core: per CPU, which mm and tag slot are loaded and how fresh each slot is.
// Models arch/x86/mm/tlb.c of Linux 4.14 to 4.20.
#pragma once

#include <array>
#include <cstdint>

#include "base/id.h"
#include "hw/translation.h"

namespace tollgate::kernel {

inline constexpr int kDynamicSlots = 6;  // enough for the hot tasks of a CPU, and the state fits two cache lines
inline constexpr MmId kInitMm{0};        // the kernel's own mm: no user half

/// A tag slot: whose translations it may hold, and up to which of that mm's flush generations they are fresh.
struct TlbSlot {
  std::uint64_t context_id = 0;  // 0: nobody's
  std::uint64_t tlb_gen = 0;
  bool operator==(const TlbSlot&) const = default;
};

struct CpuTlbState {
  MmId loaded_mm = kInitMm;
  std::uint8_t loaded_slot = 0;
  std::uint8_t next_slot = 0;
  std::uint8_t user_flush_mask = 0;     // a bit a slot: its user PCID must be flushed before it is next used
  bool is_lazy = false;                 // a kernel thread runs on the last task's mm
  bool invalidate_other = false;        // the slots not loaded may hold stale kernel translations
  std::uint64_t last_user_context = 0;  // whose branch predictions the CPU may hold; a stay in init_mm leaves them
  std::array<TlbSlot, kDynamicSlots> slots{};
  bool operator==(const CpuTlbState&) const = default;
};

/// The hardware PCIDs of a slot: PTI sets bit 11 for the user half's.
constexpr std::uint32_t kernel_pcid(int slot) { return std::uint32_t(slot) + 1; }
constexpr std::uint32_t user_pcid(int slot) { return kernel_pcid(slot) | 1u << 11; }

/// A flush that one CPU asks of others or of itself.
struct FlushRequest {
  enum class Scope : std::uint8_t { user, kernel };
  Scope scope = Scope::user;
  bool full = false;  // the whole address space (user), or everything with globals (kernel)
  hw::PageSize stride = hw::PageSize::k4K;
  MmId mm;
  hw::Vpn first = 0;
  hw::Vpn pages = 0;
  std::uint64_t new_tlb_gen = 0;  // the generation this flush brings the mm to (user)
  bool operator==(const FlushRequest&) const = default;
};

}  // namespace tollgate::kernel
