#include "measure/metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/output_value.h"

namespace tollgate::measure {
namespace {

using testing::HasSubstr;

MetricSpec metric(const std::string& text) {
  auto parsed = parse_metric(text);
  EXPECT_TRUE(parsed) << parsed.error().text();
  return parsed ? parsed->front() : MetricSpec{};
}

std::string error_of(const std::string& text) {
  const auto parsed = parse_metric(text);
  return parsed ? "" : parsed.error().text();
}

TEST(Metric, NamesUnitAndDirectionComeFromItsKind) {
  EXPECT_EQ(metric("wall").info.unit, "s");
  EXPECT_EQ(metric("rss").info.unit, "B");
  EXPECT_EQ(metric("perf:page-faults").info.name, "page-faults");
  EXPECT_EQ(metric("perf:instructions:u").info.better, evidence::Better::lower);
  const auto rate = metric("regex:rate[op/s]=rate=([0-9.]+)");
  EXPECT_EQ(rate.info.name, "rate");
  EXPECT_EQ(rate.info.unit, "op/s");
  EXPECT_EQ(rate.argument, "rate=([0-9.]+)");
  EXPECT_EQ(rate.info.better, evidence::Better::neither);
}

TEST(Metric, AFunctionIsThreeMetricsEachOfWhichCanBeParsedAgain) {
  const auto three = parse_metric("ftrace:purge_vmap_node");
  ASSERT_TRUE(three && three->size() == 3);
  for (const auto& one : *three) {
    const auto again = parse_metric(one.text);
    ASSERT_TRUE(again && again->size() == 1) << one.text;
    EXPECT_EQ(again->front().source, one.source);
    EXPECT_EQ(again->front().argument, "purge_vmap_node");
  }
}

TEST(Metric, OfABenchmarkMayHaveANameOfItsOwn) {
  EXPECT_EQ(metric("output:elapsed_s").info.name, "elapsed_s");
  const auto own = metric("output:bench=elapsed_s");
  EXPECT_EQ(own.info.name, "bench");
  EXPECT_EQ(own.argument, "elapsed_s");
  const auto go = metric("output:Encode/size=1k-8 ns/op");
  EXPECT_EQ(go.argument, "Encode/size=1k-8 ns/op");
  EXPECT_EQ(go.info.name, go.argument);
  EXPECT_EQ(metric("output:ns=Encode/size=1k-8 ns/op").argument, "Encode/size=1k-8 ns/op");
}

TEST(Metric, ASlipIsAnErrorWithAGuess) {
  EXPECT_EQ(error_of("wal"), "unknown metric 'wal' (did you mean 'wall'?)");
  EXPECT_THAT(error_of("perf:page-fault"), HasSubstr("did you mean 'page-faults'?"));
  EXPECT_THAT(error_of("prf:cycles"), HasSubstr("unknown metric 'prf:cycles'"));
  EXPECT_THAT(error_of("regex:rate"), HasSubstr("wants NAME=WHAT"));
  EXPECT_THAT(error_of("regex:rate=[0-9]+"), HasSubstr("wants a group"));
  EXPECT_THAT(error_of("regex:rate=(\\d+)"), HasSubstr("write [0-9]"));
  EXPECT_THAT(error_of("regex:rate=([0-9+)"), HasSubstr("metric 'regex:rate=([0-9+)': "));
  EXPECT_THAT(error_of("json:iops=jobs.0"), HasSubstr("wants a JSON pointer"));
  EXPECT_THAT(error_of("ftrace:vfs_*"), HasSubstr("one kernel function"));
}

Result<double> value_of(const MetricSpec& spec, const std::string& output) {
  const auto found = value_in_output(spec, output);
  if (!found) return fail(found.error().text());
  return found->value;
}

TEST(Output, ARegularExpressionMustMatchOnce) {
  const auto time = metric("regex:time[s]=Time: ([0-9.]+)");
  EXPECT_EQ(value_of(time, "Running\nTime: 0.318\n"), 0.318);
  EXPECT_THAT(value_of(time, "Running\n").error().text(), HasSubstr("does not match"));
  EXPECT_THAT(value_of(time, "Time: 1\nTime: 2\n").error().text(), HasSubstr("more than once"));
  EXPECT_THAT(value_of(metric("regex:t=Time: ([0-9,]+)"), "Time: 1,234\n").error().text(),
              HasSubstr("'1,234' is no plain number"));
}

TEST(Output, AnExpressionThatMatchesOnceALineIsReadOnce) {
  EXPECT_EQ(value_of(metric("regex:n=(.*)"), "5\n"), 5);
  EXPECT_EQ(value_of(metric("regex:n=(.*)"), "5"), 5);
  EXPECT_EQ(value_of(metric("regex:n=([0-9]*)"), "rate 5\n\n"), 5);
  EXPECT_THAT(value_of(metric("regex:n=(.*)"), "5\n6\n").error().text(), HasSubstr("more than once"));
  EXPECT_THAT(value_of(metric("regex:n=(.*)"), "\n").error().text(), HasSubstr("does not match"));
}

TEST(Output, AJsonPointerFindsItsNumberAfterOtherLines) {
  const auto iops = metric("json:iops[1/s]=/jobs/0/read/iops");
  const std::string output = "fio: warning\n{\"jobs\": [{\"read\": {\"iops\": 25012.5, \"name\": \"x\"}}]}\n";
  EXPECT_EQ(value_of(iops, output), 25012.5);
  EXPECT_THAT(value_of(metric("json:a=/jobs/1"), output).error().text(), HasSubstr("nothing at /jobs/1"));
  EXPECT_THAT(value_of(metric("json:a=/jobs/0/read/name"), output).error().text(), HasSubstr("no number at"));
  EXPECT_THAT(value_of(iops, "no\njson here").error().text(), HasSubstr("has no JSON"));
  EXPECT_THAT(value_of(iops, "{\"jobs\": [").error().text(), HasSubstr("cannot be read"));
  EXPECT_THAT(value_of(iops, "").error().text(), HasSubstr("has no JSON"));
}

TEST(Output, ABenchmarkIsReadAsImportReadsIt) {
  const std::string hackbench =
      "Running in process mode with 2 groups using 40 file descriptors each (== 80 tasks)\n"
      "Each sender will pass 200 messages of 100 bytes\nTime: 0.318\n";
  const auto found = value_in_output(metric("output:elapsed_s"), hackbench);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->value, 0.318);
  EXPECT_EQ(found->info.unit, "s");
  EXPECT_EQ(found->info.better, evidence::Better::lower);
  EXPECT_THAT(value_of(metric("output:elapsd_s"), hackbench).error().text(), HasSubstr("did you mean 'elapsed_s'?"));
  EXPECT_THAT(value_of(metric("output:elapsed_s"), "hello\n").error().text(), HasSubstr("holds no results"));
}

}  // namespace
}  // namespace tollgate::measure
