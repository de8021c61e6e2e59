#include "measure/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_support/temporary_folder.h"

namespace tollgate::measure {
namespace {

using testing::HasSubstr;

Request two_variants() {
  Request request;
  request.variants = {{"off", "true", {}}, {"on", "true", {}}};
  request.metrics = {"wall", "sys"};
  return request;
}

std::string error_of(const Request& request) {
  const auto session = make_session(request, {}, 0);
  return session ? "" : session.error().text();
}

TEST(MakeSession, FixesTheTerms) {
  Request request = two_variants();
  request.primary = "sys";
  request.margin_percent = 2;
  request.better = {{"sys", "neither"}};
  const auto session = make_session(request, {}, 7);
  ASSERT_TRUE(session) << session.error().text();
  EXPECT_EQ(session->name, "off / on");
  EXPECT_EQ(session->terms.primary, "sys_s");
  EXPECT_EQ(session->metrics[1].info.better, evidence::Better::neither);
  EXPECT_EQ(make_session(two_variants(), {}, 0)->terms.primary, "elapsed_s");
}

TEST(MakeSession, RefusesWhatCannotBeMeasured) {
  Request request = two_variants();
  request.variants.pop_back();
  EXPECT_THAT(error_of(request), HasSubstr("at least two variants"));
  request = two_variants();
  request.variants[1].name = "off";
  EXPECT_EQ(error_of(request), "two variants are named 'off'");
  request.variants[1].name = "on";
  request.name = "two\nlines";
  EXPECT_EQ(error_of(request), "the session's name has a control character");
  request.name = std::string(201, 'x');
  EXPECT_EQ(error_of(request), "the session's name has 201 bytes; 200 are the most");
  request = two_variants();
  request.variants[1].command = " ";
  EXPECT_EQ(error_of(request), "variant 'on' wants a command");
  request = two_variants();
  request.primary = "wal";
  EXPECT_EQ(error_of(request), "the primary metric 'wal' is not measured (did you mean 'wall'?)");
  request = two_variants();
  request.metrics = {"wall", "wall"};
  EXPECT_EQ(error_of(request), "metric 'elapsed_s' is given twice");
  request.metrics = {"wall", "output:elapsed_s"};
  EXPECT_EQ(error_of(request), "metric 'elapsed_s' is given twice: give one a name of its own, output:NAME=elapsed_s");
  request.metrics = {"wall", "output:bench=elapsed_s"};
  EXPECT_EQ(error_of(request), "");
  request = two_variants();
  request.better = {{"sys", "highr"}};
  EXPECT_THAT(error_of(request), HasSubstr("did you mean 'higher'?"));
  request = two_variants();
  request.better = {{"usr", "higher"}};
  EXPECT_THAT(error_of(request), HasSubstr("there is no metric 'usr'"));
  request = two_variants();
  request.boots = 2;
  EXPECT_THAT(error_of(request), HasSubstr("either all variants are boots"));
}

TEST(MakeSession, AMarginThatTheAnalysisRefusesIsRefusedBeforeTheFirstRun) {
  for (const double margin : {150.0, 100.0, 0.0, -1.0}) {
    Request request = two_variants();
    request.margin_percent = margin;
    EXPECT_THAT(error_of(request), testing::EndsWith("it must lie between 0 and 100")) << margin;
  }
}

TEST(MakeSession, LongNamesOfVariantsMakeNoLongName) {
  Request request = two_variants();
  request.variants[1].name = std::string(300, 'x');
  EXPECT_EQ(make_session(request, {}, 0)->name, "off / " + std::string(51, 'x') + "...");
}

TEST(MakeSession, RunsThatAreTooFewToShowAnythingAreKnownBeforeTheFirst) {
  const auto why = [](std::uint32_t runs, const std::vector<std::string>& metrics, evidence::Order order) {
    Request request = two_variants();
    request.runs = runs;
    request.metrics = metrics;
    request.order = order;
    return why_too_few_runs(*make_session(request, {}, 0)).value_or("");
  };
  using enum evidence::Order;
  const std::vector<std::string> five{"wall", "user", "sys", "rss", "perf:page-faults"};
  EXPECT_EQ(
      why(6, five, random_blocks),
      "6 runs of each variant are too few to show any change after Holm's correction for 5 comparisons: it takes 8");
  EXPECT_EQ(why(8, five, random_blocks), "");
  EXPECT_EQ(why(6, {"wall"}, random_blocks), "");
  EXPECT_EQ(why(5, five, random_blocks), "") << "Student's t";
  EXPECT_EQ(why(1, {"wall"}, random_blocks), "1 run of each variant is too few to show any change: it takes 3");
  EXPECT_EQ(
      why(4, five, in_sequence),
      "4 runs of each variant are too few to show any change after Holm's correction for 5 comparisons: it takes 5");
}

class Plan : public testing::Test {
 protected:
  Result<Request> load(const std::string& text) { return load_plan(folder_.file("plan.toml", text), 9); }
  std::string error_of_plan(const std::string& text) {
    const auto request = load(text);
    return request ? "" : request.error().text();
  }
  TemporaryFolder folder_;
};

TEST_F(Plan, OfBootsSaysWhichKernelsItWants) {
  const auto request = load(R"toml(
name = "PTI"
command = "./lseek"
metrics = ["wall", "regex:rate[op/s]=rate ([0-9]+)"]
primary = "rate"
margin_percent = 0.5
runs = 5
boots = 3
warmup = 1
[better]
rate = "higher"
[[variants]]
name = "off"
kernel = "6.1.*"
command_line = ["pti=off"]
[[variants]]
name = "on"
kernel = "6.1.*"
without = ["pti=off", "nopti"]
command = "./lseek --on"
)toml");
  ASSERT_TRUE(request) << request.error().text();
  EXPECT_EQ(request->name, "PTI");
  EXPECT_EQ(request->boots, 3U);
  EXPECT_EQ(request->runs, 5U);
  EXPECT_EQ(request->seed, 9U);
  EXPECT_EQ(request->variants[0].command, "./lseek");
  EXPECT_EQ(request->variants[1].command, "./lseek --on");
  EXPECT_EQ(request->variants[1].boot->without, (std::vector<std::string>{"pti=off", "nopti"}));
  EXPECT_TRUE(make_session(*request, {}, 0));
}

TEST_F(Plan, ASlipIsAnErrorWithItsPlace) {
  const std::string variants = "[[variants]]\nname = \"a\"\ncommand = \"x\"\n";
  EXPECT_THAT(error_of_plan("boot = 3\n" + variants), HasSubstr("plan.toml:1:1: "));
  EXPECT_THAT(error_of_plan("boot = 3\n" + variants), HasSubstr("did you mean 'boots'?"));
  EXPECT_THAT(error_of_plan("runs = 0\n" + variants), HasSubstr("plan.toml:1:"));
  EXPECT_THAT(error_of_plan("margin_percent = 150\n" + variants),
              testing::AllOf(HasSubstr("plan.toml:1:"), HasSubstr("the margin is 150 %")));
  EXPECT_THAT(error_of_plan("order = \"rand\"\n" + variants), HasSubstr("random"));
  EXPECT_THAT(error_of_plan("[[variants]]\nname = \"a\"\n"), HasSubstr("plan.toml:1:1: variant 'a' has no command"));
  EXPECT_THAT(error_of_plan(variants + "command_line = [\"pti=on quiet\"]\n"), HasSubstr("plan.toml:4:"));
}

}  // namespace
}  // namespace tollgate::measure
