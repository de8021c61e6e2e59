// ChunkEncoder: records of one stream to the bytes of one chunk, before compression. docs/formats/trace.md has the layout.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "trace/page_index.h"
#include "trace/record.h"

namespace tollgate::trace {

/// The lowest token that names a page of the dictionary is 2 * kFirstIndex; below it are the special tokens.
inline constexpr std::uint64_t kFirstIndex = 2;
inline constexpr std::uint64_t kNewDataPage = 0;
inline constexpr std::uint64_t kNewFetchPage = 1;
inline constexpr std::uint64_t kEventToken = 2;

enum class PageSeen { before, first_time };

class ChunkEncoder {
 public:
  /// Says whether the record's page is new to this chunk's side, so that the caller can note it.
  PageSeen add(const Record& record);
  const std::string& bytes() const { return bytes_; }
  std::uint32_t records() const { return records_; }
  std::uint64_t references() const { return references_; }
  bool empty() const { return records_ == 0; }
  void clear();

 private:
  PageSeen put_page(const Record& record);
  void put_accesses(const Record& record);
  void put_event(const Record& record);

  std::string bytes_;
  std::array<PageIndex, 2> pages_;  // data, fetch
  std::uint32_t records_ = 0;
  std::uint64_t references_ = 0;
};

}  // namespace tollgate::trace
