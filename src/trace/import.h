// Importing: a recording made by another tool to a Tollgate trace, in constant memory however long the text is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "trace/header.h"

namespace tollgate::trace {

struct ImportOptions {
  std::string architecture = "x86_64";  // lackey does not say
  std::string origin = "";              // empty: the recorded command, as far as the text says
  ProgressCallback progress = {};       // bytes
};

struct ImportReport {
  TraceTotals totals;
  std::uint64_t input_bytes = 0;
  std::uint64_t output_bytes = 0;
  std::uint64_t lines = 0;
  std::vector<std::string> warnings;
};

/// Reads `input` ("-": standard input), which must be lackey text, and writes the trace `output`. On any error, and when
/// the user interrupts, no file is left behind and what was under `output` before is untouched.
Result<ImportReport> import_trace(const std::string& input, const std::string& output, const ImportOptions& options);

}  // namespace tollgate::trace
