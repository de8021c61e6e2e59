// Shootdown: flushing an edited range of an mm, or of the kernel, everywhere it may be cached, as labelled atomic steps.
// The generation is bumped before the mask is read (see switch_mm.h for why). The debt rides along until every CPU has
// answered: only then may the freed frames be reused.
#pragma once

#include "kernel/flush_debt.h"
#include "kernel/flush_handler.h"

namespace tollgate::kernel {

template <typename CpuSet>
struct Shootdown {
  enum class Label : std::uint8_t { bump_gen, read_mask, local, send, broadcast, sync, wait, done };

  FlushDebtState debt;
  FlushRequest::Scope scope = FlushRequest::Scope::user;
  Label label = Label::bump_gen;
  FlushRequest request = {};
  CpuSet targets = {};
  FlushHandler own = {};
  bool sent = false;

  template <TlbEnvironment E>
  Step step(E& env) {
    switch (label) {
      case Label::bump_gen:
        bump_gen(env);
        label = Label::read_mask;
        break;
      case Label::read_mask:
        read_mask(env);
        break;
      case Label::local:
        if (own.step(env) == Step::done) label = sent ? Label::wait : (targets.empty() ? Label::done : Label::send);
        break;
      case Label::send:
        env.send(targets, request);
        sent = true;
        label = env.policy().shootdown == ShootdownMode::concurrent ? Label::local : Label::wait;
        break;
      case Label::broadcast:
        env.broadcast(request);
        label = Label::sync;
        break;
      case Label::sync:
        env.broadcast_sync();
        label = Label::done;
        break;
      case Label::wait:
        if (!env.all_acknowledged()) return Step::blocked;
        label = Label::done;
        break;
      case Label::done:
        break;
    }
    return label == Label::done ? Step::done : Step::ran;
  }

  /// This CPU's own part runs with interrupts off. Everywhere else it must serve other CPUs' requests, or two flushers
  /// would wait for each other for ever; and the task stays on this CPU until the end.
  bool interrupts_off() const { return label == Label::local; }

  bool operator==(const Shootdown&) const = default;

 private:
  template <TlbEnvironment E>
  void bump_gen(E& env) {
    const bool user = scope == FlushRequest::Scope::user;
    request = {scope,
               debt.pages > hw::Vpn(env.policy().flush_ceiling),
               debt.stride,
               debt.mm,
               debt.first,
               debt.pages,
               user ? env.bump_tlb_gen(debt.mm) : 0};
    own.request = request;
    own.whose = Whose::own;
  }

  template <TlbEnvironment E>
  void read_mask(E& env) {
    targets = scope == FlushRequest::Scope::user ? env.other_cpus_of(debt.mm) : env.other_online_cpus();
    const ShootdownMode mode = env.policy().shootdown;
    if (mode == ShootdownMode::broadcast && !targets.empty())
      label = Label::broadcast;
    else
      label = mode == ShootdownMode::concurrent && !targets.empty() ? Label::send : Label::local;
  }
};

}  // namespace tollgate::kernel
