#include "trace/drmemtrace_export.h"

#include <filesystem>
#include <map>
#include <system_error>

#include "base/interrupt.h"
#include "trace/drmemtrace.h"
#include "trace/format.h"
#include "trace/output_file.h"
#include "trace/reader.h"

namespace tollgate::trace {
namespace {

using namespace drmemtrace;

class Exporter {
 public:
  explicit Exporter(OutputFile file) : file_(std::move(file)) { bytes_.reserve(kFlushAt + kRecordBytes); }

  Result<void> begin(const TraceHeader& header);
  Result<void> add(const Record& record);
  Result<ExportReport> finish();

 private:
  static constexpr std::size_t kFlushAt = 1 << 20;
  static constexpr std::uint64_t kPageBytes = std::uint64_t{1} << kPageShift;

  void put(std::uint16_t type, std::uint16_t size, std::uint64_t address);
  void switch_to(std::uint16_t stream);
  void force(Mode mode);
  void fetch(const Record& run);
  void instructions(std::uint64_t count);
  void release_last();
  void data(const Record& run);
  void event(const Record& event);
  Result<void> flush();

  /// A stream, as far as it is written.
  struct Stream {
    Mode forced = Mode::user;  // what our last marker of a mode said
    Mode mode = Mode::user;    // what a reader takes the next access for
    // The run being written. Its last instruction waits, since it may reach into the page of the next run.
    std::uint64_t page = 0;
    std::uint64_t offset = 0;
    Mode run_mode = Mode::user;
    bool last_waits = false;
    bool any_written = false;
  };

  OutputFile file_;
  std::string bytes_;
  ExportReport report_;
  std::map<std::uint16_t, Stream> streams_;
  std::uint16_t stream_ = 0;
  Stream* at_ = nullptr;  // the one that records are written of
};

void Exporter::put(std::uint16_t type, std::uint16_t size, std::uint64_t address) {
  for (int i = 0; i < 2; ++i) bytes_ += static_cast<char>(type >> (8 * i));
  for (int i = 0; i < 2; ++i) bytes_ += static_cast<char>(size >> (8 * i));
  for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(address >> (8 * i));
}

Result<void> Exporter::flush() {
  TRY(file_.write(bytes_));
  bytes_.clear();
  return {};
}

Result<void> Exporter::begin(const TraceHeader& header) {
  put(kHeader, 0, kVersionWritten);
  put(kMarker, kVersion, kVersionWritten);
  put(kMarker, kFileType, header.architecture == "aarch64" ? kAarch64 : kX86_64);
  return {};
}

void Exporter::switch_to(std::uint16_t stream) {
  if (at_ != nullptr && stream == stream_) return;
  stream_ = stream;
  at_ = &streams_[stream];
  put(kThread, 4, std::uint64_t{stream_} + 1);
  put(kProcess, 4, 1);
}

Result<void> Exporter::add(const Record& record) {
  switch_to(record.stream);
  if (record.is_event())
    event(record);
  else if (record.kind == Kind::fetch)
    fetch(record);
  else
    data(record);
  if (bytes_.size() >= kFlushAt) TRY(flush());
  return {};
}

/// Says in a marker what the addresses do not.
void Exporter::force(Mode mode) {
  at_->forced = at_->mode = mode;
  put(kMarker, mode == Mode::kernel ? kKernelMode : kUserMode, 0);
}

void Exporter::release_last() {
  if (at_->last_waits) instructions(1);
  at_->last_waits = false;
}

void Exporter::instructions(std::uint64_t count) {
  report_.references += count;
  for (; count > 0; --count, at_->offset = (at_->offset + 4) % kPageBytes)
    put(kInstruction, 4, at_->page << kPageShift | at_->offset);
  at_->any_written = true;
}

void Exporter::fetch(const Record& run) {
  if (run.instructions == 0 && at_->last_waits && run.page == at_->page + 1 && run.mode == at_->run_mode) {
    put(kInstruction, 4, (run.page << kPageShift) - 2);
    ++report_.references;
    at_->last_waits = false;
    at_->page = run.page;
    at_->any_written = true;
    return;
  }
  release_last();
  const bool kernel_half = run.page >> (63 - kPageShift) != 0;
  if (!kernel_half && run.mode != at_->forced) force(run.mode);
  at_->mode = kernel_half ? Mode::kernel : run.mode;
  at_->run_mode = run.mode;
  at_->page = run.page;
  at_->offset = 0;
  at_->any_written = false;
  // The tail of an instruction that is not there to be seen is one of its own.
  instructions(run.instructions == 0 ? 1 : run.instructions - 1);
  at_->last_waits = run.instructions > 0;
  at_->any_written = run.instructions != 1;
}

void Exporter::data(const Record& run) {
  if (!at_->any_written) release_last();
  if (run.mode != at_->mode) {
    release_last();
    force(run.mode);
  }
  const std::uint64_t address = run.page << kPageShift;
  for (std::uint64_t i = 0; i < run.reads; ++i) put(kRead, 8, address | (8 * i) % kPageBytes);
  for (std::uint64_t i = 0; i < run.writes; ++i) put(kWrite, 8, address | (8 * i) % kPageBytes);
  report_.references += std::uint64_t{run.reads} + run.writes;
}

void Exporter::event(const Record& event) {
  release_last();
  ++report_.events;
  if (event.kind == Kind::syscall && event.value == 0) return put(kMarker, kSyscall, event.page);
  if (event.kind == Kind::marker && event.value != 0)
    return put(kMarker, static_cast<std::uint16_t>(event.value - 1), event.page);
  const auto index = static_cast<std::uint16_t>(2 * (static_cast<int>(event.kind) - kFirstEvent));
  if (event.value != 0) put(kMarker, kSecondValue + index, event.value);
  put(kMarker, kFirstValue + index, event.page);
}

Result<ExportReport> Exporter::finish() {
  for (const auto& [stream, state] : streams_) {
    switch_to(stream);
    release_last();
    put(kThreadExit, 4, std::uint64_t{stream} + 1);
  }
  put(kFooter, 0, 0);
  TRY(flush());
  report_.output_bytes = file_.written();
  TRY(file_.commit());
  return report_;
}

}  // namespace

Result<ExportReport> export_drmemtrace(const std::string& input, const std::string& output,
                                       const ProgressCallback& progress) {
  TraceReader reader = TRY(TraceReader::open(input));
  std::error_code ignored;
  if (std::filesystem::equivalent(input, output, ignored))
    return fail("the output is the input; name another file", {output});
  Exporter exporter(TRY(OutputFile::create(output)));
  TRY(exporter.begin(reader.header()));
  std::uint64_t records = 0;
  while (true) {
    const auto batch = TRY(reader.next_batch());
    if (batch.empty()) break;
    for (const Record& record : batch) TRY(exporter.add(record));
    records += batch.size();
    if (progress) progress(records, reader.totals().records());
    if (interrupted()) return fail("interrupted; nothing was written", {output});
  }
  return exporter.finish();
}

}  // namespace tollgate::trace
