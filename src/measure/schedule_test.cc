#include "measure/schedule.h"

#include <gtest/gtest.h>

#include <set>

namespace tollgate::measure {
namespace {

using evidence::Order;

std::vector<std::uint32_t> variants_of(const std::vector<Slot>& slots) {
  std::vector<std::uint32_t> variants;
  for (const Slot& slot : slots) variants.push_back(slot.variant);
  return variants;
}

TEST(Schedule, RandomBlocksHoldEachVariantOnceAndNumberItsRuns) {
  const auto slots = schedule(3, 50, Order::random_blocks, 7, "runs");
  ASSERT_EQ(slots.size(), 150U);
  for (std::uint32_t block = 0; block < 50; ++block) {
    std::set<std::uint32_t> variants;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const Slot& slot = slots[block * 3 + i];
      EXPECT_EQ(slot.block, block);
      EXPECT_EQ(slot.number, block);
      EXPECT_EQ(slot.position, block * 3 + i);
      variants.insert(slot.variant);
    }
    EXPECT_EQ(variants.size(), 3U);
  }
}

TEST(Schedule, EachVariantComesFirstInAboutHalfOfTheBlocks) {
  int first = 0;
  for (const Slot& slot : schedule(2, 1000, Order::random_blocks, 1, "runs"))
    first += slot.position % 2 == 0 && slot.variant == 0;
  EXPECT_GT(first, 430);  // four and a half standard deviations
  EXPECT_LT(first, 570);
}

TEST(Schedule, IsAFunctionOfTheSeedAndItsPurpose) {
  const auto of = [](std::uint64_t seed, const char* purpose) {
    return variants_of(schedule(2, 40, Order::random_blocks, seed, purpose));
  };
  EXPECT_EQ(of(3, "runs"), of(3, "runs"));
  EXPECT_NE(of(3, "runs"), of(4, "runs"));
  EXPECT_NE(of(3, "runs"), of(3, "noise"));
}

TEST(Schedule, TheFixedOrdersAreWhatTheirNamesSay) {
  using Variants = std::vector<std::uint32_t>;
  EXPECT_EQ(variants_of(schedule(2, 4, Order::abba, 1, "runs")), (Variants{0, 1, 1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(variants_of(schedule(2, 3, Order::in_sequence, 1, "runs")), (Variants{0, 0, 0, 1, 1, 1}));
}

}  // namespace
}  // namespace tollgate::measure
