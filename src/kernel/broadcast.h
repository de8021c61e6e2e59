// What a hardware broadcast of a user flush (INVLPGB) does to one CPU's slots. The CPU is not interrupted and does not know,
// so two things differ from a flush by interrupt. The broadcast must reach the mm's slot on every CPU whether or not it is
// loaded: a CPU in the middle of a switch to this mm has read the generation and will not look again. And it may overtake an
// older one, so a slot counts as fresh only as far as that is certain; a slot left behind costs a flush at its next switch.
#pragma once

#include <algorithm>

#include "kernel/tlb_state.h"

namespace tollgate::kernel {

/// Calls `invalidate(slot)` for each slot that holds the mm's translations and brings its generation up where that is sure.
template <typename Invalidate>
void receive_broadcast(CpuTlbState& cpu, const FlushRequest& request, std::uint64_t context_id, Invalidate invalidate) {
  for (int slot = 0; slot < kDynamicSlots; ++slot) {
    TlbSlot& target = cpu.slots[std::size_t(slot)];
    if (target.context_id != context_id) continue;
    invalidate(slot);
    if (request.full || request.new_tlb_gen == target.tlb_gen + 1)
      target.tlb_gen = std::max(target.tlb_gen, request.new_tlb_gen);
  }
}

}  // namespace tollgate::kernel
