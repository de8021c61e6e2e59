// FlushHandler: one CPU's part of a flush, its own or asked for by another CPU, as labelled atomic steps. A CPU that runs a
// kernel thread on a borrowed mm leaves that mm instead of flushing it. A request is served page by page only when it is
// exactly the next generation and the newest one; anything else flushes the address space and catches up at once.
#pragma once

#include "kernel/switch_mm.h"

namespace tollgate::kernel {

struct FlushHandler {
  enum class Label : std::uint8_t { check, leave_lazy, read_gen, flush, publish, flush_kernel, done };

  FlushRequest request;
  Whose whose = Whose::requested;
  Label label = Label::check;
  std::uint64_t mm_gen = 0;
  SwitchMm leave = {};

  template <TlbEnvironment E>
  Step step(E& env) {
    CpuTlbState& cpu = env.cpu();
    switch (label) {
      case Label::check:
        check(cpu);
        break;
      case Label::leave_lazy:
        if (leave.step(env) == Step::done) label = Label::done;
        break;
      case Label::read_gen:
        mm_gen = env.load_tlb_gen(request.mm);
        label = cpu.slots[cpu.loaded_slot].tlb_gen == mm_gen ? Label::done : Label::flush;
        if (label == Label::done) env.flush_skipped();
        break;
      case Label::flush:
        flush_user(env);
        label = Label::publish;
        break;
      case Label::publish:
        cpu.slots[cpu.loaded_slot].tlb_gen = mm_gen;
        label = Label::done;
        break;
      case Label::flush_kernel:
        flush_kernel(env);
        label = Label::done;
        break;
      case Label::done:
        break;
    }
    return label == Label::done ? Step::done : Step::ran;
  }

  bool operator==(const FlushHandler&) const = default;

 private:
  void check(CpuTlbState& cpu) {
    if (request.scope == FlushRequest::Scope::kernel)
      label = Label::flush_kernel;
    else if (cpu.loaded_mm != request.mm)
      label = Label::done;
    else if (cpu.is_lazy) {
      leave.next = kInitMm;
      label = Label::leave_lazy;
    } else
      label = Label::read_gen;
  }

  template <TlbEnvironment E>
  void flush_user(E& env) {
    CpuTlbState& cpu = env.cpu();
    const int slot = cpu.loaded_slot;
    const std::uint64_t local_gen = cpu.slots[std::size_t(slot)].tlb_gen;
    const bool partial = !request.full && request.new_tlb_gen == local_gen + 1 && request.new_tlb_gen == mm_gen;
    const bool has_user_pcid = env.policy().pti == Pti::on && env.policy().pcid == PcidUse::on;
    const bool reaches_user_pcid = partial && env.can_flush_other_pcid();
    if (!partial) env.flush_slot(slot, whose);
    for (hw::Vpn page = 0; partial && page < request.pages; ++page) {
      const hw::Vpn vpn = request.first + (page << hw::pages_shift(request.stride));
      env.flush_page(vpn, request, whose);
      if (has_user_pcid && reaches_user_pcid) env.flush_user_half_page(slot, vpn, whose);
    }
    // What cannot be flushed from here goes with the next return to user mode.
    if (has_user_pcid && !reaches_user_pcid) cpu.user_flush_mask = std::uint8_t(cpu.user_flush_mask | 1u << slot);
  }

  template <TlbEnvironment E>
  void flush_kernel(E& env) {
    if (request.full) {
      env.flush_everything(whose);
      return;
    }
    for (hw::Vpn page = 0; page < request.pages; ++page)
      env.flush_page(request.first + (page << hw::pages_shift(request.stride)), request, whose);
    // Where kernel pages are not global the same pages may be cached under the other slots' PCIDs.
    if (env.policy().global_pages != GlobalSet::all && env.policy().pcid == PcidUse::on)
      env.cpu().invalidate_other = true;
  }
};

}  // namespace tollgate::kernel
