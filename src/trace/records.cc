#include "trace/records.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include "base/interrupt.h"
#include "trace/format.h"
#include "trace/input_file.h"
#include "trace/reader.h"
#include "trace/recording.h"

namespace tollgate::trace {
namespace {

bool is_tollgate_trace(const std::string& path) {
  struct stat status{};
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const auto file = InputFile::open(path);
  std::string beginning;
  return file && file->read(0, kFileMagic.size(), beginning) && beginning == kFileMagic;
}

Result<RecordsRead> read_trace(const std::string& path, const TakeRecords& take, const ProgressCallback& progress) {
  TraceReader reader = TRY(TraceReader::open(path));
  std::uint64_t done = 0;
  while (true) {
    const auto batch = TRY(reader.next_batch());
    if (batch.empty()) break;
    TRY(take(batch));
    done += batch.size();
    if (progress) progress(done, reader.totals().records());
    if (interrupted()) return fail("interrupted", {path});
  }
  RecordsRead read{reader.header(), {}};
  if (const auto& lost = reader.totals().events[static_cast<std::size_t>(Kind::lost) - kFirstEvent]; lost > 0)
    read.warnings.push_back(fmt::format("the recorder lost records {} times: what follows a loss is not exact", lost));
  if (reader.unknown_events() > 0)
    read.warnings.push_back(fmt::format("{} events of unknown kinds were skipped", reader.unknown_events()));
  return read;
}

}  // namespace

Result<RecordsRead> read_records(const std::string& path, const TakeRecords& take, const ProgressCallback& progress) {
  if (is_tollgate_trace(path)) return read_trace(path, take, progress);
  RecordingReader recording = TRY(RecordingReader::open(path, {}));
  RecordBatcher batcher(take);
  TRY(recording.read(batcher, progress));
  TRY(batcher.finish());
  return RecordsRead{recording.header(), recording.warnings()};
}

}  // namespace tollgate::trace
