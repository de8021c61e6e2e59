#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/test_support/scenario.h"

namespace tollgate::kernel {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

}  // namespace
}  // namespace tollgate::kernel
