#include "cli/signals.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/interrupt.h"

namespace tollgate::cli {
namespace {

TEST(Signals, TheFirstOnlyAsksForAStop) {
  install_signal_handlers();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    clear_interrupt();
    std::raise(signal);
    EXPECT_TRUE(interrupted()) << signal;
  }
  clear_interrupt();
}

TEST(Signals, AHangupThatNohupIgnoresStaysIgnored) {
  std::signal(SIGHUP, SIG_IGN);
  install_signal_handlers();
  clear_interrupt();
  std::raise(SIGHUP);
  EXPECT_FALSE(interrupted());
  std::signal(SIGHUP, SIG_DFL);
}

TEST(SignalsDeathTest, TheSecondEndsTheProgramAtOnce) {
  install_signal_handlers();
  EXPECT_EXIT(
      {
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::ExitedWithCode(130), "");
}

}  // namespace
}  // namespace tollgate::cli
