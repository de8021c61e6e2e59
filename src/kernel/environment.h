// TlbEnvironment: everything a labelled step of the TLB protocols may do to the world. One call is one action on shared
// state or hardware; the world that runs the step gives it its effect, its cost and its place in time.
//
// Contract: a step makes at most one access to a variable that another CPU may write, plus any number to its own CPU's.
#pragma once

#include <concepts>

#include "kernel/policy.h"
#include "kernel/tlb_state.h"

namespace tollgate::kernel {

/// What a protocol's step did.
enum class Step : std::uint8_t {
  ran,      // one action taken; more follow
  blocked,  // the action is not enabled yet (waiting for other CPUs); nothing changed
  done,     // the last action was taken
};

enum class Whose : std::uint8_t { own, requested };  // who wanted a flush: this CPU, or another

template <typename E>
concept TlbEnvironment =
    requires(E env, MmId mm, const FlushRequest& request, int slot, Whose whose, const typename E::CpuSet& cpus) {
      { env.cpu() } -> std::same_as<CpuTlbState&>;
      { env.policy() } -> std::convertible_to<const Policy&>;
      { env.context_id(mm) } -> std::convertible_to<std::uint64_t>;
      { env.load_tlb_gen(mm) } -> std::convertible_to<std::uint64_t>;
      { env.bump_tlb_gen(mm) } -> std::convertible_to<std::uint64_t>;  // the new generation
      env.join_mask(mm);
      env.leave_mask(mm);
      { env.other_cpus_of(mm) } -> std::same_as<typename E::CpuSet>;  // the mm's mask without this CPU
      { env.other_online_cpus() } -> std::same_as<typename E::CpuSet>;
      { cpus.empty() } -> std::convertible_to<bool>;
      { env.needs_branch_barrier(mm) } -> std::convertible_to<bool>;
      env.branch_barrier();
      env.load_root(mm, slot, hw::NoFlush::set);  // MOV to CR3 at an mm switch: the kernel half's PCID
      env.flush_slot(slot, whose);                // the loaded slot's kernel PCID, all of it
      env.flush_page(hw::Vpn{}, request, whose);  // INVLPG: the current PCID's and the global translation
      { env.can_flush_other_pcid() } -> std::convertible_to<bool>;  // INVPCID
      env.flush_user_half_page(slot, hw::Vpn{}, whose);             // INVPCID type 0 on the slot's user PCID
      env.flush_everything(whose);                                  // globals too
      env.send(cpus, request);
      { env.all_acknowledged() } -> std::convertible_to<bool>;
      env.broadcast(request);  // the hardware's, see broadcast.h: no other CPU is interrupted
      env.broadcast_sync();
      env.flush_skipped();
    };

}  // namespace tollgate::kernel
