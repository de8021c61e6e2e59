// Single-step mutants of the tag allocators: each must break an invariant, or reach exactly the states the original reaches.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <vector>

#include "world/explored/explorer.h"
#include "world/explored/mutant_world.h"
#include "world/explored/tag_model.h"

namespace tollgate::explored {
namespace {

using kernel::TagPolicy;
using Bitmap = kernel::BitmapUpdate<SmallCpuSet>;
using Counter = kernel::CounterUpdate;

template <typename Protocol>
using World = MutantWorld<Protocol>;
template <typename Protocol>
using Mutation = typename World<Protocol>::Mutation;
template <typename Protocol>
using Scene = typename World<Protocol>::Scene;

template <typename Protocol>
struct Subject {
  using MutantModel = TagModel<Protocol, World<Protocol>>;
  TagSetting setting;
  std::vector<std::uint64_t> original_projection = {};

  /// Every reachable state without labels and variables of updates in progress.
  std::vector<std::uint64_t> projection(const Explorer<MutantModel>& explorer, const MutantModel& model) const {
    std::vector<std::uint64_t> hashes;
    std::vector<std::uint8_t> bytes(model.state_bytes());
    explorer.for_each_state([&](typename MutantModel::State state) {
      for (auto& cpu : state.cpus) cpu.update = {};
      model.encode(state, bytes);
      hashes.push_back(XXH3_64bits(bytes.data(), bytes.size()));
    });
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    return hashes;
  }

  void expect_decided(const Mutation<Protocol>& mutation) {
    World<Protocol>::mutation = &mutation;
    const MutantModel model(setting);
    Explorer<MutantModel> explorer(model, {});
    const Outcome outcome = *explorer.run();
    if (outcome.verdict == Verdict::violated) {
      std::printf("  %-60s killed by %s in %zu steps\n", mutation.name.c_str(), outcome.invariant.c_str(),
                  outcome.schedule.size());
    } else {
      EXPECT_EQ(outcome.verdict, Verdict::holds) << mutation.name;
      const bool equal = projection(explorer, model) == original();
      EXPECT_TRUE(equal) << mutation.name << ": breaks nothing, yet is not the original";
      std::printf("  %-60s %s\n", mutation.name.c_str(), equal ? "equivalent" : "UNDECIDED");
    }
    std::fflush(stdout);
    World<Protocol>::mutation = nullptr;
  }

  const std::vector<std::uint64_t>& original() {
    if (original_projection.empty()) {
      World<Protocol>::mutation = nullptr;
      const MutantModel model(setting);
      Explorer<MutantModel> explorer(model, {});
      EXPECT_EQ((*explorer.run()).verdict, Verdict::holds);
      original_projection = projection(explorer, model);
    }
    return original_projection;
  }
};

template <typename Protocol>
Mutation<Protocol> drop(typename Protocol::Label label, const std::string& name) {
  return {"drop: " + name, [label](auto at) { return at == label; }, World<Protocol>::dropped()};
}

template <typename Protocol, typename Instead>
Mutation<Protocol> replace(typename Protocol::Label label, const std::string& name, Instead instead) {
  return {name, [label](auto at) { return at == label; }, instead};
}

/// The first label's effect comes at the second's place.
template <typename Protocol, typename Effect>
Mutation<Protocol> delay(typename Protocol::Label from, typename Protocol::Label to, const std::string& name, Effect effect) {
  return {name, [from, to](auto at) { return at == from || at == to; },
          [from, effect](const Scene<Protocol>& scene) {
            if (scene.update().label == from) return World<Protocol>::dropped()(scene);
            effect(scene);
            return scene.proceed();
          }};
}

std::vector<Mutation<Bitmap>> bitmap_mutants() {
  using L = Bitmap::Label;
  using S = Scene<Bitmap>;
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
      replace<Bitmap>(L::publish, "exchange instead of compare-exchange",
                      [](const S& s) {
                        const kernel::Tag tag = s.update().tag;
                        const auto step = s.proceed();
                        s.state.cpus[s.cpu].active = tag;
                        return step;
                      }),
      replace<Bitmap>(L::load_generation, "no generation check on the fast path",
                      [](const S& s) {
                        if (s.update().tag == kernel::kNoTag || s.update().old_active == kernel::kNoTag) return s.proceed();
                        s.update().label = L::publish;
                        return kernel::Step::ran;
                      }),
      replace<Bitmap>(L::load_active, "the fast path does not ask whether its slot is empty",
                      [](const S& s) {
                        const auto step = s.proceed();
                        if (s.update().old_active == kernel::kNoTag) s.update().old_active = kernel::kInvalidTag;
                        return step;
                      }),
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
      delay<Bitmap>(L::bump_generation, L::flush, "the generation is bumped after the slots are taken",
                    [](const S& s) { ++s.state.generation; }),
      replace<Bitmap>(L::store_tag, "published before the tag is stored",
                      [](const S& s) {
                        const kernel::Tag old = s.world.load_tag();
                        const auto step = s.proceed();
                        s.state.cpus[s.cpu].active = s.update().tag;
                        (void)old;
                        return step;
                      }),
      delay<Bitmap>(L::publish_locked, L::unlock, "published after the lock is released",
                    [](const S& s) { s.state.cpus[s.cpu].active = s.world.load_tag(); }),
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
                        const auto own = s.state.cpus[s.cpu].tlb;
                        const auto step = s.proceed();
                        s.state.cpus[s.cpu].tlb = own;
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
                        const auto tlb = s.state.cpus[s.cpu].tlb;
                        const auto step = s.proceed();
                        s.state.cpus[s.cpu].tlb = tlb;
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

std::vector<Mutation<Counter>> counter_mutants() {
  using L = Counter::Label;
  using S = Scene<Counter>;
  return {
      drop<Counter>(L::lock, "slow path without the lock"),
      drop<Counter>(L::bump_generation, "the generation stays"),
      drop<Counter>(L::force_exits, "no IPI"),
      drop<Counter>(L::flush, "no flush"),
      drop<Counter>(L::store_index, "the index is not stored"),
      drop<Counter>(L::store_generation, "the generation is not stored"),
      drop<Counter>(L::unlock, "the lock is never released"),
      drop<Counter>(L::recheck_tag, "interrupts stay on until entry"),
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
      {"the IPI comes before the generation is bumped",
       [](L at) { return at == L::bump_generation || at == L::flush; },
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

TagSetting small_setting() { return {}; }

TEST(Mutants, OfTheMergedVmidAllocatorAreAllDecided) {
  Subject<Bitmap> merged{small_setting()};
  merged.setting.policy.schedule_out = TagPolicy::ScheduleOut::mark_invalid;
  for (const auto& mutation : bitmap_mutants()) merged.expect_decided(mutation);
  for (const auto& mutation : broadcast_mutants()) merged.expect_decided(mutation);
}

TEST(Mutants, OfTheAsidAllocatorAreAllDecided) {
  Subject<Bitmap> asid{small_setting()};
  asid.setting.policy.flush = TagPolicy::Flush::pending;
  asid.setting.turn_back = TagSetting::TurnBack::never;
  for (const auto& mutation : bitmap_mutants()) asid.expect_decided(mutation);
  for (const auto& mutation : pending_mutants()) asid.expect_decided(mutation);
}

TEST(Mutants, OfTheCounterAllocatorAreAllDecided) {
  Subject<Counter> counter{small_setting()};
  for (const auto& mutation : counter_mutants()) counter.expect_decided(mutation);
}

}  // namespace
}  // namespace tollgate::explored
