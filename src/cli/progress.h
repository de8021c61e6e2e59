// A progress bar on standard error, when that is a terminal; nothing at all when it is not.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "base/progress.h"

namespace tollgate::cli {

/// "importing  42%  1,050/2,500 MB  ETA 12 s". `seconds` is the time since the start; `total` 0 means unknown.
std::string progress_line(const std::string& label, std::uint64_t done, std::uint64_t total, double seconds);

/// Draws at most ten times a second, from any thread, and wipes its line when it goes away: keep it in the scope of the
/// work, so that results and errors start on a clean line.
class ProgressBar {
 public:
  explicit ProgressBar(std::string label);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// What to hand to the library. Empty when nobody watches. It must not outlive the bar.
  ProgressCallback callback();

 private:
  using Clock = std::chrono::steady_clock;
  void draw(std::uint64_t done, std::uint64_t total);

  std::string label_;
  bool visible_;
  std::mutex mutex_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_{};  // of the last drawing
  bool drawn_ = false;
};

}  // namespace tollgate::cli
