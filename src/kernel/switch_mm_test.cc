#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/test_support/scenario.h"

namespace tollgate::kernel {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ChooseSlot, AnMmFindsTheSlotItHadBefore) {
  CpuTlbState cpu;
  cpu.slots[3] = {7, 5};
  const SlotChoice choice = choose_slot(cpu, 7, 5, PcidUse::on);
  EXPECT_EQ(choice.slot, 3);
  EXPECT_FALSE(choice.flush);
  EXPECT_EQ(cpu.next_slot, 0) << "a slot found again costs no turn";
}

TEST(ChooseSlot, ASlotBehindItsMmIsFlushed) {
  CpuTlbState cpu;
  cpu.slots[3] = {7, 4};
  const SlotChoice choice = choose_slot(cpu, 7, 5, PcidUse::on);
  EXPECT_EQ(choice.slot, 3);
  EXPECT_TRUE(choice.flush);
}

TEST(ChooseSlot, NewMmsTakeTheSixSlotsInTurnAndTheSeventhTakesTheFirstAgain) {
  CpuTlbState cpu;
  for (int i = 0; i < 7; ++i) {
    const SlotChoice choice = choose_slot(cpu, 10 + std::uint64_t(i), 1, PcidUse::on);
    EXPECT_EQ(choice.slot, i % kDynamicSlots);
    EXPECT_TRUE(choice.flush) << "nobody knows what a new slot holds";
    cpu.slots[std::size_t(choice.slot)] = {10 + std::uint64_t(i), 1};
  }
}

TEST(ChooseSlot, InvalidateOtherForgetsEverySlotButTheLoadedOneOnce) {
  CpuTlbState cpu;
  for (std::size_t slot = 0; slot < kDynamicSlots; ++slot) cpu.slots[slot] = {10 + slot, 1};
  cpu.loaded_slot = 2;
  cpu.invalidate_other = true;
  EXPECT_TRUE(choose_slot(cpu, 14, 1, PcidUse::on).flush) << "its slot was forgotten";
  for (std::size_t slot = 0; slot < kDynamicSlots; ++slot)
    EXPECT_EQ(cpu.slots[slot].context_id, slot == 2 ? 12u : 0u) << "slot " << slot;
  EXPECT_FALSE(cpu.invalidate_other);
  EXPECT_FALSE(choose_slot(cpu, 12, 1, PcidUse::on).flush) << "the loaded slot was flushed at the time";
}

TEST(ChooseSlot, WithoutPcidsThereIsOneSlotAndEverySwitchFlushes) {
  CpuTlbState cpu;
  cpu.slots[0] = {7, 5};
  EXPECT_EQ(choose_slot(cpu, 7, 5, PcidUse::off).slot, 0);
  EXPECT_TRUE(choose_slot(cpu, 7, 5, PcidUse::off).flush);
  EXPECT_EQ(cpu.next_slot, 0);
}

TEST(SwitchMm, JoinsTheMaskBeforeItReadsTheGeneration) {
  SmallWorld world(setup_of(kPlain));
  EXPECT_THAT(switch_to(world, kFirst, kA), ElementsAre("join mm1", "read gen of mm1", "load mm1 slot 0, flush"));
  EXPECT_THAT(switch_to(world, kFirst, kB),
              ElementsAre("leave mm1", "join mm2", "read gen of mm2", "load mm2 slot 1, flush"));
  EXPECT_THAT(switch_to(world, kFirst, kA),
              ElementsAre("leave mm2", "join mm1", "read gen of mm1", "load mm1 slot 0, keep"));
}

TEST(SwitchMm, ToTheLoadedMmDoesNothing) {
  SmallWorld world(setup_of(kPlain));
  switch_to(world, kFirst, kA);
  EXPECT_THAT(switch_to(world, kFirst, kA), IsEmpty());
}

TEST(SwitchMm, BackFromLazyComparesGenerationsAndKeepsAFreshSlot) {
  SmallWorld world(setup_of(kPlain));
  switch_to(world, kFirst, kA);
  perform(world, {kFirst, Move::go_lazy});
  EXPECT_THAT(switch_to(world, kFirst, kA), ElementsAre("read gen of mm1"));
  EXPECT_FALSE(world.cpu(kFirst).tlb.is_lazy);
}

TEST(SwitchMm, BackFromLazyFlushesASlotThatFellBehind) {
  SmallWorld world(setup_of(kIsolated));
  switch_to(world, kFirst, kA);
  leave(world, kFirst);
  perform(world, {kFirst, Move::enter_kernel});
  perform(world, {kFirst, Move::go_lazy});
  ++world.mm(kA).tlb_gen;
  EXPECT_THAT(switch_to(world, kFirst, kA), ElementsAre("read gen of mm1", "load mm1 slot 0, flush"));
  EXPECT_EQ(world.cpu(kFirst).tlb.slots[0].tlb_gen, world.mm(kA).tlb_gen);
  EXPECT_EQ(world.cpu(kFirst).tlb.user_flush_mask, 1);
}

TEST(SwitchMm, UnderPtiAFlushedSlotQueuesItsUserPcidAndAKeptOneDoesNot) {
  SmallWorld world(setup_of(kIsolated));
  switch_to(world, kFirst, kA);
  EXPECT_EQ(world.cpu(kFirst).tlb.user_flush_mask, 0b01);
  switch_to(world, kFirst, kB);
  EXPECT_EQ(world.cpu(kFirst).tlb.user_flush_mask, 0b11) << "what was queued for the other slot stays queued";
  leave(world, kFirst);
  perform(world, {kFirst, Move::enter_kernel});
  EXPECT_EQ(world.cpu(kFirst).tlb.user_flush_mask, 0b01);
  switch_to(world, kFirst, kA);
  switch_to(world, kFirst, kB);
  EXPECT_EQ(world.cpu(kFirst).tlb.user_flush_mask, 0b01);
}

TEST(SwitchMm, WithoutPtiOrPcidsNothingIsQueued) {
  for (const Policy& policy :
       {kPlain, kUntagged, Policy{Pti::on, GlobalSet::entry, PcidUse::off, ShootdownMode::serial, 33}}) {
    SmallWorld world(setup_of(policy));
    switch_to(world, kFirst, kA);
    EXPECT_EQ(world.cpu(kFirst).tlb.user_flush_mask, 0) << describe(policy);
  }
}

TEST(SwitchMm, InitMmIsInNobodysMask) {
  SmallWorld world(setup_of(kPlain));
  switch_to(world, kFirst, kA);
  EXPECT_THAT(switch_to(world, kFirst, kInitMm), ElementsAre("leave mm1", "read gen of mm0", "load mm0 slot 1, flush"));
}

TEST(SwitchMm, ChangingToAnotherUsersSecretsNeedsABranchBarrierFirst) {
  SmallWorld world(setup_of(kPlain));
  world.mm(kB).dumpable = false;
  EXPECT_THAT(switch_to(world, kFirst, kA), ::testing::Not(::testing::Contains("branch barrier")));
  EXPECT_EQ(switch_to(world, kFirst, kB).front(), "branch barrier");
}

// The kernel remembers the last user mm and spares the barrier; a stay in init_mm used to hide it.
TEST(SwitchMm, ReturningFromInitMmToTheMmThatRanLastNeedsNoBranchBarrier) {
  SmallWorld world(setup_of(kPlain));
  world.mm(kA).dumpable = false;
  switch_to(world, kFirst, kA);
  switch_to(world, kFirst, kInitMm);
  EXPECT_THAT(switch_to(world, kFirst, kA), ElementsAre("join mm1", "read gen of mm1", "load mm1 slot 0, keep"));
}

}  // namespace
}  // namespace tollgate::kernel
