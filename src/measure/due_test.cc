#include "measure/due.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tollgate::measure {
namespace {

using store::RunKind;
using testing::HasSubstr;

Host host_of(std::string boot, std::string kernel, std::string command_line) {
  Host host;
  host.boot = std::move(boot);
  host.kernel = std::move(kernel);
  host.command_line = std::move(command_line);
  return host;
}

store::Session session_of_boots() {
  store::Session session;
  session.variants = {{"off", "./bench", store::BootMatch{"6.1.*", {"pti=off"}, {}}},
                      {"on", "./bench", store::BootMatch{"6.1.*", {}, {"pti=off"}}}};
  session.terms.order = evidence::Order::abba;  // off on | on off
  session.terms.runs = 2;
  session.boots = 2;
  return session;
}

void make(std::vector<store::Run>& made, const Due& due, const std::string& boot) {
  for (const DueRun& run : due.runs) {
    store::Run kept;
    kept.kind = run.kind;
    kept.variant = run.slot.variant;
    kept.number = run.slot.number;
    kept.position = run.slot.position;
    kept.block = run.slot.block;
    kept.boot = boot;
    made.push_back(kept);
  }
}

TEST(DueRuns, AreThoseThatAreNotMadeInTheirPlannedOrder) {
  store::Session session;
  session.variants = {{"a", "true", {}}, {"b", "true", {}}};
  session.terms.order = evidence::Order::random_blocks;
  session.terms.runs = 5;
  session.noise = true;
  const auto all = *due_runs(session, {}, {});
  ASSERT_EQ(all.runs.size(), 20U);
  EXPECT_EQ(all.runs[0].kind, RunKind::noise);
  std::vector<store::Run> made;
  make(made, all, "boot");
  made.resize(13);
  const auto rest = *due_runs(session, made, {});
  ASSERT_EQ(rest.runs.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(rest.runs[i].slot.position, all.runs[13 + i].slot.position);
    EXPECT_EQ(rest.runs[i].slot.variant, all.runs[13 + i].slot.variant);
  }
}

TEST(DueRuns, OfBootsFollowTheOrderFromBootToBoot) {
  const auto session = session_of_boots();
  const Host off = host_of("boot-1", "6.1.0-9-amd64", "quiet pti=off");
  std::vector<store::Run> made;
  const auto first = *due_runs(session, made, off);
  ASSERT_EQ(first.runs.size(), 2U);
  EXPECT_EQ(first.runs[1].slot.number, 1U);
  EXPECT_EQ(first.boot_next, 1U);
  make(made, first, off.boot);

  const auto again = *due_runs(session, made, off);
  EXPECT_TRUE(again.runs.empty());
  EXPECT_EQ(again.boot_next, 1U);

  const Host on = host_of("boot-2", "6.1.0-9-amd64", "quiet");
  const auto second = *due_runs(session, made, on);
  ASSERT_EQ(second.runs.size(), 2U);
  EXPECT_EQ(second.runs[0].slot.variant, 1U);
  EXPECT_EQ(second.boot_next, 1U);  // the same variant, in another boot
  make(made, second, on.boot);
  EXPECT_TRUE(due_runs(session, made, on)->runs.empty());

  make(made, *due_runs(session, made, host_of("boot-3", "6.1.0", "quiet")), "boot-3");
  const auto last = *due_runs(session, made, host_of("boot-4", "6.1.0", "pti=off"));
  ASSERT_EQ(last.runs.size(), 2U);
  EXPECT_FALSE(last.boot_next);
  EXPECT_EQ(last.runs[1].slot.position, 7U);
  EXPECT_EQ(last.runs[1].slot.block, 1U);
  make(made, last, "boot-4");
  const auto none = *due_runs(session, made, off);
  EXPECT_TRUE(none.runs.empty());
  EXPECT_FALSE(none.boot_next);
}

TEST(DueRuns, ABootThatWasCutShortGoesOn) {
  const auto session = session_of_boots();
  const Host off = host_of("boot-1", "6.1.0", "pti=off");
  std::vector<store::Run> made;
  make(made, *due_runs(session, made, off), off.boot);
  made.pop_back();
  const auto rest = *due_runs(session, made, off);
  ASSERT_EQ(rest.runs.size(), 1U);
  EXPECT_EQ(rest.runs[0].slot.number, 1U);
}

TEST(RunningVariant, IsRefusedWhenTheKernelIsNone) {
  const auto session = session_of_boots();
  const auto due = due_runs(session, {}, host_of("boot", "5.10.0", "quiet pti=off"));
  ASSERT_FALSE(due);
  EXPECT_EQ(due.error().text(),
            "the running kernel is 5.10.0 with the command line 'quiet pti=off': it is no variant's\n"
            "  'off' wants kernel 6.1.* with pti=off\n"
            "  'on' wants kernel 6.1.* without pti=off");
}

TEST(RunningVariant, OfALongCommandLineTheBeginningIsShown) {
  const auto due = due_runs(session_of_boots(), {}, host_of("boot", "5.10.0", "quiet " + std::string(600, 'x')));
  ASSERT_FALSE(due);
  EXPECT_THAT(due.error().text(), testing::HasSubstr("xxx...': it is no variant's"));
  EXPECT_LT(due.error().text().size(), 400U);
}

TEST(RunningVariant, IsRefusedWhenTheKernelIsTwo) {
  auto session = session_of_boots();
  session.variants[1].boot->without.clear();
  const auto due = due_runs(session, {}, host_of("boot", "6.1.0", "pti=off"));
  ASSERT_FALSE(due);
  EXPECT_THAT(due.error().text(), HasSubstr("is both 'off' and 'on'"));
}

TEST(Matches, WholeWordsOfTheCommandLine) {
  const store::BootMatch match{"6.*", {"pti=on"}, {"nosmt"}};
  EXPECT_TRUE(matches(match, host_of("", "6.1.0", "a pti=on b")));
  EXPECT_FALSE(matches(match, host_of("", "6.1.0", "a pti=one")));
  EXPECT_FALSE(matches(match, host_of("", "5.1.0", "pti=on")));
  EXPECT_FALSE(matches(match, host_of("", "6.1.0", "pti=on nosmt")));
}

}  // namespace
}  // namespace tollgate::measure
