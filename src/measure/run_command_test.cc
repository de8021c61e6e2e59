#include "measure/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "base/interrupt.h"
#include "base/test_support/temporary_folder.h"

namespace tollgate::measure {
namespace {

using testing::HasSubstr;

Outcome run_shell(const std::string& script, Output output = Output::discard) {
  auto outcome = run_command({{"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin", "COLOUR=green"}, output});
  EXPECT_TRUE(outcome) << outcome.error().text();
  return outcome.value_or(Outcome{});
}

bool is_alive(int process) {
  std::ifstream state("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  return std::getline(state, text) && text.find(") Z ") == std::string::npos;
}

/// A script whose `sleep` leaves the process group, and which writes the sleep's number to `file` before it goes on.
std::string daemon_of(const std::string& file) {
  return "setsid sh -c 'echo $$ >" + file + ".new; mv " + file + ".new " + file + "; exec sleep 61' & until test -s " +
         file + "; do sleep 0.01; done; ";
}

int number_in(const std::string& file) {
  int number = 0;
  std::ifstream(file) >> number;
  return number;
}

TEST(RunCommand, TimesTheCommandAndNotItsStart) {
  const Outcome outcome = run_shell("sleep 0.05");
  EXPECT_GE(outcome.wall, 0.05);
  EXPECT_LT(outcome.wall, 5);
  EXPECT_LT(outcome.user + outcome.system, outcome.wall);
  EXPECT_EQ(outcome.exit_status, 0);
}

TEST(RunCommand, TellsExitStatusAndSignalAsAShellDoes) {
  EXPECT_EQ(run_shell("exit 3").exit_status, 3);
  const Outcome killed = run_shell("kill -9 $$");
  EXPECT_EQ(killed.exit_status, 137);
  EXPECT_EQ(failure_text(killed), "was killed by signal 9 (Killed)");
  EXPECT_EQ(failure_text(run_shell("exit 137")), "failed with exit status 137, that of signal 9 (Killed)");
}

TEST(RunCommand, KeepsWhatIsPrinted) {
  const Outcome outcome = run_shell("echo $COLOUR; echo oops >&2; cat", Output::keep);
  EXPECT_EQ(outcome.output, "green\n");
  EXPECT_EQ(outcome.error_output, "oops\n");
}

TEST(RunCommand, ProcessorTimeIsThatOfTheWholeCommand) {
  const Outcome outcome = run_shell("(i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done); true");
  EXPECT_GT(outcome.user, 0.01);
}

TEST(RunCommand, MemoryIsNotARunningMaximumOverEarlierRuns) {
  const Outcome large = run_shell("head -c 60000000 /dev/zero | tail -c 60000000 >/dev/null");
  EXPECT_EQ(large.memory_floor, 0);  // not asked for
  const Command with_floor{{"/bin/true"}, {"PATH=/usr/bin:/bin"}, Output::discard, Leftovers::end, true};
  const Outcome small = *run_command(with_floor);
  EXPECT_GT(large.memory, 50e6);
  EXPECT_LT(small.memory, std::max(20e6, small.memory_floor + 1e6));  // a sanitized test is large itself
  EXPECT_GT(small.memory_floor, 0);
}

TEST(RunCommand, AProgramThatIsNotThereIsAnError) {
  const auto outcome = run_command({{"/no/such/program"}, {}});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().text(), "cannot run '/no/such/program': No such file or directory");
}

TEST(RunCommand, CountsPerfEventsOfItsChildrenToo) {
  const std::vector<PerfEvent> events = {*parse_perf_event("page-faults:u")};
  if (const auto open = PerfCounters::open(events, 0); !open) GTEST_SKIP() << open.error().text();
  const auto faults = [&](const char* script) {
    return run_command({{"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin"}}, events)->counts.at(0).value;
  };
  const double one = faults("true");
  EXPECT_GT(one, 10);
  EXPECT_GT(faults("(true); /bin/true; /bin/true; true"), one + 50);
}

TEST(RunCommand, AnInterruptEndsTheWholeGroupAndWhatLeftIt) {
  const TemporaryFolder folder;
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = [](int) { request_interrupt(); };
  sigaction(SIGALRM, &action, &before);
  const itimerval soon{{0, 0}, {1, 0}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  const std::string script = daemon_of(folder.file("daemon")) + "sleep 60 & echo $! >" + folder.file("pid") + "; wait";
  const auto outcome = run_command({{"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin"}});
  clear_interrupt();
  sigaction(SIGALRM, &before, nullptr);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "interrupted");
  for (const char* name : {"daemon", "pid"}) {
    const int left = number_in(folder.file(name));
    ASSERT_GT(left, 0) << name;
    EXPECT_FALSE(is_alive(left)) << name;
  }
}

TEST(RunCommand, NothingIsLeftOfARunInItsGroupOrOutOfIt) {
  const TemporaryFolder folder;
  const std::string file = folder.file("pid");
  const Outcome outcome = run_shell(daemon_of(file) + "sleep 62 & true");
  EXPECT_EQ(outcome.left_behind, 2U);
  ASSERT_GT(number_in(file), 0);
  EXPECT_FALSE(is_alive(number_in(file)));
  EXPECT_EQ(run_shell("true").left_behind, 0U);
}

TEST(RunCommand, WhatIsKeptLivesOn) {
  const TemporaryFolder folder;
  const std::string file = folder.file("pid");
  const auto outcome =
      run_command({{"/bin/sh", "-c", daemon_of(file)}, {"PATH=/usr/bin:/bin"}, Output::discard, Leftovers::keep});
  ASSERT_TRUE(outcome);
  run_shell("true");
  ASSERT_GT(number_in(file), 0);
  EXPECT_TRUE(is_alive(number_in(file)));
  kill(number_in(file), SIGKILL);
}

TEST(WordsToRun, NeedNoShellForPlainWords) {
  const std::vector<std::string> commands = {"sleep  0.1 ", "/bin/true"};
  EXPECT_THAT(words_to_run(commands, "/usr/bin:/bin"),
              testing::ElementsAre(std::vector<std::string>{"sleep", "0.1"}, std::vector<std::string>{"/bin/true"}));
}

TEST(WordsToRun, AllGoThroughTheShellWhenOneNeedsIt) {
  for (const char* command : {"a | b", "exit 3", "X=1 sleep 1", "echo 'a b'", "ls *.c"}) {
    const std::vector<std::string> commands = {"true", command};
    const auto words = words_to_run(commands, "/usr/bin:/bin");
    EXPECT_EQ(words[0], (std::vector<std::string>{"/bin/sh", "-c", "true"})) << command;
    EXPECT_EQ(words[1].back(), command);
  }
}

TEST(TailOf, KeepsTheLastLines) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += std::to_string(i) + "\n";
  const std::string tail = tail_of(text);
  EXPECT_THAT(tail, HasSubstr("\n  20\n  21"));
  EXPECT_THAT(tail, testing::EndsWith("\n  29"));
  EXPECT_THAT(tail, testing::Not(HasSubstr("19")));
}

}  // namespace
}  // namespace tollgate::measure
