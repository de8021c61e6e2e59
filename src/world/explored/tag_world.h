// TagWorld: the explored world's side of the tag allocators. Every call is one action on a TagState.
//
// TLBs fill as eagerly as they can: whenever a base register may be walked, its context's translations are there. A TLB never
// decides what a protocol does next, and every invariant about TLBs fails on more content if it fails on less; so a lazy
// fill reaches no failure that the eager one does not, and the eager one needs no states of its own.
#pragma once

#include <utility>

#include "kernel/tag_environment.h"
#include "world/explored/tag_state.h"

namespace tollgate::explored {

template <typename Protocol>
class TagWorld {
 public:
  using CpuSet = SmallCpuSet;
  using State = TagState<Protocol>;
  using Tag = kernel::Tag;

  /// `choice`: which CPU `pick` picks. The model tries every one, so no order of a loop over CPUs is left out.
  TagWorld(const TagSetting& setting, State& state, std::uint32_t cpu, std::uint32_t choice)
      : setting_(setting), state_(state), cpu_(cpu), choice_(choice) {}

  const kernel::TagPolicy& policy() const { return setting_.policy; }
  std::uint32_t this_cpu() const { return cpu_; }
  std::uint32_t cpu_count() const { return setting_.cpus; }
  Tag load_tag() const { return state_.tags[own().context]; }
  void store_tag(Tag tag) { state_.tags[own().context] = tag; }
  void store_tag_index(std::uint32_t index) { state_.tags[own().context].index = index; }
  void store_tag_generation(std::uint32_t generation) { state_.tags[own().context].generation = generation; }
  std::uint32_t load_generation() const { return state_.generation; }
  void bump_generation() { ++state_.generation; }
  Tag load_active() const { return own().active; }
  void store_active(Tag tag) { own().active = tag; }
  Tag compare_exchange_active(Tag expected, Tag desired) {
    const Tag found = own().active;
    if (found == expected) own().active = desired;
    return found;
  }
  Tag exchange_active(std::uint32_t cpu, Tag tag) { return std::exchange(state_.cpus[cpu].active, tag); }
  bool try_lock() {
    if (state_.lock_holder != 0) return false;
    state_.lock_holder = std::uint8_t(cpu_ + 1);
    return true;
  }
  void unlock() { state_.lock_holder = 0; }

  Tag& reserved(std::uint32_t cpu) { return state_.cpus[cpu].reserved; }
  std::uint32_t& cursor() { return state_.cursor; }
  std::uint32_t index_count() const { return setting_.indices; }
  void free_all_indices() { state_.taken = 0; }
  bool taken(std::uint32_t index) const { return state_.taken >> index & 1; }
  void take(std::uint32_t index) {
    // Index 0 is the host's: its bit means nothing, and kept at 0 it does not tell equal states apart.
    if (index != 0) state_.taken |= 1u << index;
  }
  std::uint32_t next_free(std::uint32_t from) const {
    for (std::uint32_t index = from; index < setting_.indices; ++index)
      if (!taken(index)) return index;
    return 0;
  }

  SmallCpuSet all_cpus() const { return SmallCpuSet::first(setting_.cpus); }
  std::uint32_t pick(SmallCpuSet) const { return choice_; }
  void force_exits() {
    for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu) state_.cpus[cpu].exit_requested = cpu != cpu_;
  }
  bool all_exited() const {
    for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu)
      if (state_.cpus[cpu].exit_requested) return false;
    return true;
  }
  void disable_interrupts() { own().interrupts_off = true; }
  void enable_interrupts() { own().interrupts_off = false; }
  void flush_broadcast() {
    for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu) flush(cpu);
  }
  void flush_local() { flush(cpu_); }
  void mark_flush_pending() {
    for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu) state_.cpus[cpu].flush_pending = true;
  }
  bool take_flush_pending() { return std::exchange(own().flush_pending, false); }

  /// One step of an update, in this world.
  kernel::Step run(Protocol& update) { return update.step(*this); }

  /// What the CPU's loop does between updates.
  void load_context(std::uint8_t context) {
    own().context = context;
    own().update = {};
    own().phase = Phase::updating;
  }
  void enter() {
    own().base_context = own().context;
    own().base_index = std::uint8_t(load_tag().index);
    own().interrupts_off = false;
    own().phase = Phase::running;
    fill(cpu_);
  }
  void leave() {
    own().phase = Phase::exited;
    own().interrupts_off = false;
    if (setting_.speculation == Speculation::guest) {
      own().base_context = kNoContext;
      own().base_index = 0;
    }
  }
  void schedule_out() {
    using Out = kernel::TagPolicy::ScheduleOut;
    if (setting_.policy.schedule_out == Out::clear) own().active = kernel::kNoTag;
    if (setting_.policy.schedule_out == Out::mark_invalid) own().active = kernel::kInvalidTag;
    own().context = kNoContext;
    own().phase = Phase::idle;
  }
  void take_interrupt() {
    own().exit_requested = false;
    if (own().phase == Phase::running) leave();
  }

 private:
  TagCpu<Protocol>& own() { return state_.cpus[cpu_]; }
  const TagCpu<Protocol>& own() const { return state_.cpus[cpu_]; }

  void flush(std::uint32_t cpu) {
    state_.cpus[cpu].tlb.fill(kNoContext);
    fill(cpu);
  }
  void fill(std::uint32_t number) {
    TagCpu<Protocol>& cpu = state_.cpus[number];
    if (cpu.base_context == kNoContext) return;
    std::uint8_t& entry = cpu.tlb[cpu.base_index];
    if (entry != kNoContext && entry != cpu.base_context) cpu.clash = cpu.base_index;
    entry = cpu.base_context;
  }

  const TagSetting& setting_;
  State& state_;
  std::uint32_t cpu_;
  std::uint32_t choice_;
};

static_assert(kernel::TagEnvironment<TagWorld<kernel::CounterUpdate>>);
static_assert(kernel::TagEnvironment<TagWorld<kernel::WrappingUpdate>>);
static_assert(kernel::TagEnvironment<TagWorld<kernel::BitmapUpdate<SmallCpuSet>>>);

}  // namespace tollgate::explored
