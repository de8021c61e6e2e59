// BitmapUpdate: giving a context a tag before it runs, by bitmap, per-CPU active slots and reservations, as labelled atomic
// steps. Models arch/arm64/kvm/vmid.c (VMIDs, Linux 5.18 and the series before it) and arch/arm64/mm/context.c (ASIDs).
//
// What keeps it right: a CPU publishes its tag in its active slot before it runs; a rollover bumps the generation, then takes
// every slot. So either a CPU's tag is seen and reserved, or that CPU finds its slot empty and comes to the lock.
#pragma once

#include "kernel/tag_environment.h"

namespace tollgate::kernel {

template <typename CpuSet>
struct BitmapUpdate {
  enum class Label : std::uint8_t {
    load_tag,
    load_active,
    load_generation,
    publish,  // fast path
    lock,
    choose,  // slow path
    bump_generation,
    take_actives,
    flush,
    choose_afresh,  // rollover
    store_tag,
    flush_pending,
    publish_locked,
    unlock,
    done,
    exhausted,
  };

  Label label = Label::load_tag;
  Tag tag = {};
  Tag old_active = {};
  CpuSet remaining = {};  // CPUs whose active slot this rollover has still to take

  template <TagEnvironment E>
  Step step(E& env) {  // NOLINT(readability-function-size): a case a label
    switch (label) {
      case Label::load_tag:
        tag = env.load_tag();
        label = Label::load_active;
        break;
      case Label::load_active:
        old_active = env.load_active();
        label = Label::load_generation;
        // An empty slot sends this CPU to the lock, whatever the generation.
        if (old_active == kNoTag && !exchanges_alone(env)) go_to_lock();
        break;
      case Label::load_generation:
        check_generation(env);
        break;
      case Label::publish:
        publish(env);
        break;
      case Label::lock:
        if (!env.try_lock()) return Step::blocked;
        label = Label::choose;
        break;
      case Label::choose:
        choose(env);
        break;
      case Label::bump_generation:
        env.bump_generation();
        env.free_all_indices();
        remaining = env.all_cpus();
        label = Label::take_actives;
        break;
      case Label::take_actives:
        take_active(env, env.pick(remaining));
        break;
      case Label::flush:
        flush(env);
        break;
      case Label::choose_afresh:
        hand_out(env, env.next_free(1), Label::exhausted);
        break;
      case Label::store_tag:
        env.store_tag(tag);
        label = before_publishing(env);
        break;
      case Label::flush_pending:
        if (env.take_flush_pending()) env.flush_local();
        label = Label::publish_locked;
        break;
      case Label::publish_locked:
        env.store_active(tag);
        tag = {};
        label = Label::unlock;
        break;
      case Label::unlock:
        env.unlock();
        label = Label::done;
        break;
      case Label::exhausted:
        return Step::blocked;
      case Label::done:
        break;
    }
    return label == Label::done ? Step::done : Step::ran;
  }

  bool operator==(const BitmapUpdate&) const = default;

 private:
  template <TagEnvironment E>
  static bool exchanges_alone(E& env) {
    return env.policy().fast_path == TagPolicy::FastPath::unconditional_exchange;
  }

  void go_to_lock() {
    tag = old_active = {};  // dead: they are read again under the lock
    label = Label::lock;
  }

  template <TagEnvironment E>
  Label before_publishing(E& env) const {
    return env.policy().flush == TagPolicy::Flush::pending ? Label::flush_pending : Label::publish_locked;
  }

  template <TagEnvironment E>
  void check_generation(E& env) {
    if (tag.generation == env.load_generation())
      label = Label::publish;
    else
      go_to_lock();
  }

  template <TagEnvironment E>
  void publish(E& env) {
    const Tag found =
        exchanges_alone(env) ? env.exchange_active(env.this_cpu(), tag) : env.compare_exchange_active(old_active, tag);
    go_to_lock();
    if (found != kNoTag) label = Label::done;
  }

  /// All of it under the lock: the context's tag and the generation are written by holders only.
  template <TagEnvironment E>
  void choose(E& env) {
    tag = env.load_tag();
    const std::uint32_t generation = env.load_generation();
    if (tag.generation == generation) {
      label = before_publishing(env);
      return;
    }
    if (tag != kNoTag && keep_index(env, {generation, tag.index}))
      label = Label::store_tag;
    else
      hand_out(env, env.next_free(env.cursor()), Label::bump_generation);
  }

  /// Whether the context may keep its index in this generation: it is reserved for it, or nobody's yet.
  template <TagEnvironment E>
  bool keep_index(E& env, Tag renewed) {
    if (!renew_reservations(env, renewed)) {
      if (env.taken(renewed.index)) return false;
      env.take(renewed.index);
    }
    tag = renewed;
    return true;
  }

  /// A context whose old tag is reserved keeps its index; every CPU's reservation of it moves to the new generation.
  template <TagEnvironment E>
  bool renew_reservations(E& env, Tag renewed) {
    bool found = false;
    for (std::uint32_t cpu = 0; cpu < env.cpu_count(); ++cpu) {
      if (env.reserved(cpu) != tag) continue;
      env.reserved(cpu) = renewed;
      found = true;
    }
    return found;
  }

  template <TagEnvironment E>
  void hand_out(E& env, std::uint32_t index, Label if_none) {
    tag = {};
    label = if_none;
    if (index == 0) return;
    env.take(index);
    env.cursor() = index;
    tag = {env.load_generation(), index};
    label = Label::store_tag;
  }

  template <TagEnvironment E>
  void take_active(E& env, std::uint32_t cpu) {
    Tag taken = env.exchange_active(cpu, kNoTag);
    // An empty slot: that CPU has not run anything new since the last rollover, which reserved what it runs.
    if (taken == kNoTag) taken = env.reserved(cpu);
    env.take(taken.index);
    env.reserved(cpu) = taken;
    remaining.remove(cpu);
    if (remaining.empty()) label = Label::flush;
  }

  template <TagEnvironment E>
  void flush(E& env) {
    if (env.policy().flush == TagPolicy::Flush::broadcast)
      env.flush_broadcast();
    else
      env.mark_flush_pending();
    label = Label::choose_afresh;
  }
};

}  // namespace tollgate::kernel
