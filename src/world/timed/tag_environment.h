// TimedTagEnvironment: the timed world's side of the tag allocators: VMIDs of guests and ASIDs of the host. Every call has its
// effect on the allocator's variables and on TLBs, and charges the lines that have to move for it.
#pragma once

#include "kernel/tag_environment.h"
#include "world/timed/world.h"

namespace tollgate::world {

class TimedTagEnvironment {
 public:
  using CpuSet = CpuRange;
  using Tag = kernel::Tag;

  /// Whose tags they are: what a rollover flushes, and what is counted.
  enum class Whose : std::uint8_t { guests, host };
  TimedTagEnvironment(World& world, Cpu& cpu, Whose whose, std::uint32_t context);

  const kernel::TagPolicy& policy() const { return tags_.policy; }
  Tag load_tag();
  void store_tag(Tag tag);
  void store_tag_index(std::uint32_t index);
  void store_tag_generation(std::uint32_t generation);
  std::uint32_t load_generation();
  void bump_generation();
  Tag load_active();
  void store_active(Tag tag);
  Tag compare_exchange_active(Tag expected, Tag desired);
  Tag exchange_active(std::uint32_t cpu, Tag tag);
  bool try_lock();
  void unlock();

  Tag& reserved(std::uint32_t cpu);
  std::uint32_t& cursor() { return tags_.cursor; }
  std::uint32_t index_count() const { return tags_.indices; }
  void free_all_indices();
  bool taken(std::uint32_t index) const { return tags_.map.taken(index); }
  void take(std::uint32_t index) { tags_.map.take(index); }
  std::uint32_t next_free(std::uint32_t from) const { return tags_.map.next_free(from); }

  std::uint32_t this_cpu() const { return cpu_.id.value; }
  std::uint32_t cpu_count() const { return std::uint32_t(world_.cpus()); }
  CpuRange all_cpus() const { return {0, cpu_count()}; }
  std::uint32_t pick(CpuRange cpus) const { return cpus.next; }
  void force_exits();
  bool all_exited();
  void disable_interrupts() { ++cpu_.interrupts_off; }
  void enable_interrupts() { --cpu_.interrupts_off; }
  void flush_broadcast();
  void flush_local();
  void mark_flush_pending();
  bool take_flush_pending() { return std::exchange(own().flush_pending, false); }

 private:
  TagSlots& own() { return tags_.slots[cpu_.id.value]; }
  TagContext& context() { return tags_.contexts[context_]; }
  Line& shared_line();
  void count(evidence::Event event) {
    if (whose_ == Whose::guests) cpu_.events.add(event);
  }

  World& world_;
  Cpu& cpu_;
  Whose whose_;
  TagAllocator& tags_;
  std::uint32_t context_;
};

static_assert(kernel::TagEnvironment<TimedTagEnvironment>);

}  // namespace tollgate::world
