#include "cli/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"

namespace tollgate::cli {
namespace {

constexpr auto kBetweenDrawings = std::chrono::milliseconds(100);
constexpr double kEtaAfter = 1.0;  // seconds; before that a guess would only jump about

std::string duration(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

bool standard_error_is_a_terminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace

std::string progress_line(const std::string& label, std::uint64_t done, std::uint64_t total, double seconds) {
  if (total == 0) return fmt::format("{}  {}", label, with_commas(static_cast<long long>(done)));
  const double share = std::min(1.0, double(done) / double(total));
  std::string line = fmt::format("{}  {:3.0f}%  {}/{}", label, 100 * share, with_commas(static_cast<long long>(done)),
                                 with_commas(static_cast<long long>(total)));
  if (share > 0 && seconds >= kEtaAfter) line += fmt::format("  ETA {}", duration(seconds / share * (1 - share)));
  return line;
}

ProgressBar::ProgressBar(std::string label) : label_(std::move(label)), visible_(standard_error_is_a_terminal()) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

ProgressCallback ProgressBar::callback() {
  if (!visible_) return {};
  return [this](std::uint64_t done, std::uint64_t total) { draw(done, total); };
}

void ProgressBar::draw(std::uint64_t done, std::uint64_t total) {
  const std::scoped_lock lock(mutex_);
  const auto now = Clock::now();
  if (now - last_ < kBetweenDrawings) return;
  last_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::fputs(fmt::format("\r{}\033[K", progress_line(label_, done, total, seconds)).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace tollgate::cli
