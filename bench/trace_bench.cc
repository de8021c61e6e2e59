// Importing lackey text, writing runs and reading a trace, on the recorded compiler run.
#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "trace/import.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace tollgate::trace {
namespace {

constexpr const char* kRecording = TOLLGATE_SOURCE_DIR "/workloads/recordings/compile.tgt";
constexpr std::size_t kTextBytes = 100'000'000;

std::vector<Record> some_records(std::size_t count) {
  auto reader = TraceReader::open(kRecording);
  std::vector<Record> records(count);
  std::size_t read = 0;
  while (reader && read < count && reader->next(records[read]).value_or(false)) ++read;
  records.resize(read);
  return records;
}

/// The text lackey could have printed for the recording's middle, in a file that goes away with the program.
class LackeyText {
 public:
  LackeyText() : path_(std::filesystem::temp_directory_path() / fmt::format("tollgate-bench-{}.txt", ::getpid())) {
    std::string text;
    text.reserve(kTextBytes + 1'000'000);
    for (const Record& record : some_records(10'000'000)) {
      if (text.size() > kTextBytes) break;
      for (unsigned i = 0; i < record.instructions; ++i)
        text += fmt::format("I  {:08x},4\n", record.page << 12 | (4 * i & 0xfff));
      for (unsigned i = 0; i < record.reads; ++i)
        text += fmt::format(" L {:08x},8\n", record.page << 12 | (8 * i & 0xfff));
      for (unsigned i = 0; i < record.writes; ++i)
        text += fmt::format(" S {:08x},8\n", record.page << 12 | (8 * i & 0xfff));
    }
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~LackeyText() { std::filesystem::remove(path_); }
  LackeyText(const LackeyText&) = delete;
  LackeyText& operator=(const LackeyText&) = delete;

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

void import_lackey(benchmark::State& state) {
  static const LackeyText text;
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    const auto report = import_trace(text.path(), "/dev/null", {});
    if (!report) return state.SkipWithError(report.error().text().c_str());
    bytes += report->input_bytes;
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(import_lackey)->Unit(benchmark::kMillisecond);

/// Items are references before collapsing, here and below.
void read_trace(benchmark::State& state) {
  auto reader = TraceReader::open(kRecording);
  if (!reader) return state.SkipWithError(reader.error().text().c_str());
  std::uint64_t references = 0, sum = 0;
  for (auto _ : state) {
    reader->rewind();
    for (auto batch = reader->next_batch(); batch && !batch->empty(); batch = reader->next_batch())
      for (const Record& record : *batch) sum += record.page;
    references += reader->totals().references();
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(static_cast<std::int64_t>(references));
}
BENCHMARK(read_trace)->Unit(benchmark::kMillisecond);

void write_trace(benchmark::State& state) {
  static const std::vector<Record> records = some_records(2'000'000);
  std::uint64_t references = 0;
  for (auto _ : state) {
    auto writer = TraceWriter::create("/dev/null", {});
    for (const Record& record : records) writer->add(record);
    references += writer->finish()->references();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(references));
}
BENCHMARK(write_trace)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tollgate::trace
