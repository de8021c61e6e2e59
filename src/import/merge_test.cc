#include "import/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <iterator>

#include "evidence/analysis.h"

namespace tollgate::import {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NamedFile file(const std::string& path, const std::string& bytes, const std::string& name = "") {
  return {name, import_results(path, bytes).value()};
}

std::string hyperfine(const std::string& command, const std::string& times) {
  return "{\"results\": [{\"command\": \"" + command + "\", \"mean\": 1, \"times\": [" + times + "]}]}";
}
const std::string kBash = "real\t0m1.000s\nuser\t0m0.900s\nsys\t0m0.100s\n";

std::vector<double> values_of(const evidence::Measurement& measurement, const std::string& metric,
                              const std::string& variant) {
  std::vector<double> values;
  for (const auto& series : measurement.series)
    if (series.metric.name == metric && series.variant == variant)
      for (const auto& sample : series.samples) values.push_back(sample.value);
  return values;
}

TEST(Merge, FilesThatNameTheirVariantsKeepTheNames) {
  const auto merged = merge({file("a.json", hyperfine("old", "1, 1")), file("b.json", hyperfine("new", "2, 2"))});
  ASSERT_TRUE(merged.has_value());
  EXPECT_THAT(merged->variants, ElementsAre("old", "new"));
}

TEST(Merge, OneCommandInTwoFilesMakesTheFilesVariants) {
  const auto merged = merge({file("x/a.json", hyperfine("make", "1, 1")), file("x/b.json", hyperfine("make", "2, 2"))});
  ASSERT_TRUE(merged.has_value());
  EXPECT_THAT(merged->variants, ElementsAre("a", "b"));
}

TEST(Merge, FilesOfOneNameInTwoFoldersAreCalledByTheirPaths) {
  const auto merged = merge({file("x/a.txt", kBash), file("y/a.txt", kBash)});
  ASSERT_TRUE(merged.has_value());
  EXPECT_THAT(merged->variants, ElementsAre("x/a.txt", "y/a.txt"));
}

TEST(Merge, TheSameResultsTwiceAreRefusedUnderAnyName) {
  const std::string json = hyperfine("make", "1.25, 1.5");
  std::vector same{file("a.json", json, "a"), file("./b.json", json, "b")};
  EXPECT_EQ(check_distinct(same).error().text(), "./b.json: holds the same as a.json: the same runs count once");
  same[1].imported.file = "a.json";
  EXPECT_EQ(check_distinct(same).error().text(), "a.json: is given twice: the same runs count once");
  std::vector other{file("a.json", json), file("b.json", json + "\n")};
  EXPECT_TRUE(check_distinct(other));
}

/// time -p has steps of 10 ms: short commands print the same again and again.
TEST(Merge, OneRunInCoarseStepsMayPrintTheSameAgainWithAWarning) {
  const std::string run = "real 0.07\nuser 0.06\nsys 0.00\n";
  std::vector runs{file("1.txt", run, "a"), file("2.txt", run, "a")};
  ASSERT_TRUE(check_distinct(runs));
  EXPECT_THAT(runs[1].imported.measurement.warnings,
              ::testing::Contains("2.txt holds the same as 1.txt: two runs may print the same, or it is a copy"));
  std::vector twice{file("1.txt", run + run), file("2.txt", run + run)};
  EXPECT_FALSE(check_distinct(twice));
}

TEST(Merge, BenchmarksThatTwoFilesShareBecomeMetrics) {
  const std::string both =
      "{\"results\": [{\"command\": \"p\", \"mean\": 1, \"times\": [1]}, {\"command\": \"q\", "
      "\"mean\": 2, \"times\": [2]}]}";
  const auto merged = merge({file("a.json", both), file("b.json", both)});
  ASSERT_TRUE(merged.has_value());
  EXPECT_THAT(merged->variants, ElementsAre("a", "b"));
  EXPECT_THAT(values_of(*merged, "q.elapsed_s", "b"), ElementsAre(2));
  EXPECT_EQ(merged->terms.primary, "p.elapsed_s");
}

TEST(Merge, FilesOfOneGivenNameAreRunsOfOneVariant) {
  const auto merged = merge({file("1", kBash, "off"), file("2", "real\t0m2.000s\n", "off"), file("3", kBash, "on")});
  ASSERT_TRUE(merged.has_value());
  EXPECT_THAT(merged->variants, ElementsAre("off", "on"));
  EXPECT_THAT(values_of(*merged, "elapsed_s", "off"), ElementsAre(1, 2));
  EXPECT_EQ(merged->series[0].samples[1].run, 1u);
  EXPECT_THAT(merged->warnings,
              ::testing::Contains(HasSubstr("unequal counts: elapsed_s has 2 samples of 'off' and 1")));
}

TEST(Merge, TheOrderOfSeveralFilesIsNotKnownAndNothingIsPaired) {
  const auto one = merge({file("a.json", hyperfine("old", "1, 1"))});
  EXPECT_EQ(one->terms.order, evidence::Order::in_sequence);
  EXPECT_TRUE(one->series[0].samples[1].position.has_value());
  const auto two = merge({file("a.json", hyperfine("old", "1, 1")), file("b.json", hyperfine("new", "2, 2"))});
  EXPECT_EQ(two->terms.order, evidence::Order::unknown);
  for (const auto& series : two->series)
    for (const auto& sample : series.samples) EXPECT_FALSE(sample.position || sample.block);
}

TEST(Merge, ASessionOfOurOwnIsPairedAloneAndNotBesideOthers) {
  const auto session = [] {
    std::ifstream in(TOLLGATE_SOURCE_DIR "/tests/data/import/session.json");
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    return file("session.json", bytes);
  };
  const auto alone = merge({session()});
  ASSERT_TRUE(alone.has_value());
  EXPECT_EQ(alone->terms.order, evidence::Order::random_blocks);
  EXPECT_GT(alone->noise_floor_percent.value_or(0), 0);
  EXPECT_EQ(evidence::analyse(*alone)->variants[1].metrics[0].estimate->design, evidence::Design::paired);
  const auto beside = merge({session(), file("b.json", hyperfine("new", "2, 2"))});
  ASSERT_TRUE(beside.has_value());
  for (const auto& series : beside->series)
    for (const auto& sample : series.samples) EXPECT_FALSE(sample.position || sample.block);
}

TEST(Choose, AMarginChosenAfterThePlanIsSaid) {
  std::ifstream in(TOLLGATE_SOURCE_DIR "/tests/data/import/session.json");
  const auto session = file("s", {std::istreambuf_iterator<char>(in), {}});
  const auto planned = merge({session}).value();
  EXPECT_EQ(planned.terms.margin_percent, 2.0);
  EXPECT_TRUE(planned.warnings.empty());
  const auto chosen = merge({session}, {"", {}, 10.0}).value();
  EXPECT_EQ(chosen.terms.margin_percent, 10.0);
  EXPECT_THAT(chosen.warnings,
              ElementsAre("the margin of +-10 % was chosen after the runs, which were planned with +-2 %"));
}

TEST(Choose, PlannedMetricsThatAreLeftOutStillCount) {
  std::ifstream in(TOLLGATE_SOURCE_DIR "/tests/data/import/session.json");
  const auto session = file("s", {std::istreambuf_iterator<char>(in), {}});
  const auto planned = merge({session}).value();
  const auto chosen = merge({session}, {"", {planned.terms.primary}, {}}).value();
  EXPECT_TRUE(chosen.noise_floor_percent);
  EXPECT_THAT(chosen.warnings,
              ElementsAre("1 metric of the plan is left out: Holm's correction counts its comparisons too"));
  EXPECT_EQ(evidence::analyse(chosen)->session->comparisons, evidence::analyse(planned)->session->comparisons);
}

TEST(Choose, AnotherMetricThanThePlannedOneDecidesWithAWarningAndWithoutItsNoiseFloor) {
  std::ifstream in(TOLLGATE_SOURCE_DIR "/tests/data/import/session.json");
  const auto merged = merge({file("s", {std::istreambuf_iterator<char>(in), {}})}, {"", {"user", "wall"}, {}}).value();
  EXPECT_THAT(merged.warnings, ElementsAre("user was chosen to decide after the runs, which were planned with wall"));
  EXPECT_FALSE(merged.noise_floor_percent);
}

TEST(Merge, ASummaryIsNoRun) {
  const std::string perf = "100,,page-faults,2.50%,66765103,100.00,2.836,K/sec\n";
  const auto merged = merge({file("1", perf, "off"), file("2", perf, "off")});
  ASSERT_FALSE(merged.has_value());
  EXPECT_THAT(merged.error().text(), HasSubstr("2:1: page-faults of 'off' is only a summary here or at 1:1"));
}

TEST(Merge, UnitsMustAgreeBetweenFiles) {
  const std::string clock = "7,msec,task-clock,100,100.00,,\n";
  const std::vector files{file("1", clock + "1,,x,100,100.00,,\n"), file("2", clock + "1,Joules,x,100,100.00,,\n")};
  const auto merged = merge(files);
  ASSERT_FALSE(merged.has_value());
  EXPECT_THAT(merged.error().text(), HasSubstr("2:2: mixed units: x is in 'Joules' here and in 'count' at 1:2"));
  EXPECT_TRUE(merge(files, {"", {"task-clock"}, {}})) << "of what is not compared nothing need agree";
}

TEST(Merge, UnitsOfTimeAreConverted) {
  const auto merged = merge(
      {file("1", "1.5,msec,task-clock,100,100.00,,\n", "a"), file("2", "2500000,ns,task-clock,100,100.00,,\n", "b")});
  ASSERT_TRUE(merged.has_value()) << merged.error().text();
  EXPECT_THAT(values_of(*merged, "task-clock", "b"), ElementsAre(2.5));
  EXPECT_EQ(merged->series[1].metric.unit, "ms");
}

TEST(Choose, SetsBaselineMetricsAndMargin) {
  const auto merged =
      merge({file("1", kBash, "off"), file("2", kBash, "on")}, {"on", {"sys_s", "user_s"}, 1.0}).value();
  EXPECT_THAT(merged.variants, ElementsAre("on", "off"));
  EXPECT_EQ(merged.terms.primary, "sys_s");
  EXPECT_EQ(merged.series.size(), 4u);
  EXPECT_EQ(merged.series[0].metric.name, "sys_s");
  EXPECT_EQ(merged.terms.margin_percent, 1.0);
}

TEST(Choose, AnUnknownNameIsAnErrorWithALikelyOne) {
  const std::vector files{file("1", kBash, "off"), file("2", kBash, "on")};
  EXPECT_THAT(merge(files, {"of", {}, {}}).error().message, HasSubstr("no variant 'of' (did you mean"));
  EXPECT_THAT(merge(files, {"", {"sys"}, {}}).error().message, HasSubstr("no metric 'sys' (did you mean 'sys_s'?)"));
}

TEST(Merge, FilesOfDifferentToolsAreSaid) {
  const std::string portable = "real 1.01\nuser 0.90\nsys 0.10\n";
  const auto merged = merge({file("a", kBash, "a"), file("b", portable, "b")});
  ASSERT_TRUE(merged.has_value());
  EXPECT_THAT(merged->warnings,
              ::testing::Contains(HasSubstr("the files are of different tools (bash time, time -p)")));
  const auto one_tool = merge({file("a", kBash, "a"), file("b", kBash, "b")});
  EXPECT_THAT(one_tool->warnings, ::testing::Not(::testing::Contains(HasSubstr("different tools"))));
}

TEST(Merge, VariantsWithoutACommonMetricAreRefused) {
  const std::string hackbench =
      "Running in process mode with 1 groups using 40 file descriptors each (== 40 tasks)\nTime: 1\n";
  const std::string lmbench = "Simple syscall: 0.0407 microseconds\n";
  EXPECT_THAT(check_common_metric(*merge({file("h", hackbench), file("l", lmbench)})).error().text(),
              HasSubstr("'h' has elapsed_s; 'l' has Simple syscall"));
  EXPECT_TRUE(check_common_metric(*merge({file("h", hackbench), file("b", kBash)})));
  EXPECT_TRUE(check_common_metric(*merge({file("h", hackbench)})));
}

/// Once a minute and more: every metric looked through all names for the first one.
TEST(Merge, ThousandsOfMetricsAreComparedInNoTime) {
  std::string bytes;
  for (int i = 0; i < 6000; ++i)
    bytes += "BenchmarkB" + std::to_string(i) + "-8 100 " + std::to_string(i + 1) + " ns/op\n";
  const auto begun = std::chrono::steady_clock::now();
  const auto merged = merge({file("a", bytes, "a"), file("b", bytes, "b")});
  ASSERT_TRUE(merged.has_value());
  EXPECT_EQ(evidence::analyse(*merged)->variants[1].metrics.size(), 6000u);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::minutes(1));
}

}  // namespace
}  // namespace tollgate::import
