#include "cli/signals.h"

#include <unistd.h>

#include <csignal>

#include "base/interrupt.h"
#include "cli/command.h"

namespace tollgate::cli {
namespace {

void on_stop_signal(int) {
  if (request_interrupt()) _exit(static_cast<int>(ExitStatus::kInterrupted));
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;  // without SA_RESTART: a read that waits for input must return
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup = {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
}

}  // namespace tollgate::cli
