// Importing: a recording made by another tool to a Tollgate trace, in constant memory however long it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "trace/header.h"
#include "trace/recording.h"

namespace tollgate::trace {

struct ImportOptions {
  RecordingOptions recording = {};
  ProgressCallback progress = {};  // bytes of the file
};

struct ImportReport {
  TraceTotals totals;
  std::uint64_t input_bytes = 0;  // unpacked
  std::uint64_t output_bytes = 0;
  std::uint64_t lines = 0;  // of text
  std::vector<std::string> warnings;
};

/// Reads the recording `input` (see RecordingReader) and writes the trace `output`. On any error, and when the user
/// interrupts, no file is left behind and what was under `output` before is untouched.
Result<ImportReport> import_trace(const std::string& input, const std::string& output, const ImportOptions& options);

}  // namespace tollgate::trace
