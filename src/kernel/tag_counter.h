// CounterUpdate: giving a VM a VMID before it runs, by a counter and a generation, as labelled atomic steps. Models
// arch/arm64/kvm/arm.c up to Linux 5.17. A rollover throws every VM out of the guest with an IPI, under the lock; a CPU on its
// way in looks at the generation once more with interrupts off, so that either it sees the rollover or the IPI finds it inside.
#pragma once

#include "kernel/tag_environment.h"

namespace tollgate::kernel {

struct CounterUpdate {
  enum class Label : std::uint8_t {
    load_tag,
    load_generation,  // without the lock
    lock,
    choose,  // slow path
    bump_generation,
    force_exits,
    wait_exits,
    flush,  // rollover
    store_index,
    store_generation,
    unlock,
    recheck_tag,
    recheck_generation,
    done,  // interrupts off, before entry
  };

  Label label = Label::load_tag;
  Tag tag = {};

  template <TagEnvironment E>
  Step step(E& env) {
    switch (label) {
      case Label::load_tag:
        tag = env.load_tag();
        label = Label::load_generation;
        break;
      case Label::load_generation:
        go(tag.generation == env.load_generation() ? Label::recheck_tag : Label::lock);
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
        env.cursor() = 1;
        label = Label::force_exits;
        break;
      case Label::force_exits:
        env.force_exits();
        label = Label::wait_exits;
        break;
      case Label::wait_exits:
        if (!env.all_exited()) return Step::blocked;
        label = Label::flush;
        break;
      case Label::flush:
        env.flush_broadcast();
        label = Label::store_index;
        break;
      case Label::store_index:
        env.store_tag_index(env.cursor());
        env.cursor() = (env.cursor() + 1) % env.index_count();
        label = Label::store_generation;
        break;
      case Label::store_generation:
        env.store_tag_generation(env.load_generation());
        label = Label::unlock;
        break;
      case Label::unlock:
        env.unlock();
        label = Label::recheck_tag;
        break;
      case Label::recheck_tag:
        env.disable_interrupts();
        tag = env.load_tag();
        label = Label::recheck_generation;
        break;
      case Label::recheck_generation:
        recheck(env);
        break;
      case Label::done:
        break;
    }
    return label == Label::done ? Step::done : Step::ran;
  }

  bool operator==(const CounterUpdate&) const = default;

 private:
  void go(Label next) {
    tag = {};  // dead: what was compared is not used again
    label = next;
  }

  /// Under the lock: another vCPU of the VM may have been here first.
  template <TagEnvironment E>
  void choose(E& env) {
    if (env.load_tag().generation == env.load_generation())
      label = Label::unlock;
    else
      label = env.cursor() == 0 ? Label::bump_generation : Label::store_index;
  }

  template <TagEnvironment E>
  void recheck(E& env) {
    if (tag.generation == env.load_generation()) {
      go(Label::done);
      return;
    }
    env.enable_interrupts();
    go(Label::load_tag);
  }
};

}  // namespace tollgate::kernel
