#include "kernel/era.h"

#include "base/check.h"

namespace tollgate::kernel {

const std::vector<std::string> kPlaceNames = {
    "absolute", "entry_text",  "trampoline", "entry_stack",  "tss",       "exception_stack", "idt",
    "percpu",   "task_stack", "task_objects", "user_code", "user_stack", "user_data"};

const std::vector<std::string> kRequiredSequences = {"syscall.pti",   "syscall.plain",   "sysret.pti",    "sysret.plain",
                                                     "exception.pti", "exception.plain", "interrupt.pti", "interrupt.plain",
                                                     "iret.pti",      "iret.plain"};

const std::vector<std::string> kRequiredPaths = {"lseek", "fault", "fork",  "exec",  "exit",          "schedule", "eventfd",
                                                 "madvise", "mmap", "munmap", "tick", "flush_handler", "syscall"};

const Path& Era::sequence(const std::string& name_wanted) const {
  const auto at = sequences.find(name_wanted);
  CHECK(at != sequences.end(), "the loader demands every sequence");
  return at->second;
}

const PathSpec& Era::path(const std::string& name_wanted) const {
  const auto at = paths.find(name_wanted);
  CHECK(at != paths.end(), "the loader demands every path");
  return at->second;
}

}  // namespace tollgate::kernel
