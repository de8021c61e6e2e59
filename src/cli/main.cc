// The program: parses the words, runs the verb, and turns what happened into a line on standard error and an exit status.
#include <fmt/core.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <variant>

#include "base/interrupt.h"
#include "cli/catalogue.h"
#include "cli/output.h"
#include "cli/parse.h"

namespace tollgate::cli {
namespace {

int status_number(ExitStatus status) { return static_cast<int>(status); }

/// The first signal asks for a clean stop; the second does not wait for it.
void on_stop_signal(int) {
  if (request_interrupt()) _exit(status_number(ExitStatus::kInterrupted));
}

void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;  // without SA_RESTART: a read that waits for input must return
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_DFL);  // `tollgate ... | head` ends quietly, even under a parent that ignores SIGPIPE
}

int complain(const std::string& words, const Error& error) {
  fmt::print(stderr, "tollgate{}{}: {}\n", words.empty() ? "" : " ", words, error.text());
  return status_number(ExitStatus::kBadInput);
}

int run(const std::vector<std::string>& words) {
  const auto parsed = parse(catalogue(), words, TOLLGATE_VERSION);
  if (!parsed) return complain("", parsed.error());
  std::string verb;
  Result<ExitStatus> status = ExitStatus::kDone;
  if (const auto* invocation = std::get_if<Invocation>(&*parsed)) {
    verb = invocation->words;
    status = invocation->command->run(invocation->arguments);
  } else {
    print(std::get<ShowText>(*parsed).text);
  }
  if (interrupted()) {
    fmt::print(stderr, "interrupted\n");
    return status_number(ExitStatus::kInterrupted);
  }
  if (!status) return complain(verb, status.error());
  if (const auto finished = finish_output(); !finished) return complain(verb, finished.error());
  return status_number(*status);
}

}  // namespace
}  // namespace tollgate::cli

int main(int argc, char** argv) {
  tollgate::cli::install_signal_handlers();
  try {
    return tollgate::cli::run({argv + std::min(argc, 1), argv + argc});
  } catch (const std::exception& error) {
    return tollgate::cli::complain("", {fmt::format("internal error: {}", error.what())});
  }
}
