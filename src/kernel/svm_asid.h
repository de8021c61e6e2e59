// SvmAsidUpdate: how KVM on AMD gives a vCPU the ASID it enters with. Every physical CPU hands out numbers of its own, in
// ascending order, and starts a new generation with a flush when they run out. There is no lock and nothing is reserved: a
// CPU's counters are its own, and a vCPU's variables belong to the one CPU that has it loaded. Linux runs these steps with
// interrupts off, from the first to the entry. (Recalled from arch/x86/kvm/svm/svm.c.)
#pragma once

#include <concepts>
#include <cstdint>

#include "kernel/environment.h"
#include "kernel/tag.h"

namespace tollgate::kernel {

/// What a physical CPU keeps.
struct SvmCpu {
  std::uint32_t generation = kFirstGeneration;
  std::uint32_t next =
      0;  // the ASID to hand out next; beyond the last one at boot, so the first update starts a generation
  bool operator==(const SvmCpu&) const = default;
};

inline constexpr std::uint32_t kNeverRan = 0xff;

/// What a vCPU keeps in its control block and beside it.
struct SvmVcpu {
  Tag tag = {};                        // means something on `last_cpu` alone
  std::uint32_t last_cpu = kNeverRan;  // where it last ran
  bool flush_at_entry = false;  // TLB_CONTROL asks the next entry of this vCPU, wherever it is, to flush all ASIDs
  bool operator==(const SvmVcpu&) const = default;
};

enum class SvmMigration : std::uint8_t {
  forget,  // a vCPU that was last run elsewhere has no ASID
  keep,    // it keeps its ASID as long as the generations are equal numbers: wrong on purpose
};

/// An environment is bound to one CPU and to the vCPU that it is about to run. Contract: nobody else touches either.
template <typename E>
concept SvmEnvironment = requires(E env) {
  { env.migration() } -> std::same_as<SvmMigration>;
  { env.this_cpu() } -> std::same_as<std::uint32_t>;
  { env.last_asid() } -> std::same_as<std::uint32_t>;  // the highest that the CPU has; 0 is the host's
  { env.cpu() } -> std::same_as<SvmCpu&>;
  { env.vcpu() } -> std::same_as<SvmVcpu&>;
};

struct SvmAsidUpdate {
  enum class Label : std::uint8_t { notice_move, compare, choose, new_generation, take, done };

  Label label = Label::notice_move;

  template <SvmEnvironment E>
  Step step(E& env) {
    switch (label) {
      case Label::notice_move:
        if (env.vcpu().last_cpu != env.this_cpu() && env.migration() == SvmMigration::forget) env.vcpu().tag = kNoTag;
        env.vcpu().last_cpu = env.this_cpu();
        label = Label::compare;
        break;
      case Label::compare:
        label = env.vcpu().tag.generation == env.cpu().generation ? Label::done : Label::choose;
        break;
      case Label::choose:
        label = env.cpu().next > env.last_asid() ? Label::new_generation : Label::take;
        break;
      case Label::new_generation:
        ++env.cpu().generation;
        env.cpu().next = 1;
        env.vcpu().flush_at_entry = true;
        label = Label::take;
        break;
      case Label::take:
        env.vcpu().tag = {env.cpu().generation, env.cpu().next++};
        label = Label::done;
        break;
      case Label::done:
        break;
    }
    return label == Label::done ? Step::done : Step::ran;
  }

  bool operator==(const SvmAsidUpdate&) const = default;
};

}  // namespace tollgate::kernel
