// Single-step mutants of the bitmap allocators, VMIDs and ASIDs.
#include <gtest/gtest.h>

#include "world/explored/mutant_subject.h"

namespace tollgate::explored {
namespace {

using kernel::TagPolicy;
using Bitmap = kernel::BitmapUpdate<SmallCpuSet>;

std::vector<Mutation<Bitmap>> dropped_steps() {
  using L = Bitmap::Label;
  return {
      drop<Bitmap>(L::publish, "fast path does not publish"),
      drop<Bitmap>(L::lock, "slow path without the lock"),
      drop<Bitmap>(L::choose, "index not marked taken"),
      drop<Bitmap>(L::bump_generation, "rollover keeps generation and bitmap"),
      drop<Bitmap>(L::take_actives, "active slots are left alone"),
      drop<Bitmap>(L::flush, "no flush"),
      drop<Bitmap>(L::choose_afresh, "first index of a generation not marked taken"),
      drop<Bitmap>(L::store_tag, "the new tag is not stored"),
      drop<Bitmap>(L::publish_locked, "slow path does not publish"),
      drop<Bitmap>(L::unlock, "the lock is never released"),
  };
}

std::vector<Mutation<Bitmap>> fast_path_mutants() {
  using L = Bitmap::Label;
  using S = Scene<Bitmap>;
  return {
      replace<Bitmap>(L::publish, "exchange instead of compare-exchange",
                      [](const S& s) {
                        const kernel::Tag tag = s.update().tag;
                        const auto step = s.proceed();
                        s.state.cpus[s.cpu].active = tag;
                        return step;
                      }),
      replace<Bitmap>(L::load_generation, "no generation check on the fast path",
                      [](const S& s) {
                        if (s.update().tag == kernel::kNoTag || s.update().old_active == kernel::kNoTag)
                          return s.proceed();
                        s.update().label = L::publish;
                        return kernel::Step::ran;
                      }),
      replace<Bitmap>(L::load_active, "the fast path does not ask whether its slot is empty",
                      [](const S& s) {
                        const auto step = s.proceed();
                        if (s.update().old_active == kernel::kNoTag) s.update().old_active = kernel::kInvalidTag;
                        return step;
                      }),
  };
}

std::vector<Mutation<Bitmap>> rollover_mutants() {
  using L = Bitmap::Label;
  using S = Scene<Bitmap>;
  return {
      replace<Bitmap>(L::take_actives, "an empty slot loses its reservation",
                      [](const S& s) {
                        s.state.cpus[s.choice].reserved = kernel::kNoTag;
                        return s.proceed();
                      }),
      replace<Bitmap>(L::take_actives, "the index is reserved but not marked taken",
                      [](const S& s) {
                        const std::uint32_t taken = s.state.taken;
                        const auto step = s.proceed();
                        s.state.taken = taken;
                        return step;
                      }),
      replace<Bitmap>(L::take_actives, "the slot is read but not emptied",
                      [](const S& s) {
                        const kernel::Tag active = s.state.cpus[s.choice].active;
                        const auto step = s.proceed();
                        s.state.cpus[s.choice].active = active;
                        return step;
                      }),
      replace<Bitmap>(L::take_actives, "only the first slot is taken",
                      [](const S& s) {
                        const auto step = s.proceed();
                        s.update().remaining = {};
                        s.update().label = L::flush;
                        return step;
                      }),
  };
}

std::vector<Mutation<Bitmap>> slow_path_mutants() {
  using L = Bitmap::Label;
  using S = Scene<Bitmap>;
  return {
      replace<Bitmap>(L::choose, "reservations are not renewed",
                      [](const S& s) {
                        const auto before = s.state;
                        const auto step = s.proceed();
                        for (std::size_t cpu = 0; cpu < before.cpus.size(); ++cpu)
                          s.state.cpus[cpu].reserved = before.cpus[cpu].reserved;
                        return step;
                      }),
      replace<Bitmap>(L::choose, "only the first reservation is renewed",
                      [](const S& s) {
                        const auto before = s.state;
                        const auto step = s.proceed();
                        bool renewed = false;
                        for (std::size_t cpu = 0; cpu < before.cpus.size(); ++cpu) {
                          const bool changed = s.state.cpus[cpu].reserved != before.cpus[cpu].reserved;
                          if (changed && renewed) s.state.cpus[cpu].reserved = before.cpus[cpu].reserved;
                          renewed |= changed;
                        }
                        return step;
                      }),
      replace<Bitmap>(L::choose, "the tag is not looked at again under the lock",
                      [](const S& s) {
                        const kernel::Tag real = s.world.load_tag();
                        if (real.generation == s.state.generation) s.world.store_tag(kernel::kNoTag);
                        const auto step = s.proceed();
                        s.world.store_tag(real);
                        return step;
                      }),
      replace<Bitmap>(L::choose, "the search starts at index 0",
                      [](const S& s) {
                        const auto step = s.proceed();
                        if (s.update().label == L::store_tag && s.update().tag.index == 1) s.update().tag.index = 0;
                        return step;
                      }),
      replace<Bitmap>(L::choose_afresh, "after a rollover index 1 is given without a look at the bitmap",
                      [](const S& s) {
                        s.state.taken &= ~2u;
                        return s.proceed();
                      }),
  };
}

std::vector<Mutation<Bitmap>> order_mutants() {
  using L = Bitmap::Label;
  using S = Scene<Bitmap>;
  return {
      delay<Bitmap>(L::bump_generation, L::flush, "the generation is bumped after the slots are taken",
                    [](const S& s) { ++s.state.generation; }),
      {"published before the tag is stored", [](L at) { return at == L::store_tag || at == L::publish_locked; },
       [](const S& s) {
         if (s.update().label == L::publish_locked) {
           s.world.store_tag(s.update().tag);
           return s.proceed();
         }
         const kernel::Tag old = s.world.load_tag();
         const auto step = s.proceed();
         s.state.cpus[s.cpu].active = s.update().tag;
         s.world.store_tag(old);
         return step;
       }},
      {"published after the lock is released", [](L at) { return at == L::publish_locked || at == L::unlock; },
       [](const S& s) {
         const bool early = s.update().label == L::publish_locked;
         const auto step = World<Bitmap>::dropped()(s);
         if (early)
           s.world.unlock();
         else
           s.state.cpus[s.cpu].active = s.world.load_tag();
         return step;
       }},
  };
}

std::vector<Mutation<Bitmap>> broadcast_mutants() {
  using L = Bitmap::Label;
  using S = Scene<Bitmap>;
  return {
      replace<Bitmap>(L::flush, "only the own TLB is flushed",
                      [](const S& s) {
                        const auto step = World<Bitmap>::dropped()(s);
                        s.world.flush_local();
                        return step;
                      }),
      replace<Bitmap>(L::flush, "only the other TLBs are flushed",
                      [](const S& s) {
                        const WatchedEntry watched = s.state.watched;
                        const auto step = s.proceed();
                        if (watched.cpu == s.cpu) s.state.watched = watched;
                        return step;
                      }),
  };
}

std::vector<Mutation<Bitmap>> pending_mutants() {
  using L = Bitmap::Label;
  using S = Scene<Bitmap>;
  return {
      drop<Bitmap>(L::flush_pending, "the pending flush is not done"),
      replace<Bitmap>(L::flush_pending, "the flush is marked done and not done",
                      [](const S& s) {
                        const WatchedEntry watched = s.state.watched;
                        const auto step = s.proceed();
                        if (watched.cpu == s.cpu) s.state.watched = watched;
                        return step;
                      }),
      replace<Bitmap>(L::flush, "only the own CPU's flush is marked pending",
                      [](const S& s) {
                        const auto step = World<Bitmap>::dropped()(s);
                        s.state.cpus[s.cpu].flush_pending = true;
                        return step;
                      }),
  };
}

template <typename... Lists>
std::vector<Mutation<Bitmap>> all_of(const Lists&... lists) {
  std::vector<Mutation<Bitmap>> all;
  (all.insert(all.end(), lists.begin(), lists.end()), ...);
  return all;
}

std::vector<Mutation<Bitmap>> bitmap_mutants() {
  return all_of(dropped_steps(), fast_path_mutants(), rollover_mutants(), slow_path_mutants(), order_mutants());
}

TEST(Mutants, OfTheMergedVmidAllocatorAreAllDecided) {
  if (!kLargeExplorations) GTEST_SKIP() << "for a build without sanitizers";
  Subject<Bitmap> merged{TagSetting{}};
  merged.setting.policy.schedule_out = TagPolicy::ScheduleOut::mark_invalid;
  for (const auto& mutation : bitmap_mutants()) merged.expect_decided(mutation);
  for (const auto& mutation : broadcast_mutants()) merged.expect_decided(mutation);
}

TEST(Mutants, OfTheAsidAllocatorAreAllDecided) {
  if (!kLargeExplorations) GTEST_SKIP() << "for a build without sanitizers";
  Subject<Bitmap> asid{TagSetting{}};
  asid.setting.policy.flush = TagPolicy::Flush::pending;
  asid.setting.turn_back = TagSetting::TurnBack::never;
  for (const auto& mutation : bitmap_mutants()) asid.expect_decided(mutation);
  for (const auto& mutation : pending_mutants()) asid.expect_decided(mutation);
}

}  // namespace
}  // namespace tollgate::explored
