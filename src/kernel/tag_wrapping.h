// WrappingUpdate: a specimen that is wrong on purpose. Tags come from a counter that wraps; a wrap flushes every TLB, but
// nobody learns that the tags given out before it are no longer theirs. It shows what generations are for.
#pragma once

#include "kernel/tag_environment.h"

namespace tollgate::kernel {

struct WrappingUpdate {
  enum class Label : std::uint8_t { load_tag, lock, choose, flush, store_tag, unlock, done };

  Label label = Label::load_tag;

  template <TagEnvironment E>
  Step step(E& env) {
    switch (label) {
      case Label::load_tag:
        label = env.load_tag() == kNoTag ? Label::lock : Label::done;
        break;
      case Label::lock:
        if (!env.try_lock()) return Step::blocked;
        label = Label::choose;
        break;
      case Label::choose:
        if (env.load_tag() != kNoTag)
          label = Label::unlock;
        else
          label = env.cursor() == 0 ? Label::flush : Label::store_tag;
        break;
      case Label::flush:
        env.flush_broadcast();
        env.cursor() = 1;
        label = Label::store_tag;
        break;
      case Label::store_tag:
        env.store_tag({env.load_generation(), env.cursor()});
        env.cursor() = (env.cursor() + 1) % env.index_count();
        label = Label::unlock;
        break;
      case Label::unlock:
        env.unlock();
        label = Label::done;
        break;
      case Label::done:
        break;
    }
    return label == Label::done ? Step::done : Step::ran;
  }

  bool operator==(const WrappingUpdate&) const = default;
};

}  // namespace tollgate::kernel
