// Exporting: a Tollgate trace to one plain drmemtrace file, for tools that read that. A trace knows pages and not addresses,
// so a run becomes instructions of 4 bytes and accesses of 8 at made-up places in its page: what a TLB sees is the same.
// An event becomes a user-defined marker (drmemtrace.h), a marker that was imported what it was.
#pragma once

#include <cstdint>
#include <string>

#include "base/progress.h"
#include "base/result.h"

namespace tollgate::trace {

struct ExportReport {
  std::uint64_t references = 0;  // instructions and accesses written
  std::uint64_t events = 0;
  std::uint64_t output_bytes = 0;
};

/// Streams are threads, with ids from 1, one process. On any error no file is left behind.
Result<ExportReport> export_drmemtrace(const std::string& input, const std::string& output,
                                       const ProgressCallback& progress = {});

}  // namespace tollgate::trace
