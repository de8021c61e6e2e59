// Single steps of the MMU that once went wrong, or that the prices of walks and the miss causes hang on.
#include "hw/mmu.h"

#include <gtest/gtest.h>

#include "hw/test_support/machines.h"
#include "hw/test_support/rig.h"

namespace tollgate::hw {
namespace {

using evidence::FlushCause;
using test::MachineBuilder;
using test::Rig;

constexpr auto kFlush = FlushCause::local_shootdown;

/// Page-table fetches of an access, all together.
int fetches(const Access& access) { return access.fetches_near + access.fetches_far; }

TEST(Mmu, ARepeatedReferenceReportsTheTranslationItUsed) {
  Rig rig(test::small_machine());
  rig.map(0x10);
  rig.read(0x10);
  for (int repeat = 0; repeat < 3; ++repeat) {
    const Access access = rig.read(0x10);
    ASSERT_NE(access.translation, nullptr);
    EXPECT_EQ(access.outcome, Outcome::l1_hit);
    EXPECT_EQ(access.translation->mapping.first, 0x10u);
  }
}

TEST(Mmu, APageThatItsFirstLevelCannotHoldNeverBecomesAFirstLevelHit) {
  Rig rig(MachineBuilder("no 4K data side")
              .array(1, Side::data, test::kOnly2M, 1, 2)
              .array(1, Side::instruction, test::kOnly4K, 1, 2)
              .array(2, Side::both, test::kOnly4K, 1, 4));
  rig.map(0x10);
  EXPECT_EQ(rig.read(0x10).outcome, Outcome::walk);
  EXPECT_EQ(rig.read(0x10).outcome, Outcome::stlb_hit);
  EXPECT_EQ(rig.read(0x10).outcome, Outcome::stlb_hit);
}

TEST(Mmu, APageThatNoLevelHoldsIsWalkedEveryTimeAndStillReported) {
  Rig rig(MachineBuilder("only 2M").array(1, Side::both, test::kOnly2M, 1, 2));
  rig.map(0x10);
  for (int repeat = 0; repeat < 2; ++repeat) {
    const Access access = rig.read(0x10);
    EXPECT_EQ(access.outcome, Outcome::walk);
    EXPECT_EQ(access.translation->mapping.first, 0x10u);
  }
}

TEST(Mmu, AWriteProtectionFaultReportsWhatRefusedItAndKeepsNothing) {
  Rig rig(test::small_machine());
  rig.map(0x10, PageSize::k4K, "r");
  const Access first = rig.write(0x10);
  EXPECT_EQ(first.outcome, Outcome::write_protected);
  EXPECT_EQ(fetches(first), 4);
  EXPECT_FALSE(first.translation->mapping.writable);
  EXPECT_EQ(rig.mmu().peek(Reference::read, 0x10).level, 0);
  EXPECT_EQ(rig.read(0x10).cause.kind, MissKind::cold) << "a refused walk fills nothing";
  const Access second = rig.write(0x10);
  EXPECT_EQ(second.outcome, Outcome::write_protected);
  EXPECT_EQ(fetches(second), 0) << "refused by the TLB's entry, without a walk";
  EXPECT_EQ(rig.mmu().peek(Reference::read, 0x10).level, 0);
}

TEST(Mmu, PeekSaysNowhereOneFlushAgoAndFirstLevelAfterTheWalk) {
  Rig rig(test::small_machine());
  rig.map(0x10);
  EXPECT_EQ(rig.mmu().peek(Reference::read, 0x10).level, 0);
  rig.read(0x10);
  EXPECT_EQ(rig.mmu().peek(Reference::read, 0x10).level, 1);
  EXPECT_EQ(rig.mmu().peek(Reference::fetch, 0x10).level, 2) << "the other side reaches the shared second level";
  rig.mmu().invlpg(0x10, kFlush);
  EXPECT_EQ(rig.mmu().peek(Reference::read, 0x10).level, 0);
}

TEST(Mmu, ADisplacedPageIsInTheSecondLevelAndComesBackToTheFirst) {
  Rig rig(
      MachineBuilder("two ways").array(1, Side::both, test::kOnly4K, 1, 2).array(2, Side::both, test::kOnly4K, 1, 4));
  for (Vpn vpn : {0x10, 0x11, 0x12}) {
    rig.map(vpn);
    rig.read(vpn);
  }
  EXPECT_EQ(rig.mmu().peek(Reference::read, 0x10).level, 2);
  EXPECT_EQ(rig.read(0x10).outcome, Outcome::stlb_hit);
  EXPECT_EQ(rig.mmu().peek(Reference::read, 0x10).level, 1);
  EXPECT_EQ(rig.mmu().peek(Reference::read, 0x11).level, 2) << "the least recently used went";
}

TEST(Mmu, UsableEntriesAreThoseOfTheLoadedPcidAndTheGlobalOnes) {
  Rig rig(test::small_machine());
  rig.map(0x10);
  rig.map(kKernelHalf + 1, PageSize::k4K, "rwg");
  rig.read(0x10);
  rig.read(kKernelHalf + 1);
  const auto usable = [&] {
    std::set<Vpn> pages;
    rig.mmu().for_each_usable([&](const TlbArray::Entry& entry) { pages.insert(entry.translation.mapping.first); });
    return pages;
  };
  EXPECT_EQ(usable(), (std::set<Vpn>{0x10, kKernelHalf + 1}));
  rig.mmu().write_cr3(rig.b, 2, NoFlush::set, kFlush);
  EXPECT_EQ(usable(), (std::set<Vpn>{kKernelHalf + 1}));
}

// What a walk fetches.

TEST(Walk, TheFirstWalkFetchesOneEntryALevelFromFarAway) {
  for (auto [size, levels] : {std::pair(PageSize::k4K, 4), std::pair(PageSize::k2M, 3), std::pair(PageSize::k1G, 2)}) {
    Rig rig(test::skylake_like());
    rig.map(0x40000, size);
    const Access access = rig.read(0x40000);
    EXPECT_EQ(access.fetches_far, levels) << bytes_of(size);
    EXPECT_EQ(access.fetches_near, 0);
  }
}

TEST(Walk, ARepeatAfterAFullFlushFetchesTheSameEntriesFromTheCoresOwnCaches) {
  for (auto [size, levels] : {std::pair(PageSize::k4K, 4), std::pair(PageSize::k2M, 3), std::pair(PageSize::k1G, 2)}) {
    Rig rig(test::skylake_like());
    rig.map(0x40000, size);
    rig.read(0x40000);
    rig.mmu().invpcid_all(kFlush);
    const Access access = rig.read(0x40000);
    EXPECT_EQ(access.fetches_near, levels) << bytes_of(size);
    EXPECT_EQ(access.fetches_far, 0);
  }
}

TEST(Walk, ACachedUpperEntrySkipsTheLevelsAboveIt) {
  Rig rig(test::skylake_like());
  rig.read(0);  // not mapped: a page fault leaves nothing behind
  rig.map(0x10);
  EXPECT_EQ(fetches(rig.read(0x10)), 4);
  rig.map(0x11);
  EXPECT_EQ(fetches(rig.read(0x11)), 1) << "same page table: the PDE is cached";
  rig.map(0x10 + 512);
  EXPECT_EQ(fetches(rig.read(0x10 + 512)), 2) << "same page directory: the PDPTE is cached";
  rig.map(Vpn{1} << 18);
  EXPECT_EQ(fetches(rig.read(Vpn{1} << 18)), 3) << "same upper directory: the PML4E is cached";
  rig.map(Vpn{1} << 27);
  EXPECT_EQ(fetches(rig.read(Vpn{1} << 27)), 4) << "nothing above it is cached";
}

TEST(Walk, ALargePageUsesCachedEntriesAboveItsOwnLevelOnly) {
  Rig rig(test::skylake_like());
  rig.map(0x200, PageSize::k2M);
  EXPECT_EQ(fetches(rig.read(0x200)), 3);
  rig.map(0x400, PageSize::k2M);
  EXPECT_EQ(fetches(rig.read(0x400)), 1) << "the PDPTE is cached";
  rig.map(Vpn{1} << 18, PageSize::k1G);
  EXPECT_EQ(fetches(rig.read(Vpn{1} << 18)), 1) << "the PML4E is cached";
}

TEST(Walk, EightEntriesShareALineSoTheNeighbourOfAFarFetchIsNear) {
  Rig rig(test::skylake_like());
  for (Vpn vpn : {0x10, 0x11, 0x18}) rig.map(vpn);
  EXPECT_EQ(rig.read(0x10).fetches_far, 4);
  EXPECT_EQ(rig.read(0x11).fetches_near, 1);
  EXPECT_EQ(rig.read(0x18).fetches_far, 1) << "the next line";
}

TEST(Walk, ACr3WriteThatFlushesDropsTheCachedUpperEntriesOfItsPcidOnly) {
  Rig rig(test::skylake_like());
  rig.map(0x10);
  rig.map(0x11);
  rig.map(0x12);
  rig.read(0x10);
  rig.mmu().write_cr3(rig.b, 2, NoFlush::clear, kFlush);
  rig.mmu().write_cr3(rig.a, 1, NoFlush::set, kFlush);
  EXPECT_EQ(fetches(rig.read(0x11)), 1);
  rig.mmu().write_cr3(rig.a, 1, NoFlush::clear, kFlush);
  EXPECT_EQ(fetches(rig.read(0x12)), 4);
}

TEST(Walk, InvlpgDropsEveryCachedUpperEntryOfThePcidButInvpcidOfAnAddressOnlyThatAddresssOwn) {
  Rig rig(test::skylake_like());
  const Vpn elsewhere = Vpn{1} << 27;
  for (Vpn vpn : {Vpn{0x10}, Vpn{0x11}, elsewhere, elsewhere + 1, elsewhere + 2}) rig.map(vpn);
  rig.read(0x10);
  rig.read(elsewhere);
  rig.mmu().invpcid_address(1, 0x10, kFlush);
  EXPECT_EQ(fetches(rig.read(elsewhere + 1)), 1);
  EXPECT_EQ(fetches(rig.read(0x11)), 4);
  rig.mmu().invlpg(0x10, kFlush);
  EXPECT_EQ(fetches(rig.read(elsewhere + 2)), 4);
}

TEST(Walk, ACoreWithoutUpperEntryCachesFetchesEveryLevelEveryTime) {
  Rig rig(MachineBuilder("bare")
              .array(1, Side::both, test::kAllSizes, 1, 4)
              .figure(FigureId::psc_pde_entries, 0)
              .figure(FigureId::psc_pdpte_entries, 0)
              .figure(FigureId::psc_pml4e_entries, 0));
  for (Vpn vpn : {0x10, 0x11}) {
    rig.map(vpn);
    EXPECT_EQ(fetches(rig.read(vpn)), 4);
  }
}

TEST(Walk, TwoRootsDoNotShareTheLinesOfTheirTopTables) {
  Rig rig(test::skylake_like());
  rig.map(kKernelHalf + 0x10);
  EXPECT_EQ(rig.read(kKernelHalf + 0x10).fetches_far, 4);
  rig.mmu().write_cr3(rig.b, 2, NoFlush::clear, kFlush);
  const Access access = rig.read(kKernelHalf + 0x10);
  EXPECT_EQ(access.fetches_far, 1) << "each root has a top table of its own";
  EXPECT_EQ(access.fetches_near, 3) << "the kernel's tables below it are shared";
}

TEST(Walk, APageFaultDropsTheUpperEntriesItWasReachedBy) {
  Rig rig(test::skylake_like());
  rig.map(0x10);
  rig.read(0x10);
  const Access fault = rig.read(0x11);
  EXPECT_EQ(fault.outcome, Outcome::not_present);
  EXPECT_EQ(fault.translation, nullptr);
  EXPECT_EQ(fetches(fault), 1);
  rig.map(0x11);
  EXPECT_EQ(fetches(rig.read(0x11)), 4);
}

// Why a walk was needed.

TEST(MissCause, AFlushedPageIsARefillOnceAndNotForEver) {
  Rig rig(MachineBuilder("two ways")
              .array(1, Side::instruction, test::kOnly4K, 1, 2)
              .array(1, Side::data, test::kOnly4K, 1, 2));
  for (Vpn vpn : {0x10, 0x11, 0x12}) rig.map(vpn);
  rig.fetch(0x10);
  rig.read(0x10);
  rig.mmu().invlpg(0x10, FlushCause::remote_shootdown);
  EXPECT_EQ(rig.read(0x10).cause, (MissCause{MissKind::refill, FlushCause::remote_shootdown}));
  EXPECT_EQ(rig.fetch(0x10).cause.kind, MissKind::capacity) << "one repair settles the flush";
  rig.read(0x11);
  rig.read(0x12);
  EXPECT_EQ(rig.read(0x10).cause.kind, MissKind::capacity) << "displaced by 0x11 and 0x12, not by the old flush";
}

TEST(MissCause, TheOtherSidesHitDoesNotKeepAnOldFlushAlive) {
  Rig rig(MachineBuilder("small second level")
              .array(1, Side::instruction, test::kOnly4K, 1, 1)
              .array(1, Side::data, test::kOnly4K, 1, 1)
              .array(2, Side::both, test::kOnly4K, 1, 2));
  for (Vpn vpn : {0x10, 0x11, 0x12, 0x13}) rig.map(vpn);
  rig.fetch(0x10);
  rig.mmu().invlpg(0x10, kFlush);
  EXPECT_EQ(rig.read(0x10).cause.kind, MissKind::refill);
  EXPECT_EQ(rig.fetch(0x10).outcome, Outcome::stlb_hit);
  for (Vpn vpn : {0x11, 0x12, 0x13}) rig.fetch(vpn);
  EXPECT_EQ(rig.fetch(0x10).cause.kind, MissKind::capacity);
}

TEST(MissCause, ANewPieceOfAFlushedLargePageIsChargedToTheFlush) {
  Rig rig(
      MachineBuilder("one piece").array(1, Side::both, test::kOnly4K, 1, 2).array(2, Side::both, test::kOnly2M, 1, 2));
  rig.map(0x400, PageSize::k2M);
  rig.map(0x10);
  rig.read(0x400);
  rig.mmu().invlpg(0x500, FlushCause::remote_shootdown);
  EXPECT_EQ(rig.read(0x401).cause, (MissCause{MissKind::refill, FlushCause::remote_shootdown}));
}

TEST(MissCause, TheLastFlushIsCharged) {
  Rig rig(test::small_machine());
  rig.map(0x10);
  rig.read(0x10);
  rig.mmu().invlpg(0x10, FlushCause::local_shootdown);
  rig.read(0x10);
  rig.mmu().invpcid_single(1, FlushCause::user_flush_mask);
  rig.mmu().invlpg(0x10, FlushCause::remote_shootdown);  // found nothing to remove
  EXPECT_EQ(rig.read(0x10).cause, (MissCause{MissKind::refill, FlushCause::user_flush_mask}));
}

TEST(MissCause, ARefillThatCapacityWouldHaveForcedAnywayIsCapacity) {
  Rig rig(MachineBuilder("two ways").array(1, Side::both, test::kOnly4K, 1, 2));
  for (Vpn vpn : {0x10, 0x11, 0x12}) rig.map(vpn);
  rig.read(0x10);
  rig.mmu().invlpg(0x10, kFlush);
  rig.read(0x11);
  rig.read(0x12);
  EXPECT_EQ(rig.read(0x10).cause.kind, MissKind::capacity);
}

TEST(MissCause, AnotherPcidForTheSameSpaceIsTheSamePage) {
  Rig rig(test::small_machine());
  rig.map(0x10);
  rig.read(0x10);
  rig.mmu().invpcid_single(1, FlushCause::mm_switch);
  rig.mmu().write_cr3(rig.a, 3, NoFlush::clear, FlushCause::mm_switch);
  EXPECT_EQ(rig.read(0x10).cause, (MissCause{MissKind::refill, FlushCause::mm_switch}));
}

TEST(MissCause, AnotherSpaceAtTheSamePcidAndAddressIsCold) {
  Rig rig(test::small_machine());
  rig.map(0x10);
  rig.tables_b.map(0x10, {});
  rig.read(0x10);
  rig.mmu().write_cr3(rig.b, 1, NoFlush::clear, FlushCause::mm_switch);
  EXPECT_EQ(rig.read(0x10).cause.kind, MissKind::cold);
}

TEST(MissCause, APageSplitIntoSmallOnesIsColdInEachOfThem) {
  Rig rig(test::small_machine());
  rig.map(0x400, PageSize::k2M);
  rig.read(0x400);
  rig.mmu().invlpg(0x400, kFlush);
  rig.map(0x401);
  EXPECT_EQ(rig.read(0x401).cause.kind, MissKind::cold);
}

/// Far fetches of the last of some rounds over pages a table page apart, so that each has a line of its own.
int far_fetches(double near_lines, int pages) {
  Rig rig(MachineBuilder("two entries")
              .array(1, Side::both, test::kOnly4K, 1, 2)
              .figure(FigureId::walk_near_lines, near_lines));
  for (int page = 0; page < pages; ++page) rig.map(Vpn(page) * 512);
  int far = 0;
  for (int round = 0; round < 3; ++round) {
    far = 0;
    for (int page = 0; page < pages; ++page) far += rig.read(Vpn(page) * 512).fetches_far;
  }
  return far;
}

TEST(Mmu, MoreNearLinesNeverMakeMuchMoreFarFetches) {
  // Capacities that are powers of two and such that are not, for a loop of some 500 lines.
  int fewest = 1 << 20;
  for (const double lines : {128, 256, 504, 512, 520, 768, 1024, 1032, 1040, 2040, 2048, 4096, 65536}) {
    const int far = far_fetches(lines, 480);
    EXPECT_LE(far, fewest + 24) << lines << " lines";
    fewest = std::min(fewest, far);
  }
  EXPECT_GT(far_fetches(128, 480), 240);
  EXPECT_EQ(far_fetches(4096, 480), 0);
}

}  // namespace
}  // namespace tollgate::hw
