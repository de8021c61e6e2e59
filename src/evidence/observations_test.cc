#include "evidence/observations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tollgate::evidence {
namespace {

/// Pairs of a run of each of two variants; in pair i the baseline's was the first where `baseline_first[i]`.
Measurement pairs(const std::vector<bool>& baseline_first) {
  Measurement measurement;
  measurement.variants = {"off", "on"};
  measurement.terms.order = Order::random_blocks;
  for (const bool is_baseline : {true, false}) {
    Series& series = measurement.series.emplace_back();
    for (std::uint32_t i = 0; i < baseline_first.size(); ++i) {
      Sample& sample = series.samples.emplace_back();
      sample.run = sample.block.emplace(i);
      sample.position = 2 * i + (baseline_first[i] == is_baseline ? 0 : 1);
    }
  }
  return measurement;
}

std::vector<std::string> notes_of(const std::vector<bool>& baseline_first) {
  return observe_order(pairs(baseline_first)).notes;
}

TEST(ObserveOrder, OfFewPairsThatNeverChangesOrAlternatesIsNoted) {
  using testing::ElementsAre;
  using testing::HasSubstr;
  EXPECT_THAT(notes_of({true, true, true}), ElementsAre(HasSubstr("in these 3 pairs the order never changed")));
  EXPECT_THAT(notes_of({false, true, false, true, false}),
              ElementsAre(HasSubstr("in these 5 pairs the order alternated")));
  EXPECT_TRUE(notes_of({true, false, false, true}).empty());
  EXPECT_TRUE(notes_of({true, true, true, true, true, true}).empty());
}

}  // namespace
}  // namespace tollgate::evidence
