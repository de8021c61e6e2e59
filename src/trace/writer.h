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
#include "trace/reference_sink.h"

namespace tollgate::trace {

class TraceWriter final : public ReferenceSink {
 public:
  /// Begins "PATH.partial". An unwritable place, a directory, or a page shift other than 12 is an error.
  static Result<TraceWriter> create(const std::string& path, const TraceHeader& header);
  TraceWriter(TraceWriter&&) noexcept;
  TraceWriter& operator=(TraceWriter&&) noexcept;
  /// Without finish(): removes the temporary file.
  ~TraceWriter() override;

  void select_stream(std::uint16_t stream) override;
  void add_fetch(std::uint64_t page, std::uint64_t instructions, Mode mode) override;
  void add_data(std::uint64_t page, std::uint64_t reads, std::uint64_t writes, Mode mode) override;
  /// Ends all runs. `kind` is an event.
  void add_event(Kind kind, std::uint64_t first = 0, std::uint64_t second = 0) override;
  /// Adds a record as it was read; runs are collapsed again where they touch.
  void add(const Record& record);

  /// A full disk, a page number over 52 bits. finish() reports it too.
  const Error* problem() const override;
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
