// The explorer on toy models whose state counts and shortest failures are known by arithmetic.
#include "world/explored/explorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/interrupt.h"
#include "world/explored/random_walk.h"

namespace tollgate::explored {
namespace {

constexpr int kCounters = 3;

/// Three counters that count up to a limit, in any order; symmetric ones are interchangeable.
struct Counters {
  struct State {
    std::array<std::uint8_t, kCounters> value{};
  };
  struct Action {
    int counter = 0;
  };
  std::uint8_t limit = 4;
  bool symmetric = false;
  bool may_stop = true;
  int forbidden_sum = 1000;

  State initial() const { return {}; }
  std::size_t state_bytes() const { return kCounters; }
  void encode(const State& state, std::span<std::uint8_t> out) const {
    std::copy(state.value.begin(), state.value.end(), out.begin());
    if (symmetric) std::sort(out.begin(), out.end());
  }
  State decode(std::span<const std::uint8_t> in) const {
    State state;
    std::copy(in.begin(), in.end(), state.value.begin());
    return state;
  }
  template <typename Visitor>
  void for_each_successor(const State& state, Visitor visit) const {
    for (int counter = 0; counter < kCounters; ++counter) {
      if (state.value[std::size_t(counter)] == limit) continue;
      State next = state;
      ++next.value[std::size_t(counter)];
      visit(Action{counter}, next);
    }
  }
  static bool sum_allowed(const Counters& model, const State& state) {
    return state.value[0] + state.value[1] + state.value[2] != model.forbidden_sum;
  }
  std::span<const Invariant<Counters>> invariants() const {
    static constexpr std::array<Invariant<Counters>, 1> all{{{"SumAllowed", "for the test", sum_allowed}}};
    return all;
  }
  std::string describe(const State&, const Action& action, const State&) const {
    return std::to_string(action.counter);
  }
  bool may_end(const State&) const { return may_stop; }
};

Outcome explored(const Counters& model, std::uint64_t memory = std::uint64_t{64} << 20) {
  return *Explorer<Counters>(model, {memory, {}}).run();
}

TEST(Explorer, SeesEveryStateOnce) {
  const Outcome outcome = explored({});
  EXPECT_EQ(outcome.verdict, Verdict::holds);
  EXPECT_EQ(outcome.states, 125u);       // 5^3
  EXPECT_EQ(outcome.transitions, 300u);  // 3 x 4 x 5^2
  EXPECT_EQ(outcome.depth, 12u);
}

TEST(Explorer, SeesOneStateOfEachSymmetricFamily) {
  const Outcome outcome = explored({.symmetric = true});
  EXPECT_EQ(outcome.states, 35u);  // multisets of 3 out of 5
  EXPECT_EQ(outcome.depth, 12u);
}

TEST(Explorer, FindsAShortestCounterexampleUnderSymmetryToo) {
  for (const bool symmetric : {false, true}) {
    const Outcome outcome = explored({.symmetric = symmetric, .forbidden_sum = 7});
    EXPECT_EQ(outcome.verdict, Verdict::violated);
    EXPECT_EQ(outcome.invariant, "SumAllowed");
    ASSERT_EQ(outcome.schedule.size(), 7u);
    for (const std::string& line : outcome.schedule) EXPECT_FALSE(line.empty());
  }
}

TEST(Explorer, CallsAStateWithoutSuccessorsADeadlockUnlessItMayEnd) {
  const Outcome outcome = explored({.may_stop = false});
  EXPECT_EQ(outcome.verdict, Verdict::violated);
  EXPECT_EQ(outcome.invariant, kNoDeadlock);
  EXPECT_EQ(outcome.schedule.size(), 12u);
}

TEST(Explorer, SaysUndecidedWhenTheMemoryBoundIsMet) {
  const Outcome outcome = explored({.limit = 200}, std::uint64_t{3} << 20);
  EXPECT_EQ(outcome.verdict, Verdict::undecided);
  EXPECT_LE(outcome.memory_bytes, std::uint64_t{3} << 20);
  EXPECT_GT(outcome.states, 0u);
}

TEST(Explorer, StopsWhenTheUserAsks) {
  request_interrupt();
  const auto outcome = Explorer<Counters>(Counters{}, {}).run();
  clear_interrupt();
  EXPECT_FALSE(outcome);
}

/// A customer comes (0 to 1), may look around (1 to 2 and back) and is served from either (to 0). What is held to help decides.
struct Shop {
  enum class Helpful : std::uint8_t { serve, look_around, nothing };
  struct State {
    std::uint8_t at = 0;
  };
  struct Action {};
  Helpful helpful = Helpful::serve;

  State initial() const { return {}; }
  std::size_t state_bytes() const { return 1; }
  void encode(const State& state, std::span<std::uint8_t> out) const { out[0] = state.at; }
  State decode(std::span<const std::uint8_t> in) const { return {in[0]}; }
  template <typename Visitor>
  void for_each_successor(const State& state, Visitor visit) const {
    for (std::uint8_t next = 0; next < 3; ++next)
      if (next != state.at && (state.at != 0 || next == 1)) visit(Action{}, State{next});
  }
  std::span<const Invariant<Shop>> invariants() const { return {}; }
  std::string describe(const State&, const Action&, const State& next) const { return std::to_string(next.at); }
  bool may_end(const State&) const { return false; }
  bool somebody_waits(const State& state) const { return state.at != 0; }
  template <typename Visitor>
  void take_helpful_step(const State& state, Visitor visit) const {
    if (helpful == Helpful::serve) visit(State{0});
    if (helpful == Helpful::look_around) visit(State{std::uint8_t(3 - state.at)});
  }
};

TEST(Progress, WhoeverIsServedInTheEndIsFine) {
  EXPECT_EQ((*Explorer<Shop>(Shop{}, {}).run()).verdict, Verdict::holds);
}

TEST(Progress, ARunThatGoesRoundOrStandsStillServesNobody) {
  for (const auto helpful : {Shop::Helpful::look_around, Shop::Helpful::nothing}) {
    const Outcome outcome = *Explorer<Shop>(Shop{helpful}, {}).run();
    EXPECT_EQ(outcome.verdict, Verdict::violated);
    EXPECT_EQ(outcome.invariant, kProgress);
    ASSERT_FALSE(outcome.schedule.empty());
    EXPECT_EQ(outcome.schedule.front(), "1") << "the customer comes first";
  }
}

TEST(RandomWalker, RepeatsUnderItsSeedAndFindsADeepState) {
  const Counters model{.forbidden_sum = 12};
  const Outcome first = *RandomWalker<Counters>(model, {10, 20, 5, {}}).run();
  EXPECT_EQ(first.verdict, Verdict::violated);
  EXPECT_EQ(first.schedule.size(), 12u);
  EXPECT_EQ(first.schedule, (*RandomWalker<Counters>(model, {10, 20, 5, {}}).run()).schedule);
}

TEST(RandomWalker, ProvesNothing) {
  const Outcome outcome = *RandomWalker<Counters>(Counters{}, {10, 20, 5, {}}).run();
  EXPECT_EQ(outcome.verdict, Verdict::undecided);
  EXPECT_FALSE(outcome.exhaustive);
  EXPECT_EQ(outcome.states, 120u);
}

}  // namespace
}  // namespace tollgate::explored
