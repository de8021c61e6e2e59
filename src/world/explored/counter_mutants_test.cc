// Single-step mutants of the counter allocator.
#include <gtest/gtest.h>

#include "world/explored/mutant_subject.h"

namespace tollgate::explored {
namespace {

using Counter = kernel::CounterUpdate;

std::vector<Mutation<Counter>> dropped_steps() {
  using L = Counter::Label;
  return {
      drop<Counter>(L::lock, "slow path without the lock"),
      drop<Counter>(L::bump_generation, "the generation stays"),
      drop<Counter>(L::force_exits, "no IPI"),
      drop<Counter>(L::flush, "no flush"),
      drop<Counter>(L::store_index, "the index is not stored"),
      drop<Counter>(L::store_generation, "the generation is not stored"),
      drop<Counter>(L::unlock, "the lock is never released"),
      drop<Counter>(L::recheck_tag, "interrupts stay on until entry"),
  };
}

std::vector<Mutation<Counter>> changed_steps() {
  using L = Counter::Label;
  using S = Scene<Counter>;
  return {
      replace<Counter>(L::wait_exits, "the rollover does not wait for the exits",
                       [](const S& s) {
                         s.update().label = L::flush;
                         return kernel::Step::ran;
                       }),
      replace<Counter>(L::load_generation, "no generation check without the lock",
                       [](const S& s) {
                         if (s.update().tag == kernel::kNoTag) return s.proceed();
                         s.update().tag = {};
                         s.update().label = L::recheck_tag;
                         return kernel::Step::ran;
                       }),
      replace<Counter>(L::recheck_generation, "no generation check before entry",
                       [](const S& s) {
                         s.update().tag = {};
                         s.update().label = L::done;
                         return kernel::Step::done;
                       }),
      replace<Counter>(L::choose, "no second check under the lock",
                       [](const S& s) {
                         s.update().label = s.state.cursor == 0 ? L::bump_generation : L::store_index;
                         return kernel::Step::ran;
                       }),
      replace<Counter>(L::flush, "only the own TLB is flushed",
                       [](const S& s) {
                         const auto step = World<Counter>::dropped()(s);
                         s.world.flush_local();
                         return step;
                       }),
      replace<Counter>(L::force_exits, "flushed before the exits",
                       [](const S& s) {
                         s.world.flush_broadcast();
                         const auto step = s.proceed();
                         return step;
                       }),
  };
}

std::vector<Mutation<Counter>> order_mutants() {
  using L = Counter::Label;
  using S = Scene<Counter>;
  return {
      {"the IPI comes before the generation is bumped", [](L at) { return at == L::bump_generation || at == L::flush; },
       [](const S& s) {
         if (s.update().label == L::flush) {
           ++s.state.generation;
           return s.proceed();
         }
         const std::uint32_t generation = s.state.generation;
         const auto step = s.proceed();
         s.state.generation = generation;
         return step;
       }},
      {"the generation is stored before the index",
       [](L at) { return at == L::store_index || at == L::store_generation; },
       [](const S& s) {
         if (s.update().label == L::store_index) {
           const std::uint32_t old = s.world.load_tag().index;
           const auto step = s.proceed();
           s.update().tag.index = s.world.load_tag().index;
           s.world.store_tag({s.state.generation, old});
           return step;
         }
         s.world.store_tag_index(s.update().tag.index);
         s.update().tag = {};
         return s.proceed();
       }},
  };
}

TEST(Mutants, OfTheCounterAllocatorAreAllDecided) {
  Subject<Counter> counter{TagSetting{}};
  for (const auto& list : {dropped_steps(), changed_steps(), order_mutants()})
    for (const auto& mutation : list) counter.expect_decided(mutation);
}

}  // namespace
}  // namespace tollgate::explored
