#include "kernel/address_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tollgate::kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr MmId kParent{1}, kChild{2};
constexpr Area kHeap{0x100, 64, true, false, 1};
constexpr Area kFile{0x208, 40, false, true, 16};

class AddressSpaceTest : public ::testing::Test {
 protected:
  AddressSpaceTest() {
    space.add_area(kFile);
    space.add_area(kHeap);
  }
  std::uint64_t frame_at(hw::Vpn vpn) const { return space.find(vpn)->frame; }
  std::uint32_t version_at(hw::Vpn vpn) const { return space.find(vpn)->version; }

  FrameAllocator frames;
  AddressSpace space{kParent, frames};
};

FlushDebtState settled(FlushDebt debt) { return std::move(debt).into_state(); }

TEST_F(AddressSpaceTest, AFaultMapsOneAnonymousPageWritable) {
  EXPECT_EQ(space.find(0x105), nullptr);
  EXPECT_EQ(space.populate(0x105), 1);
  ASSERT_NE(space.find(0x105), nullptr);
  EXPECT_TRUE(space.find(0x105)->writable);
  EXPECT_FALSE(space.find(0x105)->global) << "user pages never are";
  EXPECT_EQ(space.find(0x105)->first, 0x105u);
  EXPECT_EQ(space.present_pages(), 1u);
}

TEST_F(AddressSpaceTest, AFaultOnAPresentPageMapsNothing) {
  space.populate(0x105);
  const std::uint32_t version = version_at(0x105);
  EXPECT_EQ(space.populate(0x105), 0);
  EXPECT_EQ(version_at(0x105), version);
}

TEST_F(AddressSpaceTest, AFaultOutsideEveryAreaMapsNothing) {
  for (hw::Vpn vpn : {hw::Vpn(0xff), hw::Vpn(0x140), hw::Vpn(0x207), hw::Vpn(0x230), hw::Vpn(0)}) {
    EXPECT_EQ(space.area_of(vpn), nullptr) << vpn;
    EXPECT_EQ(space.populate(vpn), 0) << vpn;
  }
  EXPECT_EQ(space.area_of(0x100)->first, kHeap.first);
  EXPECT_EQ(space.area_of(0x13f)->first, kHeap.first);
}

TEST_F(AddressSpaceTest, AFileFaultMapsTheAlignedPagesAroundItInsideTheArea) {
  EXPECT_EQ(space.populate(0x209), 8) << "0x208 to 0x20f: the area begins in the middle of sixteen";
  EXPECT_EQ(space.populate(0x215), 16);
  EXPECT_EQ(space.populate(0x22f), 16) << "0x220 to 0x22f, where the area ends";
  EXPECT_EQ(space.present_pages(), 40u);
}

TEST_F(AddressSpaceTest, FaultAroundLeavesPresentPagesAsTheyAre) {
  space.populate(0x210);
  settled(space.unmap(0x211, 1));
  const std::uint64_t frame = frame_at(0x212);
  EXPECT_EQ(space.populate(0x211), 1);
  EXPECT_EQ(frame_at(0x212), frame);
}

TEST_F(AddressSpaceTest, FilePagesAreWriteProtectedEvenInAWritableArea) {
  space.add_area({0x300, 16, true, true, 16});
  space.populate(0x300);
  EXPECT_FALSE(space.find(0x300)->writable);
}

TEST_F(AddressSpaceTest, AWriteToAProtectedPageGetsAFrameOfItsOwnAndOwesThatPage) {
  space.add_area({0x300, 16, true, true, 1});
  space.populate(0x300);
  const std::uint64_t shared = frame_at(0x300);
  const std::uint32_t version = version_at(0x300);
  const FlushDebtState debt = settled(space.make_writable(0x300));
  EXPECT_EQ(debt, (FlushDebtState{kParent, 0x300, 1, hw::PageSize::k4K, {}}));
  EXPECT_TRUE(space.find(0x300)->writable);
  EXPECT_NE(frame_at(0x300), shared);
  EXPECT_GT(version_at(0x300), version) << "a cached translation is recognised as old";
}

// Two threads fault on one page; the second came after the first had been served, copied again and lost the first's frame.
TEST_F(AddressSpaceTest, AWriteFaultServedTwiceCopiedThePageTwice) {
  space.populate(0x105);
  const std::uint64_t frame = frame_at(0x105);
  EXPECT_TRUE(space.make_writable(0x105).empty());
  EXPECT_EQ(frame_at(0x105), frame);
}

// ... or after another thread had taken the page away, and brought it back without an area or a fault.
TEST_F(AddressSpaceTest, AWriteFaultServedAfterAnUnmapBroughtThePageBack) {
  EXPECT_TRUE(space.make_writable(0x105).empty());
  EXPECT_EQ(space.find(0x105), nullptr);
}

TEST_F(AddressSpaceTest, UnmappingPresentPagesOwesThemAndTheirFrames) {
  space.populate(0x110);
  space.populate(0x111);
  const std::uint64_t first = frame_at(0x110), second = frame_at(0x111);
  const FlushDebtState debt = settled(space.unmap(0x110, 2));
  EXPECT_EQ(debt.mm, kParent);
  EXPECT_EQ(debt.first, 0x110u);
  EXPECT_EQ(debt.pages, 2u);
  EXPECT_THAT(debt.frames, ElementsAre(first, second));
  EXPECT_EQ(space.find(0x110), nullptr);
}

TEST_F(AddressSpaceTest, UnmappingWhatWasNeverTouchedOwesNothing) {
  FlushDebt debt = space.unmap(0x110, 8);
  EXPECT_TRUE(debt.empty());
}

// The kernel flushes from the first to the last entry that it cleared; the whole range of a thinly used area used to be owed,
// which turned a flush of one page into a flush of everything.
TEST_F(AddressSpaceTest, UnmappingAThinlyUsedRangeOwedAllOfIt) {
  space.populate(0x110);
  space.populate(0x114);
  const FlushDebtState debt = settled(space.unmap(0x100, 64));
  EXPECT_EQ(debt.first, 0x110u);
  EXPECT_EQ(debt.pages, 5u);
}

TEST_F(AddressSpaceTest, FramesThatMayBeSharedAreNotFreed) {
  space.populate(0x210);
  EXPECT_THAT(settled(space.unmap(0x210, 16)).frames, IsEmpty());
}

TEST_F(AddressSpaceTest, AFrameIsReusedOnlyOnceItsDebtIsSettled) {
  space.populate(0x110);
  const std::uint64_t freed = frame_at(0x110);
  const FlushDebtState debt = settled(space.unmap(0x110, 1));
  space.populate(0x111);
  EXPECT_NE(frame_at(0x111), freed) << "translations of it may still be cached";
  frames.give_back(debt.frames);
  space.populate(0x112);
  EXPECT_EQ(frame_at(0x112), freed);
}

TEST_F(AddressSpaceTest, APageMappedAgainHasANewVersion) {
  space.populate(0x110);
  const std::uint32_t version = version_at(0x110);
  settled(space.unmap(0x110, 1));
  space.populate(0x110);
  EXPECT_GT(version_at(0x110), version);
}

TEST_F(AddressSpaceTest, RemovingAnAreaTakesItsPagesAndItself) {
  space.populate(0x110);
  space.populate(0x210);
  EXPECT_EQ(settled(space.remove_area(kHeap.first)).first, 0x110u);
  EXPECT_EQ(space.area_of(0x110), nullptr);
  EXPECT_NE(space.find(0x210), nullptr);
}

TEST_F(AddressSpaceTest, ClearingOwesTheWholeUserHalfAndTheFramesInOrder) {
  for (hw::Vpn page = 0; page < kHeap.pages; ++page) space.populate(kHeap.first + page);
  space.populate(0x210);
  const FlushDebtState debt = settled(space.clear());
  EXPECT_EQ(debt.first, 0u);
  EXPECT_EQ(debt.pages, hw::kKernelHalf);
  EXPECT_EQ(debt.frames.size(), kHeap.pages) << "the file's frames stay with the page cache";
  EXPECT_TRUE(std::is_sorted(debt.frames.begin(), debt.frames.end()));
  EXPECT_EQ(space.present_pages(), 0u);
  EXPECT_EQ(space.area_of(0x100), nullptr);
}

TEST_F(AddressSpaceTest, ClearingAnEmptySpaceOwesNothing) { EXPECT_TRUE(space.clear().empty()); }

class ForkTest : public AddressSpaceTest {
 protected:
  AddressSpace child{kChild, frames};
};

TEST_F(ForkTest, ParentAndChildShareEveryPageAndBothLoseWriteAccess) {
  space.populate(0x105);
  space.populate(0x210);
  const std::uint32_t version = version_at(0x105);
  const std::uint32_t file_version = version_at(0x210);
  const FlushDebtState debt = settled(space.share_with(child));
  EXPECT_EQ(debt.mm, kParent) << "the child has never run";
  EXPECT_EQ(debt.pages, hw::kKernelHalf);
  EXPECT_THAT(debt.frames, IsEmpty());
  EXPECT_FALSE(space.find(0x105)->writable);
  EXPECT_FALSE(child.find(0x105)->writable);
  EXPECT_EQ(child.find(0x105)->frame, frame_at(0x105));
  EXPECT_GT(version_at(0x105), version);
  EXPECT_EQ(version_at(0x210), file_version) << "it lost nothing";
  EXPECT_EQ(child.present_pages(), space.present_pages());
  EXPECT_EQ(child.area_of(0x105)->pages, kHeap.pages);
}

TEST_F(ForkTest, AWriteAfterForkSeparatesTheTwo) {
  space.populate(0x105);
  settled(space.share_with(child));
  settled(child.make_writable(0x105));
  EXPECT_NE(child.find(0x105)->frame, frame_at(0x105));
  EXPECT_FALSE(space.find(0x105)->writable);
}

TEST_F(ForkTest, TheChildsExitFreesNoFrameThatTheParentStillMaps) {
  space.populate(0x105);
  settled(space.share_with(child));
  EXPECT_THAT(settled(child.clear()).frames, IsEmpty());
}

TEST_F(ForkTest, ForkingASpaceWithoutWritablePagesOwesNothing) {
  space.populate(0x210);
  EXPECT_TRUE(space.share_with(child).empty());
  EXPECT_NE(child.find(0x210), nullptr);
}

// FlushDebt

FlushDebt one_page() { return FlushDebt({kParent, 5, 1, hw::PageSize::k4K, {9}}); }

TEST(FlushDebtDeathTest, ADebtThatIsDroppedUnsettledStopsTheProgram) {
  EXPECT_DEATH({ const FlushDebt debt = one_page(); }, "a page-table edit was never flushed");
}

TEST(FlushDebtDeathTest, ADebtThatWasMovedOnIsStillOwedByItsNewOwner) {
  EXPECT_DEATH(
      {
        FlushDebt debt = one_page();
        const FlushDebt moved(std::move(debt));
      },
      "a page-table edit was never flushed");
}

TEST(FlushDebt, TakingItsStateSettlesIt) {
  const FlushDebtState state = one_page().into_state();
  EXPECT_EQ(state, (FlushDebtState{kParent, 5, 1, hw::PageSize::k4K, {9}}));
}

TEST(FlushDebt, AMovedFromDebtOwesNothing) {
  FlushDebt debt = one_page();
  FlushDebt moved(std::move(debt));
  EXPECT_TRUE(debt.empty());  // NOLINT(bugprone-use-after-move): that is the question
  EXPECT_FALSE(moved.empty());
  std::move(moved).into_state();
}

TEST(FlushDebt, AnEmptyDebtMayBeDropped) { EXPECT_TRUE(FlushDebt({kParent, 5, 0, hw::PageSize::k4K, {}}).empty()); }

TEST(FrameAllocator, HandsOutDifferentFramesAndReturnedOnesAgain) {
  FrameAllocator frames;
  const std::uint64_t first = frames.take(), second = frames.take();
  EXPECT_NE(first, second);
  frames.give_back({first, second});
  EXPECT_THAT((std::vector<std::uint64_t>{frames.take(), frames.take()}), UnorderedElementsAre(first, second));
  EXPECT_NE(frames.take(), first);
}

}  // namespace
}  // namespace tollgate::kernel
