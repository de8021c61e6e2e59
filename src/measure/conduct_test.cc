#include "measure/conduct.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_support/temporary_folder.h"
#include "evidence/analysis.h"
#include "import/import.h"
#include "measure/request.h"
#include "measure/test_support/fake_host.h"
#include "report/measurement_report.h"
#include "store/export.h"
#include "store/measurement.h"

namespace tollgate::measure {
namespace {

using store::RunKind;
using testing::HasSubstr;

/// A store, a host that can be rebooted, and a session in them.
class Conduct : public testing::Test {
 protected:
  Conduct() : store_(*store::Store::open(folder_.file("kept.db"))) {
    around_.files = host_.files();
    around_.environment = {"PATH=/usr/bin:/bin", "LOG=" + folder_.file("log")};
    around_.search_path = "/usr/bin:/bin";
  }
  store::Session begin(const Request& request) {
    auto session = make_session(request, *read_host(host_.files()), 1.7e9);
    EXPECT_TRUE(session) << session.error().text();
    session->id = *store_.add(*session);
    return *session;
  }
  static Request request_of(const std::string& first, const std::string& second, std::uint32_t runs) {
    Request request;
    request.variants = {{"a", first, {}}, {"b", second, {}}};
    request.metrics = {"wall"};
    request.runs = runs;
    request.seed = 5;
    return request;
  }
  std::string log() const {
    std::ifstream file(folder_.file("log"));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryFolder folder_;
  FakeHost host_;
  store::Store store_;
  Surroundings around_;
};

TEST_F(Conduct, MakesEveryRunOnceAndKeepsWhatItWasMadeUnder) {
  Request request = request_of("echo 'a 10'", "echo 'b 20'", 4);
  request.metrics = {"wall", "regex:number=[ab] ([0-9]+)"};
  request.warmup = 2;
  const auto session = begin(request);
  const auto conducted = conduct(store_, session, around_);
  ASSERT_TRUE(conducted) << conducted.error().text();
  EXPECT_EQ(conducted->made, 12U);
  const auto runs = *store_.runs(session.id);
  ASSERT_EQ(runs.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(runs[i].kind, i < 4 ? RunKind::warmup : RunKind::measured);
    EXPECT_EQ(runs[i].values.at(1), runs[i].variant == 0 ? 10 : 20);
    EXPECT_EQ(runs[i].boot, "boot-1");
    EXPECT_EQ(runs[i].conditions.at("CPU model"), "Fake CPU @ 1 GHz");
    EXPECT_GT(runs[i].start, 1.7e9);
  }
  EXPECT_EQ(conduct(store_, session, around_)->made, 0U);
}

TEST_F(Conduct, TheOrderOfTheRunsIsThatOfTheSeed) {
  Request request = request_of("echo a >>$LOG", "echo b >>$LOG", 6);
  request.order = evidence::Order::abba;
  ASSERT_TRUE(conduct(store_, begin(request), around_));
  EXPECT_EQ(log(), "a\nb\nb\na\na\nb\nb\na\na\nb\nb\na\n");
}

TEST_F(Conduct, PreparesEachRunAndTellsItWhichItIs) {
  Request request =
      request_of("echo run $TOLLGATE_VARIANT $TOLLGATE_RUN >>$LOG", "echo run $TOLLGATE_VARIANT >>$LOG", 1);
  request.prepare = "echo prepare $TOLLGATE_VARIANT >>$LOG";
  request.order = evidence::Order::abba;
  ASSERT_TRUE(conduct(store_, begin(request), around_));
  EXPECT_EQ(log(), "prepare a\nrun a 0\nprepare b\nrun b\n");
}

TEST_F(Conduct, NoiseRunsAreTheBaselineAgainstItself) {
  Request request = request_of("echo a >>$LOG", "echo b >>$LOG", 3);
  request.noise = true;
  const auto session = begin(request);
  ASSERT_TRUE(conduct(store_, session, around_));
  EXPECT_THAT(log(), testing::StartsWith("a\na\na\na\na\na\n"));
  const auto noise = store::noise_of(session, *store_.runs(session.id));
  EXPECT_EQ(noise.series[0].samples.size(), 3U);
  EXPECT_EQ(noise.series[1].samples.size(), 3U);
}

TEST_F(Conduct, AFailureStopsAndTheRestIsDueAfterItsCauseIsMended) {
  const std::string mended = folder_.file("mended");
  const auto session =
      begin(request_of("true", "test $TOLLGATE_RUN -lt 2 -o -e " + mended + " || { echo broken >&2; exit 9; }", 4));
  const auto failed = conduct(store_, session, around_);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("variant 'b', run 2: failed with exit status 9"));
  EXPECT_THAT(failed.error().message, HasSubstr("\n  broken"));
  const auto kept = store_.runs(session.id)->size();
  EXPECT_GE(kept, 4U);
  EXPECT_LT(kept, 8U);
  folder_.file("mended", "");
  ASSERT_TRUE(conduct(store_, session, around_));
  const auto measurement = store::measurement_of(session, *store_.runs(session.id));
  EXPECT_TRUE(measurement.warnings.empty());
  EXPECT_EQ(measurement.series[1].samples.size(), 4U);
}

TEST_F(Conduct, FailuresThatAreKeptAreCounted) {
  Request request = request_of("true", "exit 9", 2);
  request.on_failure = store::OnFailure::keep;
  const auto session = begin(request);
  ASSERT_TRUE(conduct(store_, session, around_));
  EXPECT_THAT(store::measurement_of(session, *store_.runs(session.id)).warnings,
              testing::ElementsAre("2 of 2 runs of 'b' failed (exit status 9) and are counted"));
}

TEST_F(Conduct, AFailedRunWithoutAValueIsLeftOutWithItsPairAndSaid) {
  Request request = request_of("echo Time: 1", "test $TOLLGATE_RUN != 1 && echo Time: 2", 3);
  request.metrics = {"regex:time=Time: ([0-9]+)", "wall"};
  request.on_failure = store::OnFailure::keep;
  const auto session = begin(request);
  const auto conducted = conduct(store_, session, around_);
  ASSERT_TRUE(conducted) << conducted.error().message;
  const auto measurement = store::measurement_of(session, *store_.runs(session.id));
  EXPECT_THAT(measurement.warnings,
              testing::ElementsAre("1 of 3 runs of 'b' failed (exit status 1) and are counted where they gave a value",
                                   "1 of 3 runs of 'b' failed without a value of time: left out, with the runs that "
                                   "they were paired with"));
  EXPECT_EQ(measurement.series[0].samples.size(), 2U);  // time of a
  EXPECT_EQ(measurement.series[1].samples.size(), 2U);  // time of b
  EXPECT_EQ(measurement.series[2].samples.size(), 3U);  // wall of a
  const auto exported = store::session_json(session, *store_.runs(session.id));
  EXPECT_THAT(exported, testing::Not(HasSubstr("\"time\": null")));
}

TEST_F(Conduct, AVariantWhoseRunsAllLackAValueIsNamedAndTheOthersAreCompared) {
  for (const bool baseline : {false, true}) {
    Request request = request_of(baseline ? "exit 3" : "echo 5", baseline ? "echo 5" : "exit 3", 6);
    request.variants.push_back({"c", "echo 6", {}});
    request.metrics = {"regex:t=(.*)", "wall"};
    request.on_failure = store::OnFailure::keep;
    const auto session = begin(request);
    ASSERT_TRUE(conduct(store_, session, around_));
    const auto measurement = store::measurement_of(session, *store_.runs(session.id));
    EXPECT_THAT(measurement.warnings, testing::Contains(std::string("none of 6 runs of '") + (baseline ? "a" : "b") +
                                                        "' gave a value of t: it is not compared"));
    const auto comparison = evidence::analyse(measurement);
    ASSERT_TRUE(comparison) << comparison.error().text();
    EXPECT_EQ(comparison->variants[1].metrics.size(), 1U);
    ASSERT_EQ(comparison->variants[2].metrics.size(), baseline ? 1U : 2U);
    EXPECT_EQ(comparison->variants[2].metrics[0].estimate->baseline_values, 6U);
  }
}

TEST_F(Conduct, WhereNoValueIsLeftTheErrorSaysOfWhichVariant) {
  Request request = request_of("exit 3", "echo 5", 2);
  request.metrics = {"regex:t=(.*)"};
  request.on_failure = store::OnFailure::keep;
  const auto session = begin(request);
  ASSERT_TRUE(conduct(store_, session, around_));
  const auto comparison = evidence::analyse(store::measurement_of(session, *store_.runs(session.id)));
  ASSERT_FALSE(comparison);
  EXPECT_THAT(comparison.error().text(), HasSubstr("none of 2 runs of 'a' gave a value of t"));
}

TEST_F(Conduct, ACommandThatASignalKilledIsSaidToBeKilled) {
  const auto failed = conduct(store_, begin(request_of("kill -9 $$", "true", 1)), around_);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("variant 'a', run 0: was killed by signal 9 (Killed): kill -9 $$"));
}

TEST_F(Conduct, TooMuchOutputIsSaidOfItsRun) {
  Request request = request_of("head -c 70000000 /dev/zero", "echo v 1", 1);
  request.metrics = {"regex:v=v ([0-9]+)"};
  const auto failed = conduct(store_, begin(request), around_);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "variant 'a', run 0: the command printed more than 64 MiB");
}

TEST_F(Conduct, AnOutputWithoutTheMetricIsAnErrorThatShowsIt) {
  Request request = request_of("echo Time: 1", "echo 'Tim: 2'", 2);
  request.metrics = {"regex:time=Time: ([0-9]+)"};
  const auto failed = conduct(store_, begin(request), around_);
  ASSERT_FALSE(failed);
  EXPECT_THAT(
      failed.error().message,
      HasSubstr("variant 'b', run 0: metric time: the output does not match 'Time: ([0-9]+)'; its end:\n  Tim: 2"));
}

TEST_F(Conduct, AValueThatWentToStandardErrorIsLookedForThere) {
  Request request = request_of("echo 'Time: 1' >&2", "true", 1);
  request.metrics = {"regex:time=Time: ([0-9]+)"};
  request.order = evidence::Order::in_sequence;
  const auto failed = conduct(store_, begin(request), around_);
  ASSERT_FALSE(failed);
  EXPECT_THAT(
      failed.error().message,
      HasSubstr("does not match 'Time: ([0-9]+)'; standard output was empty; 8 bytes went to standard error, and "
                "2>&1 in the command puts them into the output"));
}

TEST_F(Conduct, ABenchmarksUnitAndDirectionAreLearntFromTheFirstRun) {
  const std::string bench = "echo 'Running in process mode with 2 groups'; echo 'Time: 0.'${TOLLGATE_RUN}";
  Request request = request_of(bench + "5", bench + "7", 3);
  request.metrics = {"output:bench=elapsed_s", "wall"};
  const auto session = begin(request);
  const auto conducted = conduct(store_, session, around_);
  ASSERT_TRUE(conducted) << conducted.error().text();
  const auto kept = *store_.session(session.id);
  EXPECT_EQ(kept.metrics[0].info.name, "bench");
  EXPECT_EQ(kept.metrics[0].info.unit, "s");
  EXPECT_EQ(kept.metrics[0].info.better, evidence::Better::lower);
  EXPECT_EQ(store::measurement_of(kept, *store_.runs(session.id)).series[1].samples[2].value, 0.27);
}

TEST_F(Conduct, MemoryThatTheStartOfAProcessHidesIsNotCalledAlike) {
  Request request = request_of("/bin/true", "gzip -1 -c /etc/passwd", 6);
  request.metrics = {"rss"};
  request.margin_percent = 1;
  const auto session = begin(request);
  ASSERT_TRUE(conduct(store_, session, around_));
  const auto runs = *store_.runs(session.id);
  const auto exported = import::import_results("session.json", store::session_json(session, runs));
  ASSERT_TRUE(exported) << exported.error().text();
  const auto again =
      import::import_results("import.json", report::found_json({{"session.json", "", exported->measurement}}));
  ASSERT_TRUE(again) << again.error().text();
  for (const auto& measurement : {store::measurement_of(session, runs), exported->measurement, again->measurement}) {
    EXPECT_GT(measurement.series[0].floor, 0);
    const auto estimate = *evidence::analyse(measurement)->variants[1].metrics[0].estimate;
    EXPECT_EQ(estimate.finding, evidence::Finding::inconclusive) << estimate.reason;
    EXPECT_THAT(measurement.warnings, testing::Contains(HasSubstr("no larger than what starting a process takes")));
  }
}

TEST_F(Conduct, AFailingPreparationIsAnError) {
  Request request = request_of("true", "false", 2);
  request.prepare = "echo cannot >&2; false";
  const auto failed = conduct(store_, begin(request), around_);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("to prepare a run failed with exit status 1"));
  EXPECT_THAT(failed.error().message, HasSubstr("\n  cannot"));
}

TEST_F(Conduct, AMetricThatThisMachineLacksIsFoundBeforeTheFirstRun) {
  Request request = request_of("true", "true", 2);
  request.metrics = {"ftrace:vfs_read"};
  around_.tracefs = folder_.path() / "no-tracefs";
  const auto session = make_session(request, *read_host(host_.files()), 0);
  EXPECT_THAT(check_metrics(*session, around_).error().text(), HasSubstr("wants tracefs"));
}

TEST_F(Conduct, BootsGoThroughAWholePlan) {
  Request request = request_of("true", "true", 3);
  request.variants[0].boot = store::BootMatch{"6.1.*", {"pti=off"}, {}};
  request.variants[1].boot = store::BootMatch{"6.1.*", {"pti=on"}, {}};
  request.boots = 3;
  host_.boot("boot-0", "6.1.0", "pti=off");
  const auto session = begin(request);
  const char* lines[] = {"quiet pti=off", "quiet pti=on"};
  int boots = 0;
  for (std::uint32_t variant = 0; boots < 20; ++boots) {
    host_.boot("boot-" + std::to_string(boots), "6.1.0", lines[variant]);
    const auto conducted = conduct(store_, session, around_);
    ASSERT_TRUE(conducted) << conducted.error().text();
    if (!conducted->boot_next) break;
    variant = *conducted->boot_next;
  }
  EXPECT_LE(boots, 6);
  const auto measurement = store::measurement_of(session, *store_.runs(session.id));
  EXPECT_TRUE(measurement.warnings.empty());
  for (const auto& series : measurement.series) {
    std::map<std::string, int> runs_of_boot;
    for (const auto& sample : series.samples) ++runs_of_boot[sample.boot];
    EXPECT_EQ(runs_of_boot.size(), 3U);
    for (const auto& [boot, runs] : runs_of_boot) EXPECT_EQ(runs, 3);
  }
  for (const auto& condition : measurement.conditions) {
    EXPECT_NE(condition.name, store::kCommandLine);
    const bool rest = condition.name == "rest of the kernel command line";
    EXPECT_EQ(rest ? condition.value : "", rest ? "BOOT_IMAGE=/vmlinuz quiet" : "");
  }
}

TEST_F(Conduct, AKernelOfNoVariantIsRefused) {
  Request request = request_of("true", "true", 3);
  request.variants[0].boot = store::BootMatch{"6.1.*", {"pti=off"}, {}};
  request.variants[1].boot = store::BootMatch{"6.1.*", {"pti=on"}, {}};
  request.boots = 1;
  const auto session = begin(request);
  EXPECT_THAT(conduct(store_, session, around_).error().text(), HasSubstr("it is no variant's"));
  EXPECT_TRUE(store_.runs(session.id)->empty());
}

}  // namespace
}  // namespace tollgate::measure
