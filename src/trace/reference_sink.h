// ReferenceSink: where a recording's references and events go, one at a time and in program order within a stream: to a
// trace file (writer.h), or to a simulation (record_batcher.h).
#pragma once

#include <cstdint>

#include "base/result.h"
#include "trace/record.h"

namespace tollgate::trace {

class ReferenceSink {
 public:
  virtual ~ReferenceSink() = default;

  /// What follows belongs to `stream`; 0 at first.
  virtual void select_stream(std::uint16_t stream) = 0;
  /// `instructions` that begin in the page; 0 for the tail of one that began in the page before.
  virtual void add_fetch(std::uint64_t page, std::uint64_t instructions, Mode mode) = 0;
  /// Accesses by the instructions fetched last.
  virtual void add_data(std::uint64_t page, std::uint64_t reads, std::uint64_t writes, Mode mode) = 0;
  virtual void add_event(Kind kind, std::uint64_t first = 0, std::uint64_t second = 0) = 0;
  /// The first thing that went wrong, so that a long recording can stop early; nullptr when all is well.
  virtual const Error* problem() const = 0;
};

}  // namespace tollgate::trace
