#include "base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace tollgate {
namespace {

TEST(Random, SplitmixMatchesTheReferenceSequenceOfSeed1234567) {
  std::uint64_t state = 1234567;
  EXPECT_EQ(splitmix64(state), 6457827717110365317u);
  EXPECT_EQ(splitmix64(state), 3203168211198807973u);
  EXPECT_EQ(splitmix64(state), 9817491932198370423u);
}

TEST(Random, NamedStreamsAreRepeatableAndDifferByNameAndIndex) {
  EXPECT_EQ(RandomStream::named(7, "layout", {1}).next(), RandomStream::named(7, "layout", {1}).next());
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed : {1u, 2u})
    for (auto name : {"layout", "machine"})
      for (std::uint64_t index = 0; index < 50; ++index) firsts.insert(RandomStream::named(seed, name, {index}).next());
  EXPECT_EQ(firsts.size(), 200u);
}

TEST(Random, BelowIsUniformWithinSixStandardErrors) {
  RandomStream stream(42);
  int counts[7] = {};
  for (int i = 0; i < 70000; ++i) counts[stream.below(7)]++;
  for (int count : counts) EXPECT_NEAR(count, 10000, 6 * 93);
}

TEST(Random, UnitStaysInItsHalfOpenInterval) {
  RandomStream stream(1);
  for (int i = 0; i < 10000; ++i) {
    const double x = stream.unit();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
  }
}

}  // namespace
}  // namespace tollgate
