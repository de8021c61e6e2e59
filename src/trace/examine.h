// Examination: everything `trace info` says of a file, damaged or not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "trace/header.h"

namespace tollgate::trace {

struct StreamSummary {
  std::uint16_t stream = 0;
  std::uint64_t records = 0;
  std::uint64_t references = 0;
};

struct Examination {
  TraceHeader header;
  TraceTotals totals = {};  // of the good part
  std::vector<StreamSummary> streams = {};
  std::uint64_t file_bytes = 0;
  std::uint64_t chunk_bytes = 0;         // compressed, with their headers
  std::uint64_t uncompressed_bytes = 0;  // of the same chunks
  std::uint64_t chunks = 0;              // good ones, up to the first that is not
  std::optional<Error> damage = {};      // none: complete, and every checksum holds
};

/// Checks every checksum. An error only when nothing of the file can be used: no trace, or a damaged header.
Result<Examination> examine(const std::string& path, const ProgressCallback& progress = {});

}  // namespace tollgate::trace
