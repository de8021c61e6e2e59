// SwitchMm: loading another mm on this CPU, as labelled atomic steps. The order that matters: join the new mm's CPU mask,
// then read its generation. A flusher bumps the generation, then reads the mask; so either it sees this CPU in the mask,
// or this CPU sees the new generation.
#pragma once

#include "kernel/environment.h"

namespace tollgate::kernel {

/// Which slot the next mm gets, and whether its old content must go.
struct SlotChoice {
  int slot = 0;
  bool flush = true;
};

/// Own variables only: called within one step.
inline SlotChoice choose_slot(CpuTlbState& cpu, std::uint64_t context_id, std::uint64_t tlb_gen, PcidUse pcid) {
  if (pcid == PcidUse::off) return {0, true};
  if (cpu.invalidate_other) {
    for (int slot = 0; slot < kDynamicSlots; ++slot)
      if (slot != cpu.loaded_slot) cpu.slots[std::size_t(slot)].context_id = 0;
    cpu.invalidate_other = false;
  }
  for (int slot = 0; slot < kDynamicSlots; ++slot)
    if (cpu.slots[std::size_t(slot)].context_id == context_id)
      return {slot, cpu.slots[std::size_t(slot)].tlb_gen < tlb_gen};
  const int slot = cpu.next_slot;
  cpu.next_slot = std::uint8_t((slot + 1) % kDynamicSlots);
  return {slot, true};
}

struct SwitchMm {
  enum class Label : std::uint8_t { compare, barrier, leave_old, join_new, read_gen, recheck_gen, load_root, done };

  MmId next;
  Label label = Label::compare;
  std::uint64_t next_gen = 0;

  template <TlbEnvironment E>
  Step step(E& env) {
    CpuTlbState& cpu = env.cpu();
    switch (label) {
      case Label::compare:
        compare(env);
        break;
      case Label::barrier:
        env.branch_barrier();
        label = Label::leave_old;
        break;
      case Label::leave_old:
        if (cpu.loaded_mm != kInitMm) env.leave_mask(cpu.loaded_mm);
        label = Label::join_new;
        break;
      case Label::join_new:
        if (next != kInitMm) env.join_mask(next);
        label = Label::read_gen;
        break;
      case Label::read_gen:
        next_gen = env.load_tlb_gen(next);
        label = Label::load_root;
        break;
      case Label::recheck_gen:
        next_gen = env.load_tlb_gen(next);
        label = cpu.slots[cpu.loaded_slot].tlb_gen < next_gen ? Label::load_root : Label::done;
        break;
      case Label::load_root:
        load_root(env);
        label = Label::done;
        break;
      case Label::done:
        break;
    }
    return label == Label::done ? Step::done : Step::ran;
  }

  bool operator==(const SwitchMm&) const = default;

 private:
  template <TlbEnvironment E>
  void compare(E& env) {
    CpuTlbState& cpu = env.cpu();
    const bool was_lazy = std::exchange(cpu.is_lazy, false);
    if (cpu.loaded_mm == next)
      label = was_lazy ? Label::recheck_gen : Label::done;
    else
      label = needs_barrier(env) ? Label::barrier : Label::leave_old;
  }

  /// Only a change of user needs one: not init_mm, and not the return to the mm that ran before it.
  template <TlbEnvironment E>
  bool needs_barrier(E& env) const {
    return next != kInitMm && env.context_id(next) != env.cpu().last_user_context && env.needs_branch_barrier(next);
  }

  template <TlbEnvironment E>
  void load_root(E& env) {
    CpuTlbState& cpu = env.cpu();
    const SlotChoice choice = choose_slot(cpu, env.context_id(next), next_gen, env.policy().pcid);
    env.load_root(next, choice.slot, choice.flush ? hw::NoFlush::clear : hw::NoFlush::set);
    if (choice.flush && env.policy().pti == Pti::on && env.policy().pcid == PcidUse::on)
      cpu.user_flush_mask = std::uint8_t(cpu.user_flush_mask | 1u << choice.slot);
    cpu.loaded_mm = next;
    cpu.loaded_slot = std::uint8_t(choice.slot);
    cpu.slots[std::size_t(choice.slot)] = {env.context_id(next), next_gen};
    if (next != kInitMm) cpu.last_user_context = env.context_id(next);
  }
};

}  // namespace tollgate::kernel
