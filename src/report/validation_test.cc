#include "report/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/comparison_fixture.h"

namespace tollgate::report {
namespace {

using evidence::Verdict;
using ::testing::HasSubstr;

TEST(Validation, CountsEveryRowOnce) {
  std::vector<ValidationRow> rows;
  for (auto verdict : {Verdict::hit, Verdict::hit, Verdict::miss, Verdict::calibrate, Verdict::context, Verdict::noise,
                       Verdict::not_modelled, Verdict::not_predicted, Verdict::other_setting}) {
    rows.emplace_back();
    rows.back().verdict = verdict;
  }
  const auto counts = count_verdicts(rows);
  EXPECT_EQ(counts.hits, 2u);
  EXPECT_EQ(counts.misses, 1u);
  EXPECT_EQ(counts.not_modelled, 1u);
  EXPECT_EQ(counts.not_scored, 5u);
}

TEST(Validation, ARowTakesPredictionAndVerdictFromTheAnswer) {
  const auto comparison = example_comparison();
  const auto row = validation_row(comparison.published[0], &comparison);
  EXPECT_EQ(row.predicted_percent, comparison.variants[1].metrics[0].delta_percent);
  EXPECT_EQ(row.verdict, Verdict::miss);
}

TEST(Validation, ARowWithoutAnAnswerHasNoPrediction) {
  auto published = example_comparison().published[0];
  EXPECT_EQ(validation_row(published, nullptr).verdict, Verdict::not_predicted);
  published.question = "";
  EXPECT_EQ(validation_row(published, nullptr).verdict, Verdict::not_modelled);
  EXPECT_FALSE(validation_row(published, nullptr).predicted_percent);
}

TEST(Validation, MarkdownIsGroupedByUseAndEndsWithTheCount) {
  const std::string markdown = validation_markdown(example_validation());
  EXPECT_THAT(markdown, HasSubstr("### sign: the direction must agree\n\n| row | question | published | predicted |"));
  EXPECT_THAT(markdown, HasSubstr("| first | pti-global-lseek | +1.71 % | +1.10 % | +1.01 to +1.18 | miss |\n"));
  EXPECT_TRUE(markdown.ends_with("\n5 rows: 2 hits, 1 miss, 1 not modelled, 1 not scored\n"));
}

TEST(Validation, NoRowsAreNoGroups) {
  EXPECT_EQ(validation_text({{}, 7, 20}),
            "Published results beside their predictions\nseed 7, 20 draws of each machine's figures\n\n"
            "0 rows: 0 hits, 0 misses, 0 not modelled, 0 not scored\n");
}

TEST(Validation, FewDrawsAreSaid) {
  EXPECT_THAT(validation_text({{}, 7, 4}), HasSubstr("4 draws of each machine's figures; fewer than 20"));
}

TEST(Validation, ACalibrationThatDisagreesIsAMiss) {
  auto row = example_comparison().published[0];
  row.use = evidence::PublishedUse::calibrate;
  const auto missed = validation_row(row, nullptr);
  EXPECT_EQ(evidence::judge(row, {-6.0, evidence::Interval{-9, -3}}), Verdict::calibrate_missed);
  EXPECT_EQ(evidence::judge(row, {1.7, evidence::Interval{1, 3}}), Verdict::calibrate);
  ValidationRow counted{row, {}, {}, Verdict::calibrate_missed};
  EXPECT_EQ(count_verdicts({counted, missed}).misses, 1u);
}

}  // namespace
}  // namespace tollgate::report
