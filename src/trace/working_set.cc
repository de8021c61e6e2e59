#include "trace/working_set.h"

#include <algorithm>
#include <set>

namespace tollgate::trace {

// A reference keeps its page in the window for the T references from it on, or up to the next to the same page.
void WorkingSet::take(std::span<const Record> records) {
  for (const Record& record : records) {
    if (record.is_event()) continue;
    const std::uint64_t references = std::uint64_t{record.instructions} + record.reads + record.writes;
    if (references == 0) continue;
    Stream& stream = streams_[record.stream];
    const auto [last, is_new] = stream.last.try_emplace(record.page, 0);
    if (is_new) pages_[static_cast<std::size_t>(record.mode)].try_emplace(record.page, true);
    const std::uint64_t gap = is_new ? 0 : stream.now + 1 - last->second;
    for (std::size_t i = 0; i < kWindows.size(); ++i)
      stream.page_times[i] += std::min(gap, kWindows[i]) + references - 1;
    stream.now += references;
    last->second = stream.now;
  }
}

std::array<std::array<std::uint64_t, 3>, 2> WorkingSet::footprint() const {
  std::array<std::array<std::uint64_t, 3>, 2> counts{};
  for (std::size_t mode = 0; mode < 2; ++mode)
    for (std::size_t size = 0; size < kPageShifts.size(); ++size) {
      std::set<std::uint64_t> large;
      for (const auto& [page, seen] : pages_[mode]) large.insert(page >> (kPageShifts[size] - kPageShifts[0]));
      counts[mode][size] = large.size();
    }
  return counts;
}

double WorkingSet::mean_pages(std::size_t window) const {
  double page_times = 0, times = 0;
  for (const auto& [number, stream] : streams_) {
    std::uint64_t sum = stream.page_times[window];
    for (const auto& [page, last] : stream.last) sum += std::min(stream.now + 1 - last, kWindows[window]);
    page_times += static_cast<double>(sum);
    times += static_cast<double>(stream.now);
  }
  return times == 0 ? 0 : page_times / times;
}

std::uint64_t WorkingSet::longest_stream() const {
  std::uint64_t longest = 0;
  for (const auto& [number, stream] : streams_) longest = std::max(longest, stream.now);
  return longest;
}

}  // namespace tollgate::trace
