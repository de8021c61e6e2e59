// TraceReader: streams a trace file in constant memory, a batch of records at a time.
//
// Opening checks the header, the footer and the index; each chunk's checksum is checked before its first record is handed
// out, so no damaged record is ever seen. Owner: one thread. A batch is valid until the next call.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "trace/header.h"
#include "trace/record.h"

namespace tollgate::trace {

class InputFile;

class TraceReader {
 public:
  /// Opens a complete trace. A missing, empty, foreign, truncated or damaged file is an error that says how much is good.
  static Result<TraceReader> open(const std::string& path);
  /// Only the records of one stream: chunks of other streams are not even read.
  static Result<TraceReader> open_stream(const std::string& path, std::uint16_t stream);
  /// The same from any InputFile: bytes in memory, say.
  static Result<TraceReader> open_input(InputFile input);
  TraceReader(TraceReader&&) noexcept;
  TraceReader& operator=(TraceReader&&) noexcept;
  ~TraceReader();

  const TraceHeader& header() const;
  const TraceTotals& totals() const;

  /// The next records, at most a few thousand; empty at the end. All of one stream. Streams alternate a chunk at a time:
  /// order holds within a stream; between streams only `order` events tell.
  Result<std::span<const Record>> next_batch();
  /// One record at a time; false at the end.
  Result<bool> next(Record& record);
  /// Back to the first record.
  void rewind();
  /// Events skipped so far because a newer minor version wrote kinds we do not know.
  std::uint64_t unknown_events() const;

 private:
  struct State;
  explicit TraceReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tollgate::trace
