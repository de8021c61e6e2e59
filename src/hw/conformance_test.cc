// Conformance: what the architecture promises about cached translations, one case for each fault that another simulator,
// core or kernel shipped. Each case names that fault's report. They run on several geometries, since a fault may hide in
// one level, one side or one page size.
#include <gtest/gtest.h>

#include "hw/test_support/machines.h"
#include "hw/test_support/scenario.h"

namespace tollgate::hw {
namespace {

using test::MachineBuilder;
using test::Pcids;

struct Case {
  std::string sentence;
  std::string source;
  Pcids pcids;
  std::string steps;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.source; }

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"ACr3WriteWithTheNoFlushBitKeepsTheEntriesOfEveryPcid", "gem5/gem5#2108", Pcids::on, R"(
        map A 0x10 4K rw
        map B 0x20 4K rw
        cr3 A 1 flush
        read 0x10 -> walk
        cr3 B 2 keep
        read 0x20 -> walk
        cr3 A 1 keep
        read 0x10 -> hit
        cr3 B 2 keep
        read 0x20 -> hit)"},
      {"ACr3WriteWithoutTheNoFlushBitFlushesTheNewPcidAndNoOther", "gem5/gem5#2108", Pcids::on, R"(
        map A 0x10 4K rw
        map B 0x20 4K rw
        cr3 A 1 flush
        read 0x10 -> walk
        cr3 B 2 flush
        read 0x20 -> walk
        cr3 B 2 flush
        read 0x20 -> walk
        cr3 A 1 keep
        read 0x10 -> hit)"},
      {"ACr3WriteWithPcidsOffFlushesEverythingButGlobalEntriesWhateverBit63Says", "gem5/gem5#2108", Pcids::off, R"(
        map A 0x10 4K rw
        map kernel k0x10 4K rw global
        cr3 A 0 keep
        read 0x10 -> walk
        read k0x10 -> walk
        cr3 A 0 keep
        read 0x10 -> walk
        read k0x10 -> hit)"},
      {"ThePcidIsComparedOnEveryLookUp", "gem5/gem5#2108: tags masked off in full-system mode", Pcids::on, R"(
        map A 0x10 4K rw
        map B 0x10 4K rw
        cr3 A 1 flush
        read 0x10 -> walk
        cr3 B 2 keep
        read 0x10 -> walk
        cr3 A 1 keep
        read 0x10 -> hit
        unmap B 0x10
        cr3 B 2 flush
        read 0x10 -> absent)"},
      {"PcidZeroIsATagLikeAnyOther", "TLBSim: its validator's check of ASID 0", Pcids::on, R"(
        map A 0x10 4K rw
        map B 0x10 4K rw
        cr3 A 0 flush
        read 0x10 -> walk
        cr3 B 1 keep
        read 0x10 -> walk
        cr3 A 0 keep
        read 0x10 -> hit
        invpcid 1 0
        cr3 B 1 keep
        read 0x10 -> hit)"},
      {"PagesAndPcidsWhoseNumbersOrToTheSameValueAreApart", "darchr/gem5#206: PCID OR-ed into the page number", Pcids::on, R"(
        map A 0x11 4K rw
        map A 0x12 4K rw
        map A 0x13 4K rw
        cr3 A 2 flush
        read 0x11 -> walk
        cr3 A 1 keep
        read 0x12 -> walk
        cr3 A 0 keep
        read 0x13 -> walk
        read 0x11 -> walk
        cr3 A 3 keep
        read 0x11 -> walk
        invpcid 0 1 0x12
        cr3 A 2 keep
        read 0x11 -> hit
        cr3 A 1 keep
        read 0x12 -> walk
        cr3 A 0 keep
        read 0x13 -> hit)"},
      {"InvpcidOfOnePcidKeepsTheOthers", "darchr/gem5#206", Pcids::on, R"(
        map A 0x10 4K rw
        map B 0x10 4K rw
        cr3 A 1 flush
        read 0x10 -> walk
        cr3 B 2 keep
        read 0x10 -> walk
        invpcid 1 1
        read 0x10 -> hit
        cr3 A 1 keep
        read 0x10 -> walk)"},
      {"AFlushOfOneTagKeepsGlobalEntries", "gem5/gem5#3010, gem5/gem5#3425", Pcids::on, R"(
        map kernel k0x10 4K rw global
        map A 0x10 4K rw
        cr3 A 1 flush
        read k0x10 -> walk
        read 0x10 -> walk
        invpcid 1 1
        read k0x10 -> hit
        read 0x10 -> walk
        cr3 A 1 flush
        read k0x10 -> hit
        invpcid 0 1 k0x10
        read k0x10 -> hit
        invpcid 3
        read k0x10 -> hit
        read 0x10 -> walk)"},
      {"AFlushOfEverythingTakesGlobalEntriesOfAllPcids", "gem5/gem5#3010", Pcids::on, R"(
        map kernel k0x10 4K rw global
        map A 0x10 4K rw
        cr3 A 1 flush
        read k0x10 -> walk
        read 0x10 -> walk
        cr3 B 2 keep
        invpcid 2
        read k0x10 -> walk
        cr3 A 1 keep
        read 0x10 -> walk
        cr3 B 2 keep
        pge
        read k0x10 -> walk
        cr3 A 1 keep
        read 0x10 -> walk)"},
      {"AnUnmappedPageIsNotReadableAfterItsFlush", "gem5/gem5#409", Pcids::on, R"(
        map A 0x10 4K rw
        cr3 A 1 flush
        read 0x10 -> walk
        fetch 0x10 -> hit   # brought into the other side by way of the second level, where there is one
        unmap A 0x10
        read 0x10 -> hit stale
        invlpg 0x10
        read 0x10 -> absent
        fetch 0x10 -> absent)"},
      {"AGlobalEntryHitsUnderAnotherPcid", "OpenXiangShan/XiangShan#4811", Pcids::on, R"(
        map kernel k0x10 4K rw global
        map kernel k0x400 2M rw global
        cr3 A 1 flush
        read k0x10 -> walk
        read k0x401 -> walk
        cr3 B 2 flush
        read k0x10 -> hit
        read k0x401 -> hit)"},
      {"ARecycledPcidDoesNotHitItsLastOwnersEntries", "richlowe/illumos-gate#220", Pcids::on, R"(
        map A 0x10 4K rw
        map B 0x10 4K rw
        cr3 A 1 flush
        read 0x10 -> walk
        cr3 B 1 flush
        read 0x10 -> walk
        cr3 A 1 keep        # the fault itself: a tag handed on without a flush
        read 0x10 -> hit stale)"},
      {"AWalkFillsUnderTheTagAndFromTheTablesOfTheSameCr3Write", "richlowe/illumos-gate#220: tag and table of two spaces",
       Pcids::on, R"(
        map A 0x10 4K rw
        map B 0x10 4K ro
        cr3 A 1 flush
        cr3 B 2 flush
        read 0x10 -> walk
        write 0x10 -> refused
        cr3 A 1 keep
        write 0x10 -> walk
        cr3 B 2 keep
        write 0x10 -> refused)"},
      {"AKernelPageThatIsNotGlobalIsFlushedInEachPcidThatMayHoldIt", "phoenix-rtos/phoenix-rtos-kernel#829", Pcids::on, R"(
        map kernel k0x10 4K rw
        cr3 A 1 flush
        read k0x10 -> walk
        cr3 B 2 flush
        read k0x10 -> walk
        unmap kernel k0x10
        invlpg k0x10         # reaches the current PCID alone
        read k0x10 -> absent
        cr3 A 1 keep
        read k0x10 -> hit stale
        invpcid 3
        read k0x10 -> absent)"},
      {"AFlushOnOneCpuLeavesTheOthersEntriesUntilTheyAreShotDown", "microsoft/litebox#671, microsoft/litebox#769", Pcids::on,
       R"(
        map A 0x10 4K rw
        cr3 A 1 flush
        @1 cr3 A 1 flush
        read 0x10 -> walk
        @1 read 0x10 -> walk
        unmap A 0x10
        invlpg 0x10
        read 0x10 -> absent
        @1 read 0x10 -> hit stale
        @1 invlpg 0x10
        @1 read 0x10 -> absent)"},
      {"ABroadcastReachesEveryCpuWithoutAnInterrupt", "microsoft/litebox#671", Pcids::on, R"(
        map A 0x10 4K rw
        map kernel k0x10 4K rw global
        @1 cr3 A 1 flush
        @1 read 0x10 -> walk
        @1 read k0x10 -> walk
        broadcast 1 0x10
        broadcast 1 k0x10
        @1 read 0x10 -> walk
        @1 read k0x10 -> hit
        broadcast-globals 1 k0x10
        @1 read k0x10 -> walk)"},
      {"AnAddressFlushRemovesTheEntryFromBothSidesAndLevels", "OpenXiangShan/GEM5#999", Pcids::on, R"(
        map A 0x10 4K rw
        cr3 A 1 flush
        fetch 0x10 -> walk
        read 0x10 -> hit
        write 0x10 -> hit
        invlpg 0x10
        fetch 0x10 -> walk
        invlpg 0x10
        read 0x10 -> walk)"},
      {"AnAddressFlushAnywhereInALargePageRemovesAllOfIt", "OpenXiangShan/GEM5#999; Intel SDM vol. 3 on pieces of large pages", Pcids::on,
       R"(
        map A 0x400 2M rw
        map A 0x40000 1G rw
        cr3 A 1 flush
        read 0x400 -> walk
        fetch 0x401 -> hit
        fetch 0x5ff -> hit
        read 0x40000 -> walk
        fetch 0x40fff -> hit
        invlpg 0x480
        fetch 0x401 -> walk
        invlpg 0x480
        fetch 0x5ff -> walk
        invlpg 0x480
        read 0x400 -> walk
        invlpg 0x7ffff
        fetch 0x40fff -> walk
        invlpg 0x41000
        read 0x40000 -> walk)"},
      {"AnAddressFlushKeepsTheNeighbours", "DynamoRIO/dynamorio#1763", Pcids::on, R"(
        map A 0x10 4K rw
        map A 0x11 4K rw
        map A 0x400 2M rw
        cr3 A 1 flush
        read 0x10 -> walk
        read 0x11 -> walk
        read 0x400 -> walk
        invlpg 0x10
        read 0x11 -> hit
        read 0x400 -> hit
        read 0x10 -> walk)"},
      {"AnAddressFlushInOnePcidKeepsThePageOfAnother", "DynamoRIO/dynamorio#4816", Pcids::on, R"(
        map A 0x10 4K rw
        map B 0x10 4K rw
        cr3 A 1 flush
        read 0x10 -> walk
        cr3 B 2 flush
        read 0x10 -> walk
        invpcid 0 1 0x10
        read 0x10 -> hit
        invlpg 0x10
        read 0x10 -> walk
        cr3 A 1 keep
        read 0x10 -> walk
        cr3 B 2 keep
        invlpg 0x10
        cr3 A 1 keep
        read 0x10 -> hit)"},
      {"InvlpgTakesAGlobalEntryWhicheverPcidFilledIt", "gem5/gem5#3010", Pcids::on, R"(
        map kernel k0x10 4K rw global
        cr3 A 1 flush
        read k0x10 -> walk
        cr3 B 2 flush
        invlpg k0x10
        cr3 A 1 keep
        read k0x10 -> walk)"},
      {"APageFaultDropsTheStaleEntryItCameFrom", "Intel SDM vol. 3, Operations that Invalidate TLBs: page faults", Pcids::on,
       R"(
        map A 0x10 4K ro
        cr3 A 1 flush
        read 0x10 -> walk
        map A 0x10 4K rw
        write 0x10 -> refused stale
        write 0x10 -> walk)"},
      {"PagesOfDifferentSizesAtOneAddressDoNotMix", "DynamoRIO/dynamorio#5905", Pcids::on, R"(
        map A 0x400 2M rw
        cr3 A 1 flush
        read 0x400 -> walk
        map A 0x400 4K rw
        map A 0x401 4K ro
        read 0x401 -> hit stale
        invlpg 0x401
        read 0x401 -> walk
        read 0x402 -> absent
        write 0x400 -> walk
        write 0x401 -> refused)"},
      {"TheFirstAndTheLastPageAreNotHitsBeforeTheirFirstWalk", "a sentinel that was a page number", Pcids::on, R"(
        map kernel kfffffffff 4K rw
        map A 0x0 4K rw
        cr3 A 1 flush
        read kfffffffff -> walk
        read 0x0 -> walk
        read kfffffffff -> hit)"},
  };
  return all;
}

std::vector<DrawnMachine> machines() {
  using test::k4KAnd2M, test::kAllSizes, test::kOnly2M, test::kOnly4K;
  return {
      test::skylake_like(),
      MachineBuilder("fractured").array(1, Side::instruction, kOnly4K, 16, 8).array(1, Side::data, kAllSizes, 4, 8)
          .array(2, Side::both, kAllSizes, 16, 8).fractured_instruction_side(),
      MachineBuilder("unified").array(1, Side::both, kAllSizes, 1, 32),
      MachineBuilder("pieces").array(1, Side::both, kOnly4K, 4, 8).array(2, Side::both, kAllSizes, 4, 8),
      MachineBuilder("tree").array(1, Side::both, kAllSizes, 1, 32, Replacement::plru)
          .array(2, Side::both, k4KAnd2M, 4, 8, Replacement::plru),
      MachineBuilder("two-threads").threads(2).array(1, Side::instruction, kOnly4K, 4, 8)
          .array(1, Side::instruction, kOnly2M, 1, 8).per_thread().array(1, Side::data, kAllSizes, 1, 32)
          .array(2, Side::both, kAllSizes, 8, 8),
  };
}

class Conformance : public ::testing::TestWithParam<Case> {};

TEST_P(Conformance, Holds) {
  for (const DrawnMachine& machine : machines())
    EXPECT_EQ(test::run_scenario(machine, GetParam().pcids, GetParam().steps), "")
        << "on " << machine.name << "; the fault: " << GetParam().source;
}

INSTANTIATE_TEST_SUITE_P(Cases, Conformance, ::testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.sentence; });

TEST(Scenario, AStepThatDoesNotHoldIsReportedWithItsLine) {
  EXPECT_EQ(test::run_scenario(test::small_machine(), Pcids::on, "map A 0x10 4K rw\ncr3 A 1 flush\nread 0x10 -> hit"),
            "read 0x10 -> hit: was walk");
  EXPECT_EQ(test::run_scenario(test::small_machine(), Pcids::on, "flush it all"), "flush it all: no such step");
}

}  // namespace
}  // namespace tollgate::hw
