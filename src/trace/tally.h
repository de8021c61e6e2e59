// Tally: the totals of the records that pass by, footprint included. Memory grows with the distinct pages only.
#pragma once

#include <unordered_set>

#include "trace/header.h"
#include "trace/record.h"

namespace tollgate::trace {

class Tally {
 public:
  /// Notes that records of `stream` follow.
  void note_stream(std::uint16_t stream);
  /// Counts a record, but not its page.
  void count(const Record& record) {
    if (record.is_event()) {
      ++totals_.events[static_cast<std::size_t>(record.kind) - kFirstEvent];
      return;
    }
    ModeTotals& mode = totals_.modes[static_cast<std::size_t>(record.mode)];
    ++(record.kind == Kind::fetch ? mode.fetch_runs : mode.data_runs);
    mode.instructions += record.instructions;
    mode.reads += record.reads;
    mode.writes += record.writes;
  }
  /// Notes that `page` was fetched from or accessed; again and again does no harm.
  void note_page(std::uint64_t page, Kind kind) { (kind == Kind::fetch ? fetched_ : accessed_).insert(page); }
  void note_unknown_events(std::uint64_t events) { totals_.unknown_events += events; }
  TraceTotals totals() const;

 private:
  TraceTotals totals_;
  std::unordered_set<std::uint64_t> fetched_;
  std::unordered_set<std::uint64_t> accessed_;
};

}  // namespace tollgate::trace
