// ChunkDecoder: the bytes of one chunk, after decompression, to records. Any bytes may be given: it reads nothing outside
// them and says when they make no sense.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/record.h"
#include "trace/varint.h"

namespace tollgate::trace {

/// How to take an event of a kind we do not know: a newer minor version may write some, our own version may not.
enum class UnknownEvents { skip, refuse };

class ChunkDecoder {
 public:
  /// Bytes that must lie, readable, behind the end of a chunk: the longest record but events has fewer.
  static constexpr std::size_t kPadding = 64;

  /// `padded` holds the chunk and kPadding bytes more, and stays alive while records are read.
  void start(std::string_view padded, std::uint16_t stream, UnknownEvents unknown);
  /// Fills `out` from its beginning; fewer records than it holds only at the end of the chunk, or when the rest makes no
  /// sense: see bad().
  std::size_t decode(std::span<Record> out);
  bool bad() const { return bad_; }
  bool more() const { return !bad_ && cursor_.more(); }
  /// Events that were skipped since start().
  std::uint64_t unknown_events() const { return unknown_events_; }

 private:
  bool decode_run(std::uint64_t token, Record& record);
  bool decode_event(Record& record);
  bool decode_counts(Record& record);
  bool refuse();

  VarintCursor cursor_;
  std::array<std::vector<std::uint64_t>, 2> pages_;  // data, fetch: PageIndex::key by index
  std::uint64_t unknown_events_ = 0;
  UnknownEvents unknown_ = UnknownEvents::refuse;
  std::uint16_t stream_ = 0;
  bool bad_ = false;
};

}  // namespace tollgate::trace
