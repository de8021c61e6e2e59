// TagWorld: the explored world's side of the tag allocators. Every call is one action on a TagState.
//
// TLBs fill as eagerly as they can: whenever a base register may be walked, its context's translations are there. A TLB never
// decides what a protocol does next, and every invariant about TLBs fails on more content if it fails on less; so a lazy
// fill reaches no failure that the eager one does not, and the eager one needs no states of its own.
//
// Every call also notes what it touches that other CPUs may touch at that moment (Footprint). The lock's discipline: only a
// holder touches reservations, cursor and bitmap, writes tags and the generation, takes or flushes what is another CPU's. So
// a holder's reads of all these, and its writes of its own active slot, are its own business.
#pragma once

#include <optional>
#include <utility>

#include "kernel/tag_environment.h"
#include "world/explored/model.h"
#include "world/explored/tag_state.h"

namespace tollgate::explored {

template <typename Protocol>
class TagWorld {
 public:
  using CpuSet = SmallCpuSet;
  using State = TagState<Protocol>;
  using Tag = kernel::Tag;

  /// `choice`: which CPU `pick` picks, or which index a search finds where any may be found. The model tries every one, so no
  /// order of a loop is left out.
  TagWorld(const TagSetting& setting, State& state, std::uint32_t cpu, std::uint32_t choice)
      : setting_(setting), state_(state), cpu_(cpu), choice_(choice) {}

  const kernel::TagPolicy& policy() const { return setting_.policy; }
  std::uint32_t this_cpu() const { return cpu_; }
  std::uint32_t cpu_count() const { return setting_.cpus; }
  Tag load_tag() {
    reads_locked();
    return tag_of_own_context();
  }
  void store_tag(Tag tag) {
    writes_under_lock();
    state_.tags[own().context] = tag;
  }
  void store_tag_index(std::uint32_t index) {
    writes_under_lock();
    state_.tags[own().context].index = index;
  }
  void store_tag_generation(std::uint32_t generation) {
    writes_under_lock();
    state_.tags[own().context].generation = generation;
  }
  std::uint32_t load_generation() {
    reads_locked();
    return state_.generation;
  }
  void bump_generation() {
    writes_under_lock();
    ++state_.generation;
  }
  Tag load_active() {
    reads_locked();
    return own().active;
  }
  void store_active(Tag tag) {
    reads_locked();
    own().active = tag;
  }
  Tag compare_exchange_active(Tag expected, Tag desired) {
    reads_locked();
    const Tag found = own().active;
    if (found == expected) own().active = desired;
    return found;
  }
  Tag exchange_active(std::uint32_t cpu, Tag tag) {
    if (cpu == cpu_)
      reads_locked();
    else
      writes_under_lock();
    return std::exchange(state_.cpus[cpu].active, tag);
  }
  bool try_lock() {
    if (state_.lock_holder != 0) return false;
    state_.lock_holder = std::uint8_t(cpu_ + 1);
    footprint_.acquires = true;
    return true;
  }
  /// Whoever waits for the lock can do nothing before, so giving it up at once loses no order.
  void unlock() {
    needs_lock();
    state_.lock_holder = 0;
  }

  Tag& reserved(std::uint32_t cpu) {
    needs_lock();
    return state_.cpus[cpu].reserved;
  }
  std::uint32_t& cursor() {
    needs_lock();
    return state_.cursor;
  }
  std::uint32_t index_count() const { return setting_.indices; }
  void free_all_indices() {
    needs_lock();
    state_.taken = 0;
    if (setting_.behaviour == Behaviour::wider) state_.cursor = 0;
  }
  bool taken(std::uint32_t index) {
    needs_lock();
    return state_.taken >> index & 1;
  }
  void take(std::uint32_t index) {
    needs_lock();
    // Index 0 is the host's: its bit means nothing, and kept at 0 it does not tell equal states apart.
    if (index != 0) state_.taken |= 1u << index;
  }
  std::uint32_t next_free(std::uint32_t from) {
    if (setting_.behaviour == Behaviour::wider) {
      footprint_.undisciplined |= from != 1;
      found_ = choice_;
      return choice_;
    }
    for (std::uint32_t index = from; index < setting_.indices; ++index)
      if (!taken(index)) return index;
    return 0;
  }

  SmallCpuSet all_cpus() const { return SmallCpuSet::first(setting_.cpus); }
  std::uint32_t pick(SmallCpuSet) const { return choice_; }
  void force_exits() {
    footprint_.shared = true;
    for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu) state_.cpus[cpu].exit_requested = cpu != cpu_;
  }
  bool all_exited() {
    footprint_.shared = true;
    for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu)
      if (state_.cpus[cpu].exit_requested) return false;
    return true;
  }
  void disable_interrupts() { own().interrupts_off = true; }
  void enable_interrupts() { own().interrupts_off = false; }
  void flush_broadcast() {
    writes_under_lock();
    for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu) flush(cpu);
  }
  void flush_local() {
    reads_locked();
    flush(cpu_);
  }
  void mark_flush_pending() {
    writes_under_lock();
    for (std::uint32_t cpu = 0; cpu < setting_.cpus; ++cpu) {
      state_.cpus[cpu].flush_pending = true;
      if (setting_.behaviour == Behaviour::wider) expect_flush(cpu);
    }
  }
  bool take_flush_pending() {
    reads_locked();
    return std::exchange(own().flush_pending, false);
  }

  /// One step of an update, in this world.
  kernel::Step run(Protocol& update) { return update.step(*this); }

  /// A search finds none only where none is free if none is free below the cursor. That is so as long as the cursor moves to what
  /// a search has found, and to nothing else, until all are freed. The wider behaviour rests on it, and takes 1 for any such place.
  void settle_cursor(std::uint32_t before) {
    if (!kSearches || setting_.behaviour == Behaviour::exact) return;
    if (state_.cursor == before || state_.cursor == 0) return;
    footprint_.undisciplined |= state_.cursor != found_;
    state_.cursor = 1;
  }

  /// What the CPU's loop does between updates.
  void load_context(std::uint8_t context) {
    own().context = context;
    own().update = {};
    own().phase = Phase::updating;
  }
  void enter() {
    footprint_.shared = true;
    own().base_context = own().context;
    own().base_index = std::uint8_t(tag_of_own_context().index);
    own().interrupts_off = false;
    own().phase = Phase::running;
    if (own().unflushed) state_.watched = {std::uint8_t(cpu_), own().base_index, own().base_context, true};
    fill(cpu_);
  }
  void leave() {
    footprint_.shared = own().phase == Phase::running;
    own().phase = Phase::exited;
    own().interrupts_off = false;
    if (setting_.speculation == Speculation::guest && own().base_context != kNoContext) {
      footprint_.shared = true;
      own().base_context = kNoContext;
      own().base_index = 0;
    }
  }
  void schedule_out() {
    using Out = kernel::TagPolicy::ScheduleOut;
    footprint_.shared = setting_.policy.schedule_out != Out::keep;
    if (setting_.policy.schedule_out == Out::clear) own().active = kernel::kNoTag;
    if (setting_.policy.schedule_out == Out::mark_invalid) own().active = kernel::kInvalidTag;
    own().context = kNoContext;
    own().phase = Phase::idle;
  }
  void take_interrupt() {
    own().exit_requested = false;
    if (own().phase == Phase::running) leave();
    footprint_.shared = true;
  }

  /// Whether `choice` decided which index was found.
  bool searched() const { return found_.has_value(); }
  /// Of all calls so far.
  Footprint footprint() const { return footprint_; }
  /// CPUs whose TLBs filled: what they hold there may be watched from now on.
  SmallCpuSet filled() const { return filled_; }

 protected:
  Footprint footprint_ = {};

 private:
  static constexpr bool kSearches = requires(Protocol p) { p.old_active; };

  TagCpu<Protocol>& own() { return state_.cpus[cpu_]; }
  const TagCpu<Protocol>& own() const { return state_.cpus[cpu_]; }
  Tag tag_of_own_context() const { return state_.tags[own().context]; }
  bool holds_lock() const { return state_.lock_holder == cpu_ + 1; }

  /// What only holders of the lock may touch.
  void needs_lock() { footprint_.undisciplined |= !holds_lock(); }
  /// What only holders write, or take from another CPU, and others see at any time.
  void writes_under_lock() {
    needs_lock();
    footprint_.shared = true;
  }
  /// What nobody else writes while this CPU holds the lock.
  void reads_locked() { footprint_.shared |= !holds_lock(); }

  /// A CPU whose slot was taken comes to the lock, and there to its flush, before it enters again; so what its TLB holds until
  /// then need not be known. One that has its tag already may enter first.
  void expect_flush(std::uint32_t number) {
    TagCpu<Protocol>& cpu = state_.cpus[number];
    if (cpu.active != kernel::kNoTag || cpu.phase == Phase::ready) return;
    cpu.unflushed = true;
    if (state_.watched.cpu == number) state_.watched = {};
  }
  void flush(std::uint32_t cpu) {
    state_.cpus[cpu].unflushed = false;
    if (state_.watched.cpu == cpu) state_.watched = {};
    fill(cpu);
  }
  void fill(std::uint32_t number) {
    const TagCpu<Protocol>& cpu = state_.cpus[number];
    if (cpu.base_context == kNoContext) return;
    WatchedEntry& watched = state_.watched;
    if (watched.cpu == number && watched.index == cpu.base_index && watched.context != cpu.base_context)
      watched.clash = true;
    if (setting_.behaviour == Behaviour::wider) {
      for (std::uint8_t context = 0; context < setting_.contexts; ++context)
        if (context != cpu.base_context && owns(context, cpu.base_index))
          watched = {std::uint8_t(number), cpu.base_index, context, true};
      if (owns(cpu.base_context, cpu.base_index)) return;
    }
    filled_.add(number);
  }
  bool owns(std::uint8_t context, std::uint32_t index) const {
    return state_.tags[context].index == index && owns_index(state_, context);
  }

  const TagSetting& setting_;
  State& state_;
  std::uint32_t cpu_;
  std::uint32_t choice_;
  SmallCpuSet filled_ = {};
  std::optional<std::uint32_t> found_;
};

static_assert(kernel::TagEnvironment<TagWorld<kernel::CounterUpdate>>);
static_assert(kernel::TagEnvironment<TagWorld<kernel::WrappingUpdate>>);
static_assert(kernel::TagEnvironment<TagWorld<kernel::BitmapUpdate<SmallCpuSet>>>);

}  // namespace tollgate::explored
