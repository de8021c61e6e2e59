#include "hw/tlb_array.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "hw/test_support/oracle_array.h"

namespace tollgate::hw {
namespace {

using test::Held;
using test::OracleArray;

struct Shape {
  int sets;
  int ways;
  Replacement replacement;
};

DrawnMachine::Array spec_of(const Shape& shape) {
  return {"array", 1, Side::both, {true, true, true}, shape.sets, shape.ways, shape.replacement, false};
}

TlbKey key_of(const Held& held) {
  return TlbKey(held.page << pages_shift(held.held_as), held.held_as, make_tag(held.pcid, held.thread), held.global);
}

/// Entries that crowd a few sets: some pages, sizes, PCIDs, threads, global or not.
Held held_from(std::uint32_t number) {
  Held held{number >> 3 & 1, 1 + (number >> 4 & 1), (number & 7) == 0, static_cast<PageSize>(number >> 5 & 1),
            number >> 6 & 31};
  if (held.global) held.pcid = 0;
  held.translation.mapping.version = number;
  return held;
}

std::set<std::pair<std::uint64_t, std::uint32_t>> contents(const TlbArray& array) {
  std::set<std::pair<std::uint64_t, std::uint32_t>> live;
  array.for_each([&](const TlbArray::Entry& e) { live.emplace(e.key.bits(), e.translation.mapping.version); });
  return live;
}

std::set<std::pair<std::uint64_t, std::uint32_t>> contents(const OracleArray& array) {
  std::set<std::pair<std::uint64_t, std::uint32_t>> live;
  array.for_each([&](const Held& e) { live.emplace(key_of(e).bits(), e.translation.mapping.version); });
  return live;
}

/// The array and the oracle, told the same things.
class Pair {
 public:
  explicit Pair(const Shape& shape) : array_(shape.sets, shape.ways, shape.replacement), oracle_(spec_of(shape)) {}

  void apply(std::uint32_t action, const Held& held) {
    const TlbKey own = key_of(held);
    switch (action % 16) {
      case 0:
        remove_tag(own.tag());
        break;
      case 1:
        array_.remove_key(own, [](const auto&) {});
        oracle_.remove_if([&](const Held& e) { return e.same_place(held); });
        break;
      case 2:
        array_.remove_any([&](const auto& e) { return thread_of(e.key.tag()) == held.thread; }, [](const auto&) {});
        oracle_.remove_if([&](const Held& e) { return e.thread == held.thread; });
        break;
      default:
        look_up_or_insert(held);
        break;
    }
    RC_ASSERT(contents(array_) == contents(oracle_));
    RC_ASSERT(array_.live() == contents(oracle_).size());
  }

 private:
  void remove_tag(Tag tag) {
    std::size_t told = 0;
    const std::size_t before = array_.live();
    array_.remove_tagged([&](TlbKey key) { return key.tag() == tag; }, [&](const auto&) { ++told; });
    oracle_.remove_if([&](const Held& e) { return !e.global && key_of(e).tag() == tag; });
    RC_ASSERT(before - array_.live() == told);
  }
  void look_up_or_insert(const Held& held) {
    const TlbKey key = key_of(held);
    const bool present = array_.peek(key, key) != nullptr;
    bool expected = false;
    oracle_.for_each([&](const Held& e) { expected |= e.same_place(held); });
    RC_ASSERT(present == expected);
    if (present && held.translation.mapping.version % 2 == 0) {
      RC_ASSERT(array_.access(key, key) != kNowhere);
      oracle_.used(held);
    } else {
      array_.insert(key, held.translation, {});
      oracle_.insert(held);
    }
  }

  TlbArray array_;
  OracleArray oracle_;
};

class ArrayAgainstOracle : public ::testing::TestWithParam<Shape> {};

TEST_P(ArrayAgainstOracle, HoldsTheSameEntriesAfterEveryStep) {
  rc::detail::checkGTest([](const std::vector<std::uint32_t>&) {
    const auto steps = *rc::gen::resize(300, rc::gen::container<std::vector<std::uint32_t>>(
                                                 rc::gen::resize(100, rc::gen::inRange<std::uint32_t>(0, 1 << 15))));
    Pair pair(GetParam());
    for (std::uint32_t step : steps) pair.apply(step >> 11, held_from(step & 0x7ff));
  });
}

INSTANTIATE_TEST_SUITE_P(Shapes, ArrayAgainstOracle,
                         ::testing::Values(Shape{1, 1, Replacement::lru}, Shape{4, 4, Replacement::lru},
                                           Shape{3, 5, Replacement::lru}, Shape{1, 12, Replacement::lru},
                                           Shape{1, 72, Replacement::lru}, Shape{2, 70, Replacement::fifo},
                                           Shape{4, 4, Replacement::fifo}, Shape{5, 3, Replacement::fifo},
                                           Shape{2, 8, Replacement::plru}, Shape{1, 16, Replacement::plru},
                                           Shape{3, 2, Replacement::plru}, Shape{2, 1, Replacement::plru}));

TEST(TlbArray, TreePlruOf64WaysFillsEveryWayBeforeItDisplacesOne) {
  TlbArray array(1, 64, Replacement::plru);
  for (Vpn vpn = 0; vpn < 64; ++vpn) array.insert(TlbKey::tagged(vpn, PageSize::k4K, Tag{1}), {}, {});
  EXPECT_EQ(array.live(), 64u);
  array.insert(TlbKey::tagged(64, PageSize::k4K, Tag{1}), {}, {});
  EXPECT_EQ(array.live(), 64u);
  const TlbKey first = TlbKey::tagged(0, PageSize::k4K, Tag{1});
  EXPECT_EQ(array.peek(first, first), nullptr) << "after a sweep the way used longest ago goes";
}

TEST(TlbArray, ASetOfMoreWaysThanSixteenBitsCountStillKnowsItsOldest) {
  constexpr Vpn kWays = 66000;
  TlbArray array(1, kWays, Replacement::lru);
  for (Vpn vpn = 0; vpn < 3; ++vpn) array.insert(TlbKey::tagged(vpn, PageSize::k4K, Tag{1}), {}, {});
  for (Vpn vpn = 3; vpn < kWays; ++vpn) array.insert_absent(TlbKey::tagged(vpn, PageSize::k4K, Tag{1}), {}, {});
  EXPECT_EQ(array.live(), kWays);
  array.insert_absent(TlbKey::tagged(kWays, PageSize::k4K, Tag{1}), {}, {});
  const TlbKey first = TlbKey::tagged(0, PageSize::k4K, Tag{1});
  const TlbKey second = TlbKey::tagged(1, PageSize::k4K, Tag{1});
  EXPECT_EQ(array.peek(first, first), nullptr);
  EXPECT_NE(array.peek(second, second), nullptr);
}

TEST(TlbArray, RandomReplacementKeepsWhatItSaysItHoldsAndReachesEveryWay) {
  TlbArray array(1, 4, Replacement::random);
  std::set<Vpn> displaced;
  for (Vpn round = 0; round < 200; ++round) {
    for (Vpn vpn = 0; vpn < 4; ++vpn) array.insert(TlbKey::tagged(vpn, PageSize::k4K, Tag{1}), {}, {});
    array.insert(TlbKey::tagged(4, PageSize::k4K, Tag{1}), {}, {});
    EXPECT_EQ(array.live(), 4u);
    for (Vpn vpn = 0; vpn < 4; ++vpn) {
      const TlbKey key = TlbKey::tagged(vpn, PageSize::k4K, Tag{1});
      if (array.peek(key, key) == nullptr) displaced.insert(vpn);
    }
    array.remove_any([](const auto&) { return true; }, [](const auto&) {});
    EXPECT_EQ(array.live(), 0u);
  }
  EXPECT_EQ(displaced.size(), 4u);
}

TEST(TlbArray, PeekDoesNotMakeAnEntryMoreRecent) {
  TlbArray array(1, 2, Replacement::lru);
  const TlbKey a = TlbKey::tagged(1, PageSize::k4K, Tag{1});
  const TlbKey b = TlbKey::tagged(2, PageSize::k4K, Tag{1});
  array.insert(a, {}, {});
  array.insert(b, {}, {});
  EXPECT_NE(array.peek(a, a), nullptr);
  array.insert(TlbKey::tagged(3, PageSize::k4K, Tag{1}), {}, {});
  EXPECT_EQ(array.peek(a, a), nullptr) << "displaced: a look-up for show is not a use";
  EXPECT_NE(array.peek(b, b), nullptr);
}

TEST(TlbKey, KeepsEveryFieldAtItsLargestValue) {
  const TlbKey key = TlbKey::tagged(kVpnMask, PageSize::k4K, make_tag(kMaxSpace, 1));
  EXPECT_EQ(key.page(), kVpnMask);
  EXPECT_EQ(key.tag(), make_tag(kMaxSpace, 1));
  EXPECT_EQ(key.size(), PageSize::k4K);
  EXPECT_FALSE(key.is_global());
  EXPECT_TRUE(key.valid());
  EXPECT_TRUE(TlbKey::global(0, PageSize::k1G, make_tag(5, 1)).is_global());
  EXPECT_EQ(TlbKey::global(0, PageSize::k1G, make_tag(5, 1)).tag(), make_tag(0, 1));
}

}  // namespace
}  // namespace tollgate::hw
