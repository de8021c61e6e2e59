#include "trace/import.h"

#include "base/interrupt.h"
#include "trace/writer.h"

namespace tollgate::trace {

Result<ImportReport> import_trace(const std::string& input, const std::string& output, const ImportOptions& options) {
  RecordingReader recording = TRY(RecordingReader::open(input, options.recording));
  if (recording.is_same_file(output)) return fail("the output is the input; name another file", {output});
  TraceWriter writer = TRY(TraceWriter::create(output, recording.header()));
  const auto read = recording.read(writer, options.progress);
  if (interrupted()) return fail("interrupted; no trace was written", {output});
  TRY(read);
  ImportReport report;
  report.totals = TRY(writer.finish());
  report.input_bytes = recording.bytes();
  report.output_bytes = writer.written();
  report.lines = recording.lines();
  report.warnings = recording.warnings();
  return report;
}

}  // namespace tollgate::trace
