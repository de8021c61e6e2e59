#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/test_support/scenario.h"

namespace tollgate::kernel {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Handler : public ::testing::Test {
 protected:
  explicit Handler(const Policy& policy = kPlain) : world(setup_of(policy)) { switch_to(world, kFirst, kA); }
  std::uint64_t& slot_gen() { return world.cpu(kFirst).tlb.slots[0].tlb_gen; }
  SmallWorld world;
};

TEST_F(Handler, SkipsWhatTheSlotAlreadyHas) {
  EXPECT_THAT(handle(world, kFirst, pages_of(kA, 0, 1, 1)), ElementsAre("read gen of mm1", "skip"));
}

TEST_F(Handler, FlushesPageByPageTheNextAndNewestGeneration) {
  world.mm(kA).tlb_gen = 2;
  EXPECT_THAT(handle(world, kFirst, pages_of(kA, 1, 2, 2)),
              ElementsAre("read gen of mm1", "flush page 1", "flush page 2"));
  EXPECT_EQ(slot_gen(), 2u);
}

TEST_F(Handler, FlushesEverythingWhenItMissedAGeneration) {
  world.mm(kA).tlb_gen = 3;
  EXPECT_THAT(handle(world, kFirst, pages_of(kA, 1, 1, 3)), ElementsAre("read gen of mm1", "flush slot 0"));
  EXPECT_EQ(slot_gen(), 3u);
}

TEST_F(Handler, FlushesEverythingAndCatchesUpWhenANewerGenerationIsOnItsWay) {
  world.mm(kA).tlb_gen = 3;
  EXPECT_THAT(handle(world, kFirst, pages_of(kA, 1, 1, 2)), ElementsAre("read gen of mm1", "flush slot 0"));
  EXPECT_EQ(slot_gen(), 3u);
  EXPECT_THAT(handle(world, kFirst, pages_of(kA, 2, 1, 3)), ElementsAre("read gen of mm1", "skip"));
}

TEST_F(Handler, FlushesTheWholeSlotWhenAskedTo) {
  world.mm(kA).tlb_gen = 2;
  FlushRequest request = pages_of(kA, 0, 1, 2);
  request.full = true;
  EXPECT_THAT(handle(world, kFirst, request), ElementsAre("read gen of mm1", "flush slot 0"));
}

TEST_F(Handler, HasNothingToDoForAnMmThatIsNotLoaded) {
  world.mm(kB).tlb_gen = 2;
  EXPECT_THAT(handle(world, kFirst, pages_of(kB, 0, 1, 2)), IsEmpty());
}

TEST_F(Handler, ALazyCpuLeavesTheMmInsteadOfFlushing) {
  perform(world, {kFirst, Move::go_lazy});
  world.mm(kA).tlb_gen = 2;
  EXPECT_THAT(handle(world, kFirst, pages_of(kA, 0, 1, 2)),
              ElementsAre("leave mm1", "read gen of mm0", "load mm0 slot 1, flush"));
  const CpuTlbState& cpu = world.cpu(kFirst).tlb;
  EXPECT_EQ(cpu.loaded_mm, kInitMm);
  EXPECT_FALSE(cpu.is_lazy);
  EXPECT_EQ(slot_gen(), 1u) << "the slot stays behind, so that a switch back flushes it";
  EXPECT_FALSE(world.mm(kA).mask.contains(kFirst));
}

TEST_F(Handler, AStrideOfLargePagesAdvancesByLargePages) {
  world.mm(kA).tlb_gen = 2;
  FlushRequest request = pages_of(kA, 0, 2, 2);
  request.stride = hw::PageSize::k2M;
  EXPECT_THAT(handle(world, kFirst, request), ElementsAre("read gen of mm1", "flush page 0", "flush page 512"));
}

class IsolatedHandler : public Handler {
 protected:
  IsolatedHandler() : Handler(kIsolated) { world.cpu(kFirst).tlb.user_flush_mask = 0; }
};

TEST_F(IsolatedHandler, AFullFlushQueuesTheUserPcid) {
  world.mm(kA).tlb_gen = 3;
  handle(world, kFirst, pages_of(kA, 0, 1, 3));
  EXPECT_EQ(world.cpu(kFirst).tlb.user_flush_mask, 1);
}

TEST_F(IsolatedHandler, APageFlushReachesIntoTheUserPcidWhereThereIsInvpcid) {
  world.mm(kA).tlb_gen = 2;
  EXPECT_THAT(handle(world, kFirst, pages_of(kA, 1, 2, 2)),
              ElementsAre("read gen of mm1", "flush page 1", "flush user half page 1", "flush page 2",
                          "flush user half page 2"));
  EXPECT_EQ(world.cpu(kFirst).tlb.user_flush_mask, 0);
}

TEST(FlushHandler, WithoutInvpcidAPageFlushQueuesTheWholeUserPcid) {
  SmallSetup setup = setup_of(kIsolated);
  setup.invpcid = false;
  SmallWorld world(setup);
  switch_to(world, kFirst, kA);
  world.cpu(kFirst).tlb.user_flush_mask = 0;
  world.mm(kA).tlb_gen = 2;
  EXPECT_THAT(handle(world, kFirst, pages_of(kA, 1, 1, 2)), ElementsAre("read gen of mm1", "flush page 1"));
  EXPECT_EQ(world.cpu(kFirst).tlb.user_flush_mask, 1);
}

TEST_F(Handler, AKernelRangeThatIsGlobalLeavesTheOtherSlotsAlone) {
  EXPECT_THAT(handle(world, kFirst, kernel_pages(1, 2)), ElementsAre("flush page 1", "flush page 2"));
  EXPECT_FALSE(world.cpu(kFirst).tlb.invalidate_other);
}

TEST_F(IsolatedHandler, AKernelRangeThatIsNotGlobalInvalidatesTheOtherSlots) {
  EXPECT_THAT(handle(world, kFirst, kernel_pages(1, 2)), ElementsAre("flush page 1", "flush page 2"));
  EXPECT_TRUE(world.cpu(kFirst).tlb.invalidate_other);
}

// Without PTI but with no global pages, the same kernel page lies under several PCIDs too; only PTI used to be asked about.
TEST(FlushHandler, KernelPagesThatAreNotGlobalStayedInOtherSlotsWithoutPti) {
  SmallSetup setup = setup_of({Pti::off, GlobalSet::none, PcidUse::on, ShootdownMode::serial, 33});
  setup.cpus = 1;
  SmallWorld world(setup);
  switch_to(world, kFirst, kA);
  perform(world, {kFirst, Move::speculate_kernel, 1});
  switch_to(world, kFirst, kB);
  perform(world, {kFirst, Move::edit_kernel, 1, 1});
  finish(world, kFirst);
  EXPECT_TRUE(world.cpu(kFirst).tlb.invalidate_other);
  switch_to(world, kFirst, kA);
  perform(world, {kFirst, Move::touch_kernel, 1});
  EXPECT_EQ(world.violation, "");
}

TEST(FlushHandler, AFullKernelFlushTakesEverythingAndOwesNothing) {
  SmallWorld world(setup_of(kIsolated));
  FlushRequest request = kernel_pages(0, 4);
  request.full = true;
  EXPECT_THAT(handle(world, kFirst, request), ElementsAre("flush everything"));
  EXPECT_FALSE(world.cpu(kFirst).tlb.invalidate_other);
}

}  // namespace
}  // namespace tollgate::kernel
