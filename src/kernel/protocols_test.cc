// Each TLB protocol on a small world, one situation at a time: which steps it takes, in which order, and what they leave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/test_support/small_invariants.h"

namespace tollgate::kernel {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Log = std::vector<std::string>;

constexpr CpuId kFirst{0}, kSecond{1}, kThird{2};
constexpr MmId kA{1}, kB{2};

SmallSetup setup_of(Policy policy) {
  SmallSetup setup;
  setup.policy = policy;
  return setup;
}
const Policy kPlain{Pti::off, GlobalSet::all, PcidUse::on, ShootdownMode::serial, 33};
const Policy kIsolated{Pti::on, GlobalSet::entry, PcidUse::on, ShootdownMode::serial, 33};
const Policy kUntagged{Pti::off, GlobalSet::all, PcidUse::off, ShootdownMode::serial, 33};

Policy with(Policy policy, ShootdownMode mode) {
  policy.shootdown = mode;
  return policy;
}

/// Runs what was begun on one CPU to its end, and says what it asked of the world.
Log finish(SmallWorld& world, CpuId id) {
  world.log.clear();
  world.logs = true;
  for (int steps = 0; world.cpu(id).busy() || world.cpu(id).flushing; ++steps) {
    if (steps == 100) {
      ADD_FAILURE() << "CPU " << id.value << " waits for ever";
      break;
    }
    step(world, id);
  }
  world.logs = false;
  return world.log;
}

Log switch_to(SmallWorld& world, CpuId id, MmId mm) {
  perform(world, {id, Move::switch_mm, mm.value});
  return finish(world, id);
}

Log leave(SmallWorld& world, CpuId id) {
  perform(world, {id, Move::leave_kernel});
  return finish(world, id);
}

/// A request handled alone, as if another CPU had asked for it.
Log handle(SmallWorld& world, CpuId id, const FlushRequest& request) {
  world.cpu(id).inbox.push_back({id, request});
  perform(world, {id, Move::take_interrupt});
  return finish(world, id);
}

FlushRequest pages_of(MmId mm, hw::Vpn first, hw::Vpn pages, std::uint64_t gen) {
  return {FlushRequest::Scope::user, false, hw::PageSize::k4K, mm, first, pages, gen};
}

FlushRequest kernel_pages(hw::Vpn first, hw::Vpn pages) {
  return {FlushRequest::Scope::kernel, false, hw::PageSize::k4K, kInitMm, hw::kKernelHalf + first, pages, 0};
}

// choose_slot

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

// SwitchMm

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

// FlushHandler

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

// Shootdown

/// A shootdown by the first CPU of `pages` pages of the mm that it runs.
Shootdown<CpuSet> begin(SmallWorld& world, hw::Vpn pages) {
  world.cpu(kFirst).flushing = Shootdown<CpuSet>{.debt = {kA, 0, pages, hw::PageSize::k4K, {}}};
  world.cpu(kFirst).edited_to.clear();
  return *world.cpu(kFirst).flushing;
}

/// The first and second CPU run the mm.
SmallWorld shared_world(const Policy& policy) {
  SmallWorld world(setup_of(policy));
  switch_to(world, kFirst, kA);
  switch_to(world, kSecond, kA);
  return world;
}

/// Steps the first CPU until it waits or is done.
Log until_blocked(SmallWorld& world) {
  world.log.clear();
  world.logs = true;
  for (SmallCpu& cpu = world.cpu(kFirst);
       cpu.flushing && !(cpu.flushing->label == Shootdown<CpuSet>::Label::wait && cpu.acknowledgements_due > 0);)
    step(world, kFirst);
  world.logs = false;
  return world.log;
}

TEST(Shootdown, ThirtyThreePagesAreARangeAndThirtyFourAreEverything) {
  for (const auto& [pages, full] : {std::pair(33, false), std::pair(34, true)}) {
    SmallWorld world(setup_of(kPlain));
    switch_to(world, kFirst, kA);
    begin(world, hw::Vpn(pages));
    const Log log = finish(world, kFirst);
    EXPECT_EQ(std::count(log.begin(), log.end(), "flush slot 0"), full ? 1 : 0) << pages;
    EXPECT_EQ(world.counts.pages, full ? 0 : 33) << pages;
  }
}

TEST(Shootdown, BumpsTheGenerationBeforeItReadsTheMask) {
  SmallWorld world = shared_world(kPlain);
  begin(world, 1);
  const Log log = until_blocked(world);
  ASSERT_GE(log.size(), 2u);
  EXPECT_EQ(log[0], "bump gen of mm1");
  EXPECT_EQ(log[1], "read mask of mm1");
}

TEST(Shootdown, WithNobodyElseInTheMaskInterruptsNobody) {
  for (ShootdownMode mode : {ShootdownMode::serial, ShootdownMode::concurrent, ShootdownMode::broadcast}) {
    SmallWorld world(setup_of(with(kPlain, mode)));
    switch_to(world, kFirst, kA);
    begin(world, 1);
    EXPECT_THAT(finish(world, kFirst),
                ElementsAre("bump gen of mm1", "read mask of mm1", "read gen of mm1", "flush page 0"));
  }
}

TEST(Shootdown, SerialFlushesHereThenInterruptsTheOthersThenWaits) {
  SmallWorld world = shared_world(kPlain);
  begin(world, 1);
  EXPECT_THAT(until_blocked(world),
              ElementsAre("bump gen of mm1", "read mask of mm1", "read gen of mm1", "flush page 0", "send to 1"));
}

TEST(Shootdown, ConcurrentInterruptsTheOthersThenFlushesHereThenWaits) {
  SmallWorld world = shared_world(with(kPlain, ShootdownMode::concurrent));
  begin(world, 1);
  EXPECT_THAT(until_blocked(world),
              ElementsAre("bump gen of mm1", "read mask of mm1", "send to 1", "read gen of mm1", "flush page 0"));
}

TEST(Shootdown, BroadcastInterruptsNobody) {
  SmallWorld world = shared_world(with(kPlain, ShootdownMode::broadcast));
  perform(world, {kSecond, Move::touch, 0});
  begin(world, 1);
  EXPECT_THAT(finish(world, kFirst), ElementsAre("bump gen of mm1", "read mask of mm1", "broadcast", "sync"));
  EXPECT_THAT(world.cpu(kSecond).inbox, IsEmpty());
  EXPECT_THAT(world.cpu(kSecond).cached, IsEmpty());
  EXPECT_EQ(world.cpu(kSecond).tlb.slots[0].tlb_gen, 2u);
}

TEST(Shootdown, IsBlockedUntilEveryTargetHasAnswered) {
  for (ShootdownMode mode : {ShootdownMode::serial, ShootdownMode::concurrent}) {
    SmallWorld world = shared_world(with(kPlain, mode));
    switch_to(world, kThird, kA);
    begin(world, 1);
    until_blocked(world);
    for (CpuId target : {kSecond, kThird}) {
      SmallEnvironment environment(world, kFirst);
      const Shootdown<CpuSet> before = *world.cpu(kFirst).flushing;
      EXPECT_EQ(world.cpu(kFirst).flushing->step(environment), Step::blocked);
      EXPECT_EQ(*world.cpu(kFirst).flushing, before) << "a blocked step changes nothing";
      perform(world, {target, Move::take_interrupt});
      finish(world, target);
    }
    step(world, kFirst);
    EXPECT_FALSE(world.cpu(kFirst).flushing) << "done";
  }
}

TEST(Shootdown, TwoThatFlushEachOtherBothComeToAnEnd) {
  SmallWorld world = shared_world(kPlain);
  perform(world, {kFirst, Move::edit, 0, 1});
  perform(world, {kSecond, Move::edit, 1, 1});
  for (int i = 0; i < 20; ++i)
    for (CpuId id : {kFirst, kSecond}) {
      if (world.cpu(id).interrupts_on() && !world.cpu(id).inbox.empty()) perform(world, {id, Move::take_interrupt});
      step(world, id);
      check_invariants(world);
    }
  EXPECT_FALSE(world.cpu(kFirst).flushing || world.cpu(kSecond).flushing);
  EXPECT_EQ(world.violation, "");
}

TEST(Shootdown, OfKernelPagesInterruptsEveryOtherCpu) {
  SmallWorld world(setup_of(kPlain));
  perform(world, {kFirst, Move::edit_kernel, 0, 1});
  EXPECT_THAT(until_blocked(world), ElementsAre("flush page 0", "send to 2"));
}

TEST(Shootdown, CarriesItsDebtToTheEnd) {
  SmallWorld world(setup_of(kPlain));
  switch_to(world, kFirst, kA);
  Shootdown<CpuSet> shootdown{.debt = {kA, 0, 1, hw::PageSize::k4K, {11, 12}}};
  SmallEnvironment environment(world, kFirst);
  while (shootdown.step(environment) != Step::done) {
  }
  EXPECT_THAT(shootdown.debt.frames, ElementsAre(11u, 12u));
  EXPECT_EQ(shootdown.step(environment), Step::done) << "done stays done";
}

// Broadcast

// A CPU between reading the generation and loading the root will not look again: the broadcast has to reach its slot.
TEST(Broadcast, ACpuInTheMiddleOfASwitchKeptWhatTheBroadcastWasFor) {
  SmallWorld world = shared_world(with(kPlain, ShootdownMode::broadcast));
  perform(world, {kSecond, Move::touch, 0});
  switch_to(world, kSecond, kB);
  perform(world, {kSecond, Move::switch_mm, kA.value});
  for (int i = 0; i < 4; ++i) step(world, kSecond);  // compare, leave, join, read the generation
  perform(world, {kFirst, Move::edit, 0, 1});
  finish(world, kFirst);
  finish(world, kSecond);
  perform(world, {kSecond, Move::touch, 0});
  EXPECT_EQ(world.violation, "");
}

// The younger of two broadcasts arrives first; the CPU leaves the mm before the older one has read the mask.
TEST(Broadcast, AYoungerBroadcastDoesNotHideThatAnOlderOneIsMissing) {
  SmallWorld world = shared_world(with(kPlain, ShootdownMode::broadcast));
  switch_to(world, kThird, kA);
  perform(world, {kThird, Move::touch, 0});
  perform(world, {kFirst, Move::edit, 0, 1});
  step(world, kFirst);  // generation 2
  perform(world, {kSecond, Move::edit, 1, 1});
  finish(world, kSecond);  // generation 3
  EXPECT_EQ(world.cpu(kThird).tlb.slots[0].tlb_gen, 1u) << "generation 2 is still missing";
  switch_to(world, kThird, kB);
  switch_to(world, kSecond, kB);
  finish(world, kFirst);
  switch_to(world, kThird, kA);
  perform(world, {kThird, Move::touch, 0});
  EXPECT_EQ(world.violation, "");
}

TEST(Broadcast, OfEverythingBringsASlotUpAndNeverDown) {
  CpuTlbState cpu;
  cpu.slots[1] = {7, 5};
  FlushRequest request = pages_of(kA, 0, 1, 9);
  request.full = true;
  int calls = 0;
  receive_broadcast(cpu, request, 7, [&](int slot) { calls += slot == 1 ? 1 : 100; });
  EXPECT_EQ(calls, 1) << "only the slot of that mm";
  EXPECT_EQ(cpu.slots[1].tlb_gen, 9u);
  request.new_tlb_gen = 8;
  receive_broadcast(cpu, request, 7, [](int) {});
  EXPECT_EQ(cpu.slots[1].tlb_gen, 9u);
}

// ExitToUser

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
