// TraceWriter: collapses references into runs, encodes, compresses, and writes a trace file.
//
// The file grows under a temporary name beside its own and is renamed by finish(): there is never a half-written trace
// under the name asked for. Memory: one open chunk a stream, and the set of distinct pages for the footprint.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "trace/header.h"
#include "trace/record.h"

namespace tollgate::trace {

class TraceWriter {
 public:
  /// Begins "PATH.partial". An unwritable place, a directory, or a page shift other than 12 is an error.
  static Result<TraceWriter> create(const std::string& path, const TraceHeader& header);
  TraceWriter(TraceWriter&&) noexcept;
  TraceWriter& operator=(TraceWriter&&) noexcept;
  /// Without finish(): removes the temporary file.
  ~TraceWriter();

  /// Records that follow belong to `stream`; 0 at first.
  void select_stream(std::uint16_t stream);
  /// `instructions` that begin in the page; 0 for the tail of one that began in the page before.
  void add_fetch(std::uint64_t page, std::uint64_t instructions, Mode mode);
  /// Accesses by the instructions fetched last.
  void add_data(std::uint64_t page, std::uint64_t reads, std::uint64_t writes, Mode mode);
  /// Ends all runs. `kind` is an event.
  void add_event(Kind kind, std::uint64_t first = 0, std::uint64_t second = 0);
  /// Adds a record as it was read; runs are collapsed again where they touch.
  void add(const Record& record);

  /// The first thing that went wrong so far (a full disk, a page number over 52 bits), so that a long recording can stop
  /// early; nullptr when all is well. finish() reports it too.
  const Error* problem() const;
  /// Writes what is left, the index and the totals, and gives the file its name.
  Result<TraceTotals> finish();
  /// Bytes of the file so far.
  std::uint64_t written() const;

 private:
  struct State;
  explicit TraceWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tollgate::trace
