#include "report/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/comparison_fixture.h"

namespace tollgate::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<LayoutStep> medians(std::initializer_list<double> values) {
  std::vector<LayoutStep> steps;
  for (double value : values) steps.push_back({"entry", "pages", std::to_string(steps.size()), value, value, value});
  return steps;
}

TEST(Explanation, ADeltaTipsWhereTwoNeighboursMakeHalfOfTheRange) {
  const auto tips = tipping_points(medians({0, 0.1, 2.4, 2.6}));
  ASSERT_EQ(tips.size(), 1u);
  EXPECT_EQ(tips[0].before.value, "1");
  EXPECT_EQ(tips[0].after.value, "2");
}

TEST(Explanation, AThereAndBackTipsTwice) { EXPECT_EQ(tipping_points(medians({0, 3, 3, 0})).size(), 2u); }

TEST(Explanation, ASlopeAndAConstantDoNotTip) {
  EXPECT_TRUE(tipping_points(medians({0, 1, 2, 3})).empty());
  EXPECT_TRUE(tipping_points(medians({2, 2, 2})).empty());
  EXPECT_TRUE(tipping_points({}).empty());
}

TEST(Explanation, KeysAndVariantsTipEachForItself) {
  auto steps = medians({0, 5});
  steps.push_back({"entry-text", "pages", "0", 50, 40, 60});
  steps.push_back({"entry-text", "pages", "1", 90, 80, 95});
  const auto tips = tipping_points(steps);
  ASSERT_EQ(tips.size(), 2u);
  EXPECT_EQ(tips[1].variant, "entry-text");
}

TEST(Explanation, BumpsWithinTheSpreadDoNotTip) {
  auto steps = medians({0, 0.2, 0});
  for (auto& step : steps) step.low_percent = -0.3, step.high_percent = 0.3;
  EXPECT_TRUE(tipping_points(steps).empty());
}

/// A published delta of `percent` on the fixture's primary metric, and a map of medians for its variant.
std::vector<Unidentifiable> judged(double percent, std::initializer_list<double> map) {
  auto comparison = example_comparison();
  comparison.published.resize(1);
  comparison.published[0].variant = "entry";
  comparison.published[0].metric = comparison.variants[0].metrics[0].info.name;
  comparison.published[0].use = evidence::PublishedUse::validate;
  comparison.published[0].delta_percent = percent;
  return unidentifiable(comparison, medians(map));
}

TEST(Explanation, ASizeThatTheMapGoesThroughIsNotIdentifiable) {
  const auto found = judged(4.9, {0.6, 1, 8, 39});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].least.median_percent, 0.6);
  EXPECT_EQ(found[0].most.median_percent, 39);
  EXPECT_EQ(judged(-4.9, {-0.6, -12}).size(), 1u);
}

TEST(Explanation, ASizeThatTheMapStaysNearToOrNeverReachesIsNotCalledUnidentifiable) {
  EXPECT_TRUE(judged(4.9, {3, 8}).empty());
  EXPECT_TRUE(judged(4.9, {0, 2}).empty());
  EXPECT_TRUE(judged(-4.9, {0.6, 39}).empty());
}

TEST(Explanation, AMapThatMayBeFlatSaysNothingOfASize) {
  auto comparison = example_comparison();
  comparison.published.resize(1);
  comparison.published[0].variant = "entry";
  comparison.published[0].metric = comparison.variants[0].metrics[0].info.name;
  comparison.published[0].use = evidence::PublishedUse::validate;
  comparison.published[0].delta_percent = 0.1;
  auto steps = medians({-0.3, 0.3});
  steps[0].high_percent = steps[1].high_percent = 1;
  steps[0].low_percent = steps[1].low_percent = -1;
  EXPECT_TRUE(unidentifiable(comparison, steps).empty());
  steps[0].high_percent = -0.2;
  steps[1].low_percent = 0.2;
  EXPECT_EQ(unidentifiable(comparison, steps).size(), 1u);
}

TEST(Explanation, TheWidestSwingComesFirst) {
  const std::string text = explanation_text(example_explanation());
  EXPECT_LT(text.find("walk.exposed_data"), text.find("walk.fetch_near"));
  EXPECT_LT(text.find("walk.fetch_near"), text.find("cr3.write         |"));
}

TEST(Explanation, SaysSoWhenNothingTips) {
  auto explanation = example_explanation();
  explanation.layout = medians({0, 1, 2, 3});
  EXPECT_THAT(explanation_text(explanation), HasSubstr("the delta does not tip"));
}

TEST(Explanation, LeavesOutWhatNobodyFilledIn) {
  Explanation explanation;
  explanation.comparison = equal_comparison(20);
  const std::string text = explanation_text(explanation);
  for (const char* absent : {"layout", "misses", "exposure", "figure", "decide", "account"})
    EXPECT_THAT(text, Not(HasSubstr(absent)));
}

TEST(Explanation, MarkdownHoldsEveryFigureOfTheText) {
  const std::string markdown = explanation_markdown(example_explanation());
  EXPECT_THAT(markdown, HasSubstr("| walk_capacity | 18.000 | 11.250 | -6.750 | -0.655 |"));
  EXPECT_THAT(markdown, HasSubstr("| sum | 1,031.500 | 1,020.250 | -11.250 | -1.091 |"));
  EXPECT_THAT(markdown, HasSubstr("| walk.fetch_near | 5 | 7 | 11 | cycles | -40.5 | published |"));
}

TEST(Explanation, AMissingRerunIsADash) {
  auto explanation = example_explanation();
  explanation.sensitivity[0].delta_percent_high.reset();
  EXPECT_THAT(explanation_text(explanation), HasSubstr("walk.fetch_near   | +0.71 % |       - |"));
}

}  // namespace
}  // namespace tollgate::report
