#include "measure/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace tollgate::measure {
namespace {

using evidence::Order;
using testing::AllOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::Gt;
using testing::Lt;
using testing::Not;
using testing::Pair;

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

/// One letter a block: f where the baseline comes first of the two, s where second.
std::string places_of(const std::vector<Slot>& slots, std::uint32_t variant) {
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> positions;
  for (const Slot& slot : slots) positions[slot.block][slot.variant] = slot.position;
  std::string places;
  for (const auto& [block, of_variant] : positions) places += of_variant.at(0) < of_variant.at(variant) ? 'f' : 's';
  return places;
}

TEST(Schedule, OfFewBlocksNoneIsAlwaysOrAlternatelyInOneOrderAndTheOthersAreAlikeOften) {
  std::map<std::string, int> of_three;
  std::map<std::string, int> of_two;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    ++of_three[places_of(schedule(2, 3, Order::random_blocks, seed, "runs"), 1)];
    ++of_two[places_of(schedule(2, 2, Order::random_blocks, seed, "runs"), 1)];
    const std::string of_five = places_of(schedule(2, 5, Order::random_blocks, seed, "runs"), 1);
    EXPECT_THAT(of_five, Not(AnyOf("fffff", "sssss", "fsfsf", "sfsfs")));
  }
  const auto quarter = [](const char* places) { return Pair(places, AllOf(Gt(860), Lt(1140))); };  // five deviations
  EXPECT_THAT(of_three, ElementsAre(quarter("ffs"), quarter("fss"), quarter("sff"), quarter("ssf")));
  EXPECT_THAT(of_two, ElementsAre(quarter("ff"), quarter("fs"), quarter("sf"), quarter("ss")));
}

TEST(Schedule, OfManyVariantsInFewBlocksEachIsBesideTheBaselineInBothOrders) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto slots = schedule(10, 3, Order::random_blocks, seed, "runs");
    for (std::uint32_t variant = 1; variant < 10; ++variant)
      EXPECT_THAT(places_of(slots, variant), AnyOf("ffs", "fss", "sff", "ssf")) << seed;
  }
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
