// read_records: the records of any recording there is a reader for: a Tollgate trace, lackey text, drmemtrace.
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "trace/header.h"
#include "trace/record_batcher.h"

namespace tollgate::trace {

struct RecordsRead {
  TraceHeader header;
  std::vector<std::string> warnings;
};

/// Reads `path` ("-": standard input, which cannot hold a Tollgate trace) and gives its records to `take`, a batch at a time.
Result<RecordsRead> read_records(const std::string& path, const TakeRecords& take,
                                 const ProgressCallback& progress = {});

}  // namespace tollgate::trace
