// RecordingReader: what another tool recorded, as references: the text of Valgrind's lackey, or DynamoRIO's drmemtrace in a
// file or a folder of files, packed or not. What it is is told by content, and a pipe will do.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "trace/header.h"
#include "trace/reference_sink.h"

namespace tollgate::trace {

struct RecordingOptions {
  std::string architecture = "";  // empty: what the recording says; lackey does not, and x86_64 is taken
  std::string origin = "";        // empty: the recorded command, as far as the recording says
};

class RecordingReader {
 public:
  /// `path`: a file, "-" for standard input, or a folder of drmemtrace files, a file a thread.
  static Result<RecordingReader> open(const std::string& path, const RecordingOptions& options);
  RecordingReader(RecordingReader&&) noexcept;
  RecordingReader& operator=(RecordingReader&&) = delete;
  ~RecordingReader();

  const TraceHeader& header() const;
  bool is_same_file(const std::string& path) const;
  /// Reads everything. On an error the sink has got what was before it.
  Result<void> read(ReferenceSink& sink, const ProgressCallback& progress);

  /// After read().
  std::uint64_t bytes() const;  // unpacked
  std::uint64_t lines() const;  // of text
  std::vector<std::string> warnings() const;

 private:
  struct State;
  explicit RecordingReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tollgate::trace
