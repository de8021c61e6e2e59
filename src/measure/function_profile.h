// Calls of one kernel function and the time in them, from the function profiler of tracefs (CONFIG_FUNCTION_PROFILER,
// Documentation/trace/ftrace.rst). It counts the whole machine, not the command alone, and slows the function down: figures
// of a run that is profiled are for comparing with other profiled runs.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace tollgate::measure {

struct FunctionCalls {
  double calls = 0;
  double total = 0;  // microseconds
};

class FunctionProfiler {
 public:
  /// `tracefs` is its mount, /sys/kernel/tracing. The error says what is missing.
  static Result<FunctionProfiler> open(std::filesystem::path tracefs, std::string function);

  const std::string& function() const { return function_; }
  Result<void> start();
  /// What was counted since start().
  Result<FunctionCalls> stop();

 private:
  FunctionProfiler(std::filesystem::path tracefs, std::string function)
      : tracefs_(std::move(tracefs)), function_(std::move(function)) {}
  Result<void> write(const char* file, const std::string& text) const;

  std::filesystem::path tracefs_;
  std::string function_;
};

}  // namespace tollgate::measure
