#include "store/session.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <cstring>

namespace tollgate::store {

std::string second_side(const Session& session) { return session.variants.front().name + " again"; }

bool is_printed(const Metric& metric) {
  return metric.spec.starts_with("regex:") || metric.spec.starts_with("json:") || metric.spec.starts_with("output:");
}

std::string exit_text(int status) {
  const int signal = status - 128;
  if (signal <= 0 || signal > SIGRTMAX) return fmt::format("exit status {}", status);
  return fmt::format("exit status {}, that of signal {} ({})", status, signal, strsignal(signal));
}

std::uint64_t planned_runs(const Session& session) {
  return std::uint64_t{session.terms.runs} * std::max(1U, session.boots) * session.variants.size();
}

}  // namespace tollgate::store
