// WorkingSet: how much memory a trace uses: distinct pages in each page size, and Denning's working-set curve, the mean
// number of pages that a stream touched in its last T references (Denning 1968). Exact, in one pass, from the times
// between two references to a page; memory grows with the distinct pages only.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <span>

#include "trace/record.h"

namespace tollgate::trace {

class WorkingSet {
 public:
  static constexpr std::array<int, 3> kPageShifts{12, 21, 30};  // 4K, 2M, 1G
  /// Windows, in references of one stream.
  static constexpr std::array<std::uint64_t, 6> kWindows{1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};

  void take(std::span<const Record> records);

  /// Distinct pages by mode and page size (kPageShifts), over all streams.
  std::array<std::array<std::uint64_t, 3>, 2> footprint() const;
  /// Mean 4K pages in a window of kWindows[i] references, over all times of all streams; 0 without references.
  double mean_pages(std::size_t window) const;
  /// References of the longest stream: a wider window tells nothing more.
  std::uint64_t longest_stream() const;

 private:
  struct Stream {
    std::uint64_t now = 0;                                         // references so far
    boost::unordered_flat_map<std::uint64_t, std::uint64_t> last;  // by page: the number of its last reference
    std::array<std::uint64_t, kWindows.size()> page_times{};       // sum over times of the pages in the window
  };

  std::map<std::uint16_t, Stream> streams_;
  std::array<boost::unordered_flat_map<std::uint64_t, bool>, 2> pages_;  // by mode
};

}  // namespace tollgate::trace
