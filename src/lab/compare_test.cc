#include "lab/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/interrupt.h"
#include "evidence/ledger_difference.h"
#include "lab/test_support/shipped_data.h"

namespace tollgate::lab {
namespace {

Question lseek(std::vector<std::string> settings = {}) {
  for (const char* short_run : {"run.warm_us=20", "run.measure_us=40", "workload.cpus=1"})
    settings.emplace_back(short_run);
  return *load_question({"pti-global-lseek", {}, {}, settings}, test::find_shipped, nullptr);
}

CompareOptions draws(int samples, int replicates = 2) {
  CompareOptions options;
  options.samples = samples;
  options.replicates = replicates;
  return options;
}

std::string error_of(const QuestionRequest& request) {
  const auto question = load_question(request, test::find_shipped, nullptr);
  return question ? "" : question.error().text();
}

TEST(Compare, OneDrawHasNoIntervalAndFewHavePredictionIntervals) {
  const auto one = *compare(lseek(), draws(1), {});
  EXPECT_FALSE(one.variants[1].metrics[0].interval_percent.has_value());
  const auto few = *compare(lseek(), draws(3), {});
  EXPECT_TRUE(few.few_draws);
  EXPECT_TRUE(few.variants[1].metrics[0].interval_percent.has_value());
}

TEST(Compare, UntilDoublesReplicatesUntilTheErrorIsBelow) {
  const auto loose = *compare(lseek(), draws(4), {});
  const double before = *loose.variants[1].metrics[0].mc_error_percent;
  ASSERT_GT(before, 0);
  CompareOptions options = draws(4);
  options.until_mc_percent = before / 2;
  const auto tight = *compare(lseek(), options, {});
  EXPECT_LE(*tight.variants[1].metrics[0].mc_error_percent, before / 2);
  EXPECT_NE(tight.digest, loose.digest);
}

TEST(Compare, UntilGivesUpWithAWarningWhenTheErrorStays) {
  CompareOptions options = draws(1);
  options.until_mc_percent = 1e-12;
  Question question = lseek();
  question.experiment.warm_us = 1;
  question.experiment.measure_us = 10;
  const auto comparison = *compare(question, options, {});
  ASSERT_FALSE(comparison.warnings.empty());
  EXPECT_NE(comparison.warnings.back().find("mc_error is still"), std::string::npos) << comparison.warnings.back();
}

TEST(Compare, AnInterruptionIsAnErrorAndNoAnswer) {
  request_interrupt();
  const auto comparison = compare(lseek(), draws(2), {});
  clear_interrupt();
  ASSERT_FALSE(comparison);
  EXPECT_EQ(comparison.error().text(), "interrupted");
}

/// Digests depend on the question and the seed alone: not on threads, not on the build. Another model makes other digests;
/// then these are taken anew, from the message of the failing test.
TEST(Compare, DigestsAreThoseOfEveryOtherBuild) {
  const std::vector<std::pair<QuestionRequest, std::string>> known = {
      {{"pti-global-lseek", {}, {}, {"run.measure_us=50", "workload.cpus=2"}}, "cfff4443fed27dd46c8b4678301d360c"},
      {{"dontneed-shootdown", {}, {}, {"run.measure_us=200"}}, "622f59be232a89c563fa25fa0e374463"},
      {{"pcid-switch", "haswell-server", {}, {"run.measure_us=200"}}, "d8cd18bd506c4784d6469eefcf7136e9"},
      {{"pti-off-on", "denverton-server", {}, {"run.measure_us=50", "workload.cpus=3"}},
       "455bcc71c3e3b8deaa9bd9052904cae1"},
  };
  for (const auto& [request, digest] : known)
    for (const int threads : {1, 2}) {
      CompareOptions options = draws(3);
      options.threads = threads;
      const auto question = load_question(request, test::find_shipped, nullptr);
      ASSERT_TRUE(question) << question.error().text();
      EXPECT_EQ(compare(*question, options, {})->digest, digest) << request.experiment << ", " << threads << " threads";
    }
}

TEST(Compare, TheLedgerOfAnOperationIsItsTime) {
  // One CPU: the mean over runs of cycles per operation is what the accounts per operation add up to.
  const Question question = lseek();
  const auto runs = *simulate_all(question, draws(3));
  const auto comparison = *compare(question, draws(3), {});
  double mean = 0;
  for (const auto& draw : runs[0])
    for (const RunResult& run : draw)
      mean += double(run.elapsed_cycles) / double(run.events[evidence::Event::operations]) / 6;
  const auto& ledger = comparison.variants[0].ledger_per_operation;
  EXPECT_NEAR(std::accumulate(ledger.begin(), ledger.end(), 0.0), mean, 1e-9 * mean);
}

TEST(Question, NotesAreOnlyOfTheQuestionAsItIsAsked) {
  const Question asked = *load_question({"pti-global-lseek", {}, {}, {}}, test::find_shipped, nullptr);
  ASSERT_FALSE(asked.experiment.notes.empty());
  EXPECT_TRUE(compare(lseek(), draws(1, 1), {})->notes.empty());
}

TEST(Question, AMachineOfAnotherFileIsASetting) {
  const std::string path = *test::find_shipped("machines", "skylake-desktop");
  const auto find = [&](const std::string& kind, const std::string& name) {
    return name == path ? Result<std::string>(path) : test::find_shipped(kind, name);
  };
  const auto question = load_question({"pti-global-lseek", path, {}, {}}, find, nullptr);
  ASSERT_TRUE(question) << question.error().text();
  EXPECT_EQ(question->settings, std::vector{"machine=" + path});
}

TEST(Question, AMetricOfTheEndNeedsAWorkloadThatEnds) {
  EXPECT_EQ(
      error_of({"pti-global-compile", {}, "lseek1", {}}),
      "metric 'elapsed_s' of question 'pti-global-compile' needs a workload that ends, and 'lseek1' runs for ever");
}

TEST(Question, AMetricOfOneKindOfWorkloadIsOfNoOther) {
  EXPECT_EQ(error_of({"pcid-switch", {}, "dontneed-2", {}}),
            "metric 'switch_us' of question 'pcid-switch' is of workloads of kind 'ping-pong', and 'dontneed-2' is of "
            "kind 'dontneed'");
}

TEST(Compare, NothingIsSaidOfAnOperationWhereNoneFinished) {
  const Question question =
      *load_question({"pcid-switch", {}, {}, {"run.warm_us=0", "run.measure_us=1"}}, test::find_shipped, nullptr);
  const auto comparison = *compare(question, draws(2), {});
  EXPECT_TRUE(std::isnan(comparison.variants[0].metrics[0].mean));
  EXPECT_FALSE(comparison.variants[1].metrics[0].delta_percent.has_value());
  bool said = false;
  for (const auto& warning : comparison.warnings) said |= warning.find("no operation finished") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(Question, SettingsKeepTheWordsTheyWereGivenIn) {
  const auto error = [](const std::string& setting) { return error_of({"pti-global-lseek", {}, {}, {setting}}); };
  EXPECT_EQ(error("machine.walk.setupp=3"),
            "--set machine.walk.setupp=3: unknown key 'setupp' in [walk] (did you mean 'setup'?)");
  EXPECT_EQ(error("machine.pcid=true"), "--set machine.pcid=true: unknown key 'pcid' (did you mean 'features.pcid'?)");
  EXPECT_EQ(error("walk.setup=3"),
            "--set walk.setup=3: a key starts with machine., workload., kernel., policy. or run., "
            "not 'walk' (did you mean 'machine.walk.setup=3'?)");
  EXPECT_EQ(error("machine=1"), "--set machine=1: 'machine' is a part: say which of its keys, machine.KEY=VALUE");
  EXPECT_EQ(error("workload.name=x"), "--set workload.name=x: 'name' says which file this is, and cannot be set");
  EXPECT_EQ(error("policy.flush_ceiling=99999999"),
            "--set policy.flush_ceiling=99999999: policy 'flush_ceiling' wants a whole number from 0 to 1048576, not "
            "'99999999'");
  EXPECT_EQ(error_of({"pti-global-lseek", {}, {}, {"workload.cpus=1", "workload.cpus=2"}}),
            "--set workload.cpus=1: 'workload.cpus' is set twice");
}

TEST(Question, AFeatureCanBeTakenAwayButNotGivenWithoutItsPrice) {
  EXPECT_EQ(error_of({"pti-global-lseek", {}, {}, {"machine.features.invpcid=false"}}), "");
  EXPECT_EQ(error_of({"pti-global-lseek", {}, {}, {"machine.features.broadcast_flush=true"}}),
            "--set machine.features.broadcast_flush=true: then 'flush.broadcast_issue' is needed too, and nothing says "
            "what it costs");
}

TEST(Question, VariantsThatAreTheSameAreNamed) {
  const Question question =
      *load_question({"pti-global-lseek", {}, {}, {"policy.global_pages=none"}}, test::find_shipped, nullptr);
  ASSERT_FALSE(question.warnings.empty());
  EXPECT_NE(question.warnings[0].find("is the same as 'none' on this machine"), std::string::npos);
}

}  // namespace
}  // namespace tollgate::lab
