// One run of a command: started, waited for, and accounted for by the kernel. The time starts at the command's exec and ends
// when its process is gone; processor time and memory are wait4's, of this command and the children it waited for, so that
// no run sees an earlier one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "measure/perf_events.h"

namespace tollgate::measure {

enum class Output : std::uint8_t {
  discard,
  keep,
  pass,  // to where this program's goes
};

/// What becomes of processes that outlive the command's own.
enum class Leftovers : std::uint8_t { end, keep };

struct Command {
  std::vector<std::string> words;        // program and arguments; the program is looked for in $PATH
  std::vector<std::string> environment;  // "NAME=VALUE", all of it
  Output output = Output::discard;       // what it prints to standard output; standard error is always kept
  Leftovers leftovers = Leftovers::end;  // keep: for a command whose purpose they may be
  bool finds_floor = false;              // Outcome::memory_floor, which costs a search of $PATH
};

struct Outcome {
  double start = 0;             // seconds since 1970
  double wall = 0;              // seconds
  double user = 0;              // seconds of processor time
  double system = 0;            // seconds of processor time
  double memory = 0;            // bytes: the largest resident set of any of its processes
  double memory_floor = 0;      // bytes that the process held before its exec, and the kernel's error: less is not seen
  int exit_status = 0;          // as a shell tells it: 128 + signal
  int signal = 0;               // that killed it; 0: none did
  std::size_t left_behind = 0;  // processes that outlived it, and were ended
  std::string output;           // when kept
  std::string error_output;
  std::vector<PerfCount> counts;  // one an event
};

/// Runs it in a process group of its own, with nothing on standard input; what it leaves behind is ended before this returns. When a stop is asked for (base/interrupt.h) the group
/// is ended and the result is an error; so it is when the command cannot be started or prints more than 64 MiB.
Result<Outcome> run_command(const Command& command, std::span<const PerfEvent> events = {});

/// The commands as words to run: without a shell when none of them needs one, else all through /bin/sh, so that all
/// variants pay for the same start. `search_path` is $PATH: what is not found there may be the shell's own.
std::vector<std::vector<std::string>> words_to_run(std::span<const std::string> commands,
                                                   const std::string& search_path);

/// "failed with exit status 4" or "was killed by signal 9 (Killed)".
std::string failure_text(const Outcome& outcome);

/// The last lines of what a command printed, for a message: at most ten, indented.
std::string tail_of(const std::string& output);

}  // namespace tollgate::measure
