// Random schedules of the TLB protocols on a small world, with what must hold checked after every step; and the same with one
// step done wrong, which must be found each time.
#include <gtest/gtest.h>

#include <array>

#include "base/random.h"
#include "kernel/test_support/small_invariants.h"

namespace tollgate::kernel {
namespace {

using namespace testing;

constexpr int kMoves = 250;

struct Outcome {
  std::string violation;
  std::string schedule;  // the last moves before it
  SmallCounts counts;
};

std::string tail(const std::vector<Choice>& moves) {
  std::string text;
  for (std::size_t i = moves.size() > 60 ? moves.size() - 60 : 0; i < moves.size(); ++i) text += moves[i].text() + "\n";
  return text;
}

/// How likely each kind of move is: drawn anew for every schedule, so that some do little but switch, some little but edit.
using Weights = std::array<std::uint64_t, std::size_t(Move::count)>;

Weights draw_weights(RandomStream& random) {
  static constexpr std::uint64_t kSteps[] = {1, 4, 16, 64};
  Weights weights{};
  for (auto& weight : weights) weight = kSteps[random.below(4)];
  weights[std::size_t(Move::step)] = 64;
  return weights;
}

Choice pick(const SmallWorld& world, CpuId cpu, const Weights& weights, RandomStream& random) {
  const std::vector<Choice> moves = enabled(world, cpu);
  std::vector<std::vector<Choice>> by_kind(std::size_t(Move::count));
  for (const Choice& choice : moves) by_kind[std::size_t(choice.move)].push_back(choice);
  std::uint64_t total = 0;
  for (std::size_t kind = 0; kind < by_kind.size(); ++kind)
    if (!by_kind[kind].empty()) total += weights[kind];
  std::uint64_t left = random.below(total);
  for (std::size_t kind = 0; kind < by_kind.size(); ++kind) {
    if (by_kind[kind].empty()) continue;
    if (left < weights[kind]) return by_kind[kind][random.below(by_kind[kind].size())];
    left -= weights[kind];
  }
  return moves.front();
}

/// Lets everything that was begun come to its end. False when somebody waits for ever.
bool drain(SmallWorld& world) {
  for (int round = 0; round < 200; ++round) {
    bool quiet = true;
    for (std::uint32_t i = 0; i < std::uint32_t(world.cpus()); ++i) {
      const SmallCpu& cpu = world.cpu(CpuId(i));
      if (cpu.interrupts_on() && !cpu.inbox.empty()) perform(world, {CpuId(i), Move::take_interrupt});
      if (!cpu.busy() && !cpu.flushing && cpu.inbox.empty()) continue;
      quiet = false;
      step(world, CpuId(i));
      check_invariants(world);
    }
    if (quiet) return true;
  }
  return false;
}

/// Schedule number `seed`. Every third has one mm, every third two: the fewer, the more often they meet.
Outcome run(SmallSetup setup, std::uint64_t seed) {
  setup.mms = seed % 3 == 0 ? setup.mms : int(seed % 3);
  SmallWorld world(setup);
  RandomStream random = RandomStream::named(seed, "schedule");
  const Weights weights = draw_weights(random);
  std::vector<Choice> moves;
  for (int i = 0; i < kMoves && world.violation.empty(); ++i) {
    moves.push_back(pick(world, CpuId(std::uint32_t(random.below(std::uint64_t(world.cpus())))), weights, random));
    perform(world, moves.back());
    check_invariants(world);
  }
  if (world.violation.empty() && !drain(world)) world.violate("somebody waits for ever");
  return {world.violation, tail(moves), world.counts};
}

/// A policy with a ceiling of two pages, so that a mm of four sees flushes of both kinds.
SmallSetup setup_of(Pti pti, GlobalSet global_pages, PcidUse pcid, ShootdownMode shootdown) {
  SmallSetup setup;
  setup.policy = {pti, global_pages, pcid, shootdown, 2};
  return setup;
}

std::vector<SmallSetup> all_setups() {
  std::vector<SmallSetup> setups;
  for (const auto& [pti, global] : {std::pair(Pti::off, GlobalSet::all), std::pair(Pti::off, GlobalSet::none),
                                    std::pair(Pti::on, GlobalSet::none), std::pair(Pti::on, GlobalSet::entry)})
    for (PcidUse pcid : {PcidUse::off, PcidUse::on})
      for (ShootdownMode mode : {ShootdownMode::serial, ShootdownMode::concurrent, ShootdownMode::broadcast})
        for (bool invpcid : {false, true}) {
          setups.push_back(setup_of(pti, global, pcid, mode));
          setups.back().invpcid = invpcid;
        }
  return setups;
}

void add(SmallCounts& to, const SmallCounts& from) {
  to.full += from.full;
  to.pages += from.pages;
  to.skipped += from.skipped;
  to.lazy_leaves += from.lazy_leaves;
  to.kept += from.kept;
  to.flushed_switches += from.flushed_switches;
  to.flushing_exits += from.flushing_exits;
  to.sends += from.sends;
  to.broadcasts += from.broadcasts;
  to.settled += from.settled;
  to.rechecks += from.rechecks;
}

TEST(ProtocolsProperty, NoScheduleLeavesAUsableStaleTranslationUnderAnyPolicy) {
  SmallCounts seen;
  for (const SmallSetup& setup : all_setups())
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      const Outcome outcome = run(setup, seed);
      ASSERT_EQ(outcome.violation, "") << describe(setup.policy) << " seed " << seed << "\n" << outcome.schedule;
      add(seen, outcome.counts);
    }
  // The schedules went where it matters.
  EXPECT_GT(seen.full, 100);
  EXPECT_GT(seen.pages, 100);
  EXPECT_GT(seen.skipped, 100);
  EXPECT_GT(seen.lazy_leaves, 100);
  EXPECT_GT(seen.kept, 100);
  EXPECT_GT(seen.flushed_switches, 100);
  EXPECT_GT(seen.flushing_exits, 100);
  EXPECT_GT(seen.sends, 100);
  EXPECT_GT(seen.broadcasts, 100);
  EXPECT_GT(seen.settled, 1000);
}

TEST(ProtocolsProperty, MoreMmsThanSlotsReuseTagsSafely) {
  SmallSetup setup = setup_of(Pti::on, GlobalSet::entry, PcidUse::on, ShootdownMode::serial);
  setup.cpus = 2;
  setup.mms = 9;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Outcome outcome = run(setup, seed);
    ASSERT_EQ(outcome.violation, "") << "seed " << seed << "\n" << outcome.schedule;
  }
}

struct Mutant {
  Mutation mutation;
  const char* name;
  SmallSetup setup;
};

void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }

std::vector<Mutant> mutants() {
  const SmallSetup plain = setup_of(Pti::off, GlobalSet::all, PcidUse::on, ShootdownMode::serial);
  const SmallSetup isolated = setup_of(Pti::on, GlobalSet::entry, PcidUse::on, ShootdownMode::serial);
  const SmallSetup broadcast = setup_of(Pti::off, GlobalSet::all, PcidUse::on, ShootdownMode::broadcast);
  SmallSetup without_invpcid = isolated;
  without_invpcid.invpcid = false;
  SmallSetup crowded = isolated;
  crowded.mms = 9;
  SmallSetup crowded_plain = plain;
  crowded_plain.mms = 9;
  using M = Mutation;
  return {
      {M::gen_read_before_mask_joined, "GenReadBeforeMaskJoined", plain},
      {M::gen_bumped_after_mask_read, "GenBumpedAfterMaskRead", plain},
      {M::remote_flush_not_sent, "RemoteFlushNotSent", plain},
      {M::last_target_not_sent, "LastTargetNotSent", plain},
      {M::acknowledgements_not_awaited, "AcknowledgementsNotAwaited", plain},
      {M::user_pcid_not_queued_at_full_flush, "UserPcidNotQueuedAtFullFlush", isolated},
      {M::user_pcid_not_queued_at_page_flush, "UserPcidNotQueuedAtPageFlush", without_invpcid},
      {M::user_pcid_not_queued_at_switch, "UserPcidNotQueuedAtSwitch", crowded},
      {M::exit_keeps_despite_mask, "ExitKeepsDespiteMask", isolated},
      {M::page_flush_despite_gap, "PageFlushDespiteGap", plain},
      {M::page_flush_despite_newer_gen, "PageFlushDespiteNewerGen", plain},
      {M::last_page_not_flushed, "LastPageNotFlushed", plain},
      {M::full_flush_forgotten, "FullFlushForgotten", plain},
      {M::gen_read_again_at_publish, "GenReadAgainAtPublish", plain},
      {M::switch_never_flushes, "SwitchNeverFlushes", plain},
      {M::recycled_slot_not_flushed, "RecycledSlotNotFlushed", crowded_plain},
      {M::other_slots_kept_after_kernel_flush, "OtherSlotsKeptAfterKernelFlush", isolated},
      {M::kernel_globals_kept_at_full_flush, "KernelGlobalsKeptAtFullFlush", plain},
      {M::broadcast_to_loaded_slots_only, "BroadcastToLoadedSlotsOnly", broadcast},
      {M::broadcast_publishes_despite_gap, "BroadcastPublishesDespiteGap", broadcast},
  };
}

class Mutants : public ::testing::TestWithParam<Mutant> {};

TEST_P(Mutants, OneWrongStepIsFound) {
  SmallSetup setup = GetParam().setup;
  setup.mutation = GetParam().mutation;
  for (std::uint64_t seed = 0; seed < 5000; ++seed)
    if (!run(setup, seed).violation.empty()) {
      RecordProperty("schedules", int(seed + 1));
      return;
    }
  FAIL() << "no schedule finds " << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(ProtocolsProperty, Mutants, ::testing::ValuesIn(mutants()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(ProtocolsProperty, EveryMutationHasATest) { EXPECT_EQ(mutants().size() + 1, std::size_t(Mutation::count)); }

}  // namespace
}  // namespace tollgate::kernel
