#include "trace/header.h"

#include <fmt/core.h>

#include <numeric>

namespace tollgate::trace {

std::uint64_t TraceTotals::runs() const {
  std::uint64_t sum = 0;
  for (const ModeTotals& mode : modes) sum += mode.fetch_runs + mode.data_runs;
  return sum;
}

std::uint64_t TraceTotals::events_total() const {
  return std::accumulate(events.begin(), events.end(), std::uint64_t{0});
}

Result<void> require_architecture(const TraceHeader& header, const std::string& wanted, const std::string& path) {
  if (header.architecture == wanted) return {};
  return fail(fmt::format("the trace was recorded on {}, and {} is needed: choose a machine of that architecture, or "
                          "record the program on {}",
                          header.architecture, wanted, wanted),
              {path});
}

}  // namespace tollgate::trace
