#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/test_support/scenario.h"

namespace tollgate::kernel {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ExitToUser, AQueuedUserPcidIsFlushedByTheWriteAndTheBitCleared) {
  SmallWorld world(setup_of(kIsolated));
  switch_to(world, kFirst, kA);
  world.cpu(kFirst).tlb.user_flush_mask = 0b101;
  EXPECT_THAT(leave(world, kFirst), ElementsAre("load user mm1 slot 0, flush"));
  EXPECT_EQ(world.cpu(kFirst).tlb.user_flush_mask, 0b100) << "the other slots' bits stay";
  EXPECT_EQ(world.cpu(kFirst).pcid, user_pcid(0));
}

TEST(ExitToUser, OtherwiseTheWriteKeepsWhatIsCached) {
  SmallWorld world(setup_of(kIsolated));
  switch_to(world, kFirst, kA);
  leave(world, kFirst);
  perform(world, {kFirst, Move::touch, 2});
  perform(world, {kFirst, Move::enter_kernel});
  EXPECT_THAT(leave(world, kFirst), ElementsAre("load user mm1 slot 0, keep"));
  EXPECT_NE(find_cached(world.cpu(kFirst), 2), nullptr);
}

TEST(Pcids, KernelPcidsAreOneToSixAndUserPcidsHaveBitEleven) {
  EXPECT_EQ(kernel_pcid(0), 1u);
  EXPECT_EQ(kernel_pcid(kDynamicSlots - 1), 6u);
  EXPECT_EQ(user_pcid(0), 2049u);
  EXPECT_EQ(user_pcid(kDynamicSlots - 1), 2054u);
}

}  // namespace
}  // namespace tollgate::kernel
