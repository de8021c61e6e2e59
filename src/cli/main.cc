// The program: parses the words, runs the verb, and turns what happened into a line on standard error and an exit status.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <variant>

#include "base/interrupt.h"
#include "base/text.h"
#include "cli/catalogue.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/signals.h"

namespace tollgate::cli {
namespace {

int status_number(ExitStatus status) { return static_cast<int>(status); }

int complain(const std::string& words, const Error& error) {
  fmt::print(stderr, "tollgate{}{}: {}\n", words.empty() ? "" : " ", words, printable(error.text()));
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
  tollgate::cli::hold_standard_streams();
  tollgate::cli::install_signal_handlers();
  try {
    return tollgate::cli::run({argv + std::min(argc, 1), argv + argc});
  } catch (const std::exception& error) {
    return tollgate::cli::complain("", {fmt::format("internal error: {}", error.what())});
  }
}
