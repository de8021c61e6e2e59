#include "trace/reader.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "trace/chunk_decoder.h"
#include "trace/chunk_loader.h"
#include "trace/format.h"
#include "trace/input_file.h"

namespace tollgate::trace {
namespace {

constexpr std::size_t kBatch = 4096;  // 128 KiB of records: they stay in the second-level cache

}  // namespace

struct TraceReader::State {
  explicit State(InputFile opened) : file(std::move(opened)), batch(kBatch) {}

  Result<bool> load_next_chunk();
  Result<void> check_chunk_end() const;
  Error damage(const std::string& what) const;

  InputFile file;
  TraceHeader header;
  Footer footer;
  std::optional<std::uint16_t> stream;  // none: all
  ChunkLoader loader;
  ChunkDecoder decoder;
  std::size_t next_chunk = 0;  // index of the chunk after the one being decoded
  bool in_chunk = false;
  std::uint64_t chunk_records = 0;  // decoded so far, of the chunk
  std::uint64_t chunk_references = 0;
  std::uint64_t unknown_events = 0;  // of the chunks before
  std::vector<Record> batch;
  std::span<const Record> left;  // of the batch, for next()
};

Error TraceReader::State::damage(const std::string& what) const {
  const std::size_t bad = next_chunk - 1;
  SoundPart good{.chunks = bad};
  for (std::size_t i = 0; i < bad; ++i) good.references += footer.chunks[i].references;
  return {fmt::format("chunk {} of {} (at byte {}) is damaged: {}; {}", bad + 1, footer.chunks.size(),
                      footer.chunks[bad].offset, what, good.text()),
          {file.path()}};
}

Result<bool> TraceReader::State::load_next_chunk() {
  const auto& chunks = footer.chunks;
  while (next_chunk < chunks.size() && stream && chunks[next_chunk].stream != *stream) ++next_chunk;
  if (next_chunk == chunks.size()) return false;
  const ChunkIndexEntry& entry = chunks[next_chunk++];
  const auto chunk = loader.load(file, entry.offset);
  if (!chunk) return tl::unexpected(damage(chunk.error().message));
  if (chunk->records != entry.records || chunk->references != entry.references || chunk->stream != entry.stream)
    return tl::unexpected(damage("it is not the one the index describes"));
  decoder.start(loader.padded(), entry.stream, header.minor > kMinor ? UnknownEvents::skip : UnknownEvents::refuse);
  in_chunk = true;
  chunk_records = chunk_references = 0;
  return true;
}

Result<void> TraceReader::State::check_chunk_end() const {
  const ChunkIndexEntry& entry = footer.chunks[next_chunk - 1];
  if (decoder.bad()) return tl::unexpected(damage("its records make no sense"));
  if (chunk_records + decoder.unknown_events() != entry.records || chunk_references != entry.references)
    return tl::unexpected(damage("it holds other records than it says"));
  return {};
}

Result<TraceReader> TraceReader::open_input(InputFile input) {
  auto state = std::make_unique<State>(std::move(input));
  const ParsedHeader header = TRY(read_header(state->file));
  state->header = header.header;
  auto footer = read_footer(state->file, header.bytes);
  if (!footer)
    return fail(fmt::format("the trace is not complete: {}; {}", footer.error().message,
                            scan_sound_part(state->file, header.bytes).text()),
                {state->file.path()});
  state->footer = *std::move(footer);
  return TraceReader(std::move(state));
}

Result<TraceReader> TraceReader::open(const std::string& path) { return open_input(TRY(InputFile::open(path))); }

Result<TraceReader> TraceReader::open_stream(const std::string& path, std::uint16_t stream) {
  TraceReader reader = TRY(open(path));
  const auto& streams = reader.totals().streams;
  if (std::ranges::find(streams, stream) == streams.end())
    return fail(fmt::format("the trace has no stream {}; its streams are {}", stream, fmt::join(streams, ", ")),
                {path});
  reader.state_->stream = stream;
  return reader;
}

TraceReader::TraceReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
TraceReader::TraceReader(TraceReader&&) noexcept = default;
TraceReader& TraceReader::operator=(TraceReader&&) noexcept = default;
TraceReader::~TraceReader() = default;

const TraceHeader& TraceReader::header() const { return state_->header; }
const TraceTotals& TraceReader::totals() const { return state_->footer.totals; }

Result<std::span<const Record>> TraceReader::next_batch() {
  State& state = *state_;
  if (!state.left.empty()) return std::exchange(state.left, {});
  while (true) {
    if (!state.in_chunk && !TRY(state.load_next_chunk())) return std::span<const Record>{};
    const std::size_t count = state.decoder.decode(state.batch);
    const auto batch = std::span<const Record>(state.batch).first(count);
    state.chunk_records += count;
    for (const Record& record : batch)
      state.chunk_references += std::uint64_t{record.instructions} + record.reads + record.writes;
    if (!state.decoder.more()) {
      TRY(state.check_chunk_end());
      state.unknown_events += state.decoder.unknown_events();
      state.in_chunk = false;
    }
    if (count > 0) return batch;
  }
}

Result<bool> TraceReader::next(Record& record) {
  State& state = *state_;
  if (state.left.empty()) state.left = TRY(next_batch());
  if (state.left.empty()) return false;
  record = state.left.front();
  state.left = state.left.subspan(1);
  return true;
}

void TraceReader::rewind() {
  state_->next_chunk = 0;
  state_->in_chunk = false;
  state_->left = {};
  state_->unknown_events = 0;
}

std::uint64_t TraceReader::unknown_events() const { return state_->unknown_events; }

}  // namespace tollgate::trace
