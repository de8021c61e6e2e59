// TagEnvironment: everything a labelled step of a tag allocator may do to the world. An environment is bound to one CPU and
// to the context (a VM or an mm) that this CPU is about to run; the world that runs the step gives each call its effect, its
// cost and its place in time.
//
// Contract: a step makes at most one access to a variable that another CPU may access at that moment, plus any number to its
// own CPU's variables and, with the lock held, to those that only holders of the lock touch.
#pragma once

#include <concepts>
#include <cstdint>

#include "kernel/environment.h"
#include "kernel/tag.h"
#include "kernel/tag_policy.h"

namespace tollgate::kernel {

template <typename E>
concept TagEnvironment = requires(E env, Tag tag, std::uint32_t index, std::uint32_t cpu, typename E::CpuSet cpus) {
  { env.policy() } -> std::convertible_to<const TagPolicy&>;
  // Read and written by any CPU.
  { env.load_tag() } -> std::same_as<Tag>;  // of the context
  env.store_tag(tag);
  env.store_tag_index(index);
  env.store_tag_generation(index);
  { env.load_generation() } -> std::same_as<std::uint32_t>;
  env.bump_generation();
  { env.load_active() } -> std::same_as<Tag>;  // this CPU's: only a rollover elsewhere writes it too
  env.store_active(tag);
  { env.compare_exchange_active(tag, tag) } -> std::same_as<Tag>;  // expected, desired; what was there
  { env.exchange_active(cpu, tag) } -> std::same_as<Tag>;
  { env.try_lock() } -> std::same_as<bool>;
  env.unlock();
  // Touched only with the lock held.
  { env.reserved(cpu) } -> std::same_as<Tag&>;
  { env.cursor() } -> std::same_as<std::uint32_t&>;
  { env.index_count() } -> std::same_as<std::uint32_t>;  // the host's 0 included
  env.free_all_indices();
  { env.taken(index) } -> std::same_as<bool>;
  env.take(index);
  { env.next_free(index) } -> std::same_as<std::uint32_t>;  // from here to the end; 0 when there is none
  // Other CPUs.
  { env.this_cpu() } -> std::same_as<std::uint32_t>;
  { env.cpu_count() } -> std::same_as<std::uint32_t>;
  { env.all_cpus() } -> std::same_as<typename E::CpuSet>;
  { env.pick(cpus) } -> std::same_as<std::uint32_t>;  // the next of a loop over CPUs: any order is as good
  { cpus.empty() } -> std::same_as<bool>;
  cpus.remove(cpu);
  env.force_exits();  // an IPI to every other CPU
  { env.all_exited() } -> std::same_as<bool>;
  // This CPU's interrupts and TLB, and everybody's.
  env.disable_interrupts();
  env.enable_interrupts();
  env.flush_broadcast();
  env.flush_local();
  env.mark_flush_pending();  // on all CPUs
  { env.take_flush_pending() } -> std::same_as<bool>;
};

}  // namespace tollgate::kernel
