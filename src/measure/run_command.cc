#include "measure/run_command.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <ctime>

#include "base/check.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "measure/leftovers.h"
#include "measure/watchdog.h"
#include "store/session.h"

namespace tollgate::measure {
namespace {

constexpr std::size_t kMostOutput = std::size_t{64} << 20;
constexpr int kGraceMilliseconds = 2000;  // between asking a command to end and ending it
constexpr int kCannotStart = 127;

/// A file descriptor that closes itself.
class File {
 public:
  explicit File(int number) : number_(number) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(); }
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

/// What the child tells its parent before its exec, in memory that both see.
struct Told {
  std::int64_t start = 0;  // nanoseconds, CLOCK_MONOTONIC
  long memory = 0;         // KiB
  int error = 0;           // errno of the exec
};

class SharedTold {
 public:
  SharedTold() : page_(mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (valid()) new (page_) Told;
  }
  SharedTold(const SharedTold&) = delete;
  SharedTold& operator=(const SharedTold&) = delete;
  ~SharedTold() {
    if (valid()) munmap(page_, sizeof(Told));
  }
  bool valid() const { return page_ != MAP_FAILED; }
  volatile Told* get() const { return static_cast<volatile Told*>(page_); }

 private:
  void* page_;
};

/// Keeps SIGINT, SIGTERM and SIGHUP waiting while it lives, so that none falls between a look and a wait.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGHUP);
    sigprocmask(SIG_BLOCK, &stop, &before_);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

std::int64_t nanoseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

double seconds(const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); }

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const auto& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

int open_output(Output kept) {
  switch (kept) {
    case Output::discard:
      return ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    case Output::keep:
      return memfd_create("output", MFD_CLOEXEC);
    case Output::pass:
      return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  }
  CHECK(false, "an output of no kind");
}

/// What parent and child hold while a run lasts.
struct Run {
  File input{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
  File output;
  File errors{memfd_create("errors", MFD_CLOEXEC)};
  SharedTold told;
  Watchdog& watchdog;

  Run(Output kept, Watchdog& watching) : output(open_output(kept)), watchdog(watching) {}
  bool valid() const { return input.number() >= 0 && output.number() >= 0 && errors.number() >= 0 && told.valid(); }
};

/// The longest name a program may have, and none has. To look for it touches all memory that an exec touches, which is a few
/// hundred KiB of the C library: it must be in the count before the real exec.
constexpr auto kNoProgram = [] {
  std::array<char, NAME_MAX + 1> name{};
  std::fill(name.begin(), name.end() - 1, '~');
  return name;
}();

/// The child's part: waits for the word to go (a byte; end of file means never mind), then becomes the command. Only calls that
/// are safe after a fork.
[[noreturn]] void become(const Run& run, int go, pid_t parent, const sigset_t& signals, bool finds_floor,
                         char* const* words, char* const* environment) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // until the watchdog knows the group
  if (getppid() != parent) _exit(kCannotStart);
  run.watchdog.watch(getpid());
  dup2(run.input.number(), STDIN_FILENO);
  dup2(run.output.number(), STDOUT_FILENO);
  dup2(run.errors.number(), STDERR_FILENO);
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  char byte = 0;
  if (::read(go, &byte, 1) != 1) _exit(kCannotStart);
  volatile Told* told = run.told.get();
  if (finds_floor) {
    execvpe(kNoProgram.data(), words, environment);  // fails
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    told->memory = used.ru_maxrss;
  }
  told->start = nanoseconds(CLOCK_MONOTONIC);
  execvpe(words[0], words, environment);
  told->error = errno;
  _exit(kCannotStart);
}

/// Without the byte the child finds the pipe closed, and ends.
void say_go(const File& pipe) {
  while (::write(pipe.number(), "g", 1) < 0 && errno == EINTR) {
  }
}

void end_group(pid_t child, int process_file) {
  kill(-child, SIGTERM);
  pollfd gone{process_file, POLLIN, 0};
  ::poll(&gone, 1, kGraceMilliseconds);
  kill(-child, SIGKILL);
}

/// Waits until the child is gone or a stop is asked for; then ends it. Returns the clock at the end, CLOCK_MONOTONIC.
std::int64_t wait_for(pid_t child, const sigset_t& signals) {
  const File process(int(syscall(SYS_pidfd_open, child, 0)));
  if (process.number() < 0) {  // before Linux 5.3: wait without looking at signals
    siginfo_t ignored{};
    while (waitid(P_PID, id_t(child), &ignored, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    return nanoseconds(CLOCK_MONOTONIC);
  }
  pollfd gone{process.number(), POLLIN, 0};
  while (!interrupted() && ppoll(&gone, 1, nullptr, &signals) < 0 && errno == EINTR) {
  }
  const std::int64_t end = nanoseconds(CLOCK_MONOTONIC);
  if (interrupted()) end_group(child, process.number());
  return end;
}

Result<std::string> content_of(int file) {
  const off_t size = lseek(file, 0, SEEK_END);
  if (size <= 0) return std::string();
  if (std::size_t(size) > kMostOutput) return fail("the command printed more than 64 MiB");
  std::string text(std::size_t(size), '\0');
  const ssize_t got = pread(file, text.data(), text.size(), 0);
  text.resize(std::size_t(std::max<ssize_t>(0, got)));
  return text;
}

/// Bytes by which the kernel's count of resident pages may be off: since Linux 6.2 (f1a7941243c1) each CPU keeps up to a batch of
/// max(32, 2 CPUs) pages to itself (lib/percpu_counter.c), and here that is once in the process before its exec and once after.
double error_of_memory() {
  const double batch = std::max(32.0, 2.0 * double(sysconf(_SC_NPROCESSORS_ONLN)));
  return 2 * batch * double(sysconf(_SC_PAGESIZE));
}

Result<Outcome> outcome_of(const Run& run, const rusage& used, int status, std::int64_t end, Output kept) {
  Outcome outcome;
  const volatile Told* told = run.told.get();
  outcome.wall = 1e-9 * double(end - told->start);
  outcome.user = seconds(used.ru_utime);
  outcome.system = seconds(used.ru_stime);
  outcome.memory = 1024.0 * double(used.ru_maxrss);
  if (told->memory > 0) outcome.memory_floor = 1024.0 * double(told->memory) + error_of_memory();
  outcome.exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  if (kept == Output::keep) outcome.output = TRY(content_of(run.output.number()));
  outcome.error_output = TRY(content_of(run.errors.number()));
  return outcome;
}

bool needs_shell(const std::string& command, const std::string& search_path) {
  if (command.find_first_of("|&;<>()$`\\\"'*?[]#~={}!\n") != std::string::npos) return true;
  const std::string_view program = trim(command);
  const std::string name(program.substr(0, program.find_first_of(" \t")));
  if (name.find('/') != std::string::npos) return false;
  const auto folders = split(search_path, ':');
  return std::none_of(folders.begin(), folders.end(),
                      [&](const std::string& folder) { return ::access((folder + "/" + name).c_str(), X_OK) == 0; });
}

std::vector<std::string> plain_words(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : command + " ") {
    if (c != ' ' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

}  // namespace

Result<Outcome> run_command(const Command& command, std::span<const PerfEvent> events) {
  const Run run(command.output, *TRY(Watchdog::running()));
  static const std::vector<pid_t> kept = children();  // the watchdog, and what a shell had that became this program
  const bool ends_leftovers = command.leftovers == Leftovers::end;
  int go[2];
  if (!run.valid() || pipe2(go, O_CLOEXEC) != 0) return fail(fmt::format("cannot run: {}", std::strerror(errno)));
  File go_read(go[0]);
  File go_write(go[1]);
  const auto words = pointers(command.words);
  auto variables = command.environment;
  if (ends_leftovers) variables.push_back(run.watchdog.mark());
  const auto environment = pointers(variables);
  const HeldSignals held;
  if (interrupted()) return fail("interrupted");
  const double start = 1e-9 * double(nanoseconds(CLOCK_REALTIME));
  const pid_t parent = getpid();
  adopt_orphans(ends_leftovers);
  if (events.empty()) say_go(go_write);  // nothing to wait for
  const pid_t child = fork();
  if (child < 0) return fail(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) {
    go_write.close();
    become(run, go_read.number(), parent, held.before(), command.finds_floor, words.data(), environment.data());
  }
  const auto counters = PerfCounters::open(events, child);
  if (counters && !events.empty()) say_go(go_write);
  go_write.close();
  const std::int64_t end = wait_for(child, held.before());
  run.watchdog.watch(0);  // before the wait, after which another process may have the number
  rusage used{};
  int status = 0;
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  const std::size_t left_behind = ends_leftovers ? end_children(kept) : 0;
  if (!counters) return tl::unexpected(counters.error());
  if (interrupted()) return fail("interrupted");
  if (const int error = run.told.get()->error; error != 0)
    return fail(fmt::format("cannot run '{}': {}", command.words.front(), std::strerror(error)));
  Outcome outcome = TRY(outcome_of(run, used, status, end, command.output));
  outcome.start = start;
  outcome.left_behind = left_behind;
  outcome.counts = TRY(counters->read());
  return outcome;
}

std::vector<std::vector<std::string>> words_to_run(std::span<const std::string> commands,
                                                   const std::string& search_path) {
  const bool shell = std::any_of(commands.begin(), commands.end(),
                                 [&](const std::string& command) { return needs_shell(command, search_path); });
  std::vector<std::vector<std::string>> all;
  for (const std::string& command : commands)
    all.push_back(shell ? std::vector<std::string>{"/bin/sh", "-c", command} : plain_words(command));
  return all;
}

std::string failure_text(const Outcome& outcome) {
  if (outcome.signal == 0) return "failed with " + store::exit_text(outcome.exit_status);
  return fmt::format("was killed by signal {} ({})", outcome.signal, strsignal(outcome.signal));
}

std::string tail_of(const std::string& output) {
  constexpr std::size_t kLines = 10;
  auto lines = split(trim(output), '\n');
  if (lines.size() > kLines) lines.erase(lines.begin(), lines.end() - kLines);
  std::string tail;
  for (const auto& line : lines)
    if (!line.empty()) tail += "\n  " + line.substr(0, 200);
  return tail;
}

}  // namespace tollgate::measure
