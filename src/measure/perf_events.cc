#include "measure/perf_events.h"

#include <fmt/core.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "base/text.h"

namespace tollgate::measure {
namespace {

constexpr std::uint64_t cache(std::uint64_t which, std::uint64_t operation, std::uint64_t result) {
  return which | operation << 8 | result << 16;
}
constexpr auto kRead = PERF_COUNT_HW_CACHE_OP_READ;
constexpr auto kWrite = PERF_COUNT_HW_CACHE_OP_WRITE;
constexpr auto kAccess = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
constexpr auto kMiss = PERF_COUNT_HW_CACHE_RESULT_MISS;

struct KnownEvent {
  const char* name;
  std::uint32_t type;
  std::uint64_t config;
};

// The generic events of perf_event_open(2).
constexpr KnownEvent kEvents[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"L1-dcache-loads", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_L1D, kRead, kAccess)},
    {"L1-dcache-load-misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_L1D, kRead, kMiss)},
    {"LLC-loads", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_LL, kRead, kAccess)},
    {"LLC-load-misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_LL, kRead, kMiss)},
    {"dTLB-loads", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_DTLB, kRead, kAccess)},
    {"dTLB-load-misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_DTLB, kRead, kMiss)},
    {"dTLB-stores", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_DTLB, kWrite, kAccess)},
    {"dTLB-store-misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_DTLB, kWrite, kMiss)},
    {"iTLB-loads", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_ITLB, kRead, kAccess)},
    {"iTLB-load-misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_ITLB, kRead, kMiss)},
};

/// Takes ":u" or ":k" off the end of `name`.
Modes take_modes(std::string& name) {
  const bool user = name.ends_with(":u");
  if (!user && !name.ends_with(":k")) return Modes::both;
  name.resize(name.size() - 2);
  return user ? Modes::user : Modes::kernel;
}

bool read_raw(const std::string& name, std::uint64_t& config) {
  if (name.size() < 2 || name.front() != 'r') return false;
  const char* end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data() + 1, end, config, 16);
  return error == std::errc() && at == end;
}

std::string paranoid() {
  std::string level;
  std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> level;
  return level;
}

std::string why_refused(const PerfEvent& event, int error) {
  const std::string what = fmt::format("perf:{} cannot be counted: ", event.name);
  switch (error) {
    case EACCES:
    case EPERM:
      return what + fmt::format(
                        "the kernel does not permit it (kernel.perf_event_paranoid is {}). Run as root, or let users "
                        "count: sysctl kernel.perf_event_paranoid=1; at 2 only user mode counts: perf:EVENT:u",
                        paranoid());
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return what + "this machine does not offer it, as most virtual machines without a PMU do not";
    case ENOSYS:
      return what + "this kernel is built without perf events";
    default:
      return what + std::strerror(error);
  }
}

int open_event(const PerfEvent& event, pid_t process) {
  perf_event_attr attributes = {};
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.disabled = 1;
  attributes.inherit = 1;
  attributes.enable_on_exec = 1;
  attributes.exclude_user = event.modes == Modes::kernel;
  attributes.exclude_kernel = event.modes == Modes::user;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return int(syscall(SYS_perf_event_open, &attributes, process, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

Result<PerfEvent> parse_perf_event(const std::string& text) {
  PerfEvent event{text};
  std::string name = text;
  event.modes = take_modes(name);
  std::vector<std::string> names;
  for (const KnownEvent& known : kEvents) {
    names.emplace_back(known.name);
    if (name != known.name) continue;
    event.type = known.type;
    event.config = known.config;
    return event;
  }
  event.type = PERF_TYPE_RAW;
  if (read_raw(name, event.config)) return event;
  return fail(fmt::format("unknown perf event '{}'{}", name, did_you_mean(name, names)));
}

Result<PerfCounters> PerfCounters::open(std::span<const PerfEvent> events, pid_t process) {
  PerfCounters counters;
  for (const PerfEvent& event : events) {
    const int file = open_event(event, process);
    if (file < 0) return fail(why_refused(event, errno));
    counters.events_.push_back(event);
    counters.files_.push_back(file);
  }
  return counters;
}

PerfCounters::~PerfCounters() {
  for (const int file : files_) ::close(file);
}

Result<std::vector<PerfCount>> PerfCounters::read() const {
  std::vector<PerfCount> counts;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    std::uint64_t words[3] = {};  // value, nanoseconds enabled, nanoseconds running
    if (::read(files_[i], words, sizeof words) != ssize_t(sizeof words))
      return fail(fmt::format("perf:{} cannot be read: {}", events_[i].name, std::strerror(errno)));
    if (words[2] == 0 && words[1] > 0)
      return fail(fmt::format("perf:{} was never counted: other events hold the counters", events_[i].name));
    const double share = words[1] == 0 ? 1 : double(words[2]) / double(words[1]);
    counts.push_back({double(words[0]) / share, share});
  }
  return counts;
}

}  // namespace tollgate::measure
