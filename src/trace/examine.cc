#include "trace/examine.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/interrupt.h"
#include "base/text.h"
#include "trace/chunk_decoder.h"
#include "trace/chunk_loader.h"
#include "trace/format.h"
#include "trace/input_file.h"
#include "trace/tally.h"

namespace tollgate::trace {
namespace {

void add_chunk(Examination& found, const ChunkHeader& chunk) {
  ++found.chunks;
  found.chunk_bytes += kChunkHeaderBytes + chunk.compressed;
  found.uncompressed_bytes += chunk.uncompressed;
  auto stream = std::ranges::find(found.streams, chunk.stream, &StreamSummary::stream);
  if (stream == found.streams.end()) stream = found.streams.insert(stream, {.stream = chunk.stream});
  stream->records += chunk.records;
  stream->references += chunk.references;
}

/// Counts what the first `chunks` chunks hold, for a file that has lost its own totals.
Result<TraceTotals> count_again(const InputFile& file, std::uint64_t offset, std::uint64_t chunks,
                                UnknownEvents unknown) {
  Tally tally;
  ChunkLoader loader;
  ChunkDecoder decoder;
  std::vector<Record> batch(1024);
  for (; chunks > 0 && !interrupted(); --chunks) {
    const ChunkHeader chunk = TRY(loader.load(file, offset));
    offset += kChunkHeaderBytes + chunk.compressed;
    tally.note_stream(chunk.stream);
    decoder.start(loader.padded(), chunk.stream, unknown);
    while (decoder.more()) {
      const std::size_t count = decoder.decode(batch);
      for (const Record& record : std::span(batch).first(count)) {
        tally.count(record);
        if (!record.is_event()) tally.note_page(record.page, record.kind);
      }
    }
    tally.note_unknown_events(decoder.unknown_events());
  }
  return tally.totals();
}

bool adds_up(const Examination& found, const TraceTotals& totals) {
  std::uint64_t records = 0, references = 0;
  for (const StreamSummary& stream : found.streams) {
    records += stream.records;
    references += stream.references;
  }
  return references == totals.references() && records == totals.records() + totals.unknown_events;
}

std::string good_part(const Examination& found) {
  SoundPart part{.chunks = found.chunks};
  for (const StreamSummary& stream : found.streams) part.references += stream.references;
  return part.text();
}

}  // namespace

Result<Examination> examine(const std::string& path, const ProgressCallback& progress) {
  const InputFile file = TRY(InputFile::open(path));
  const ParsedHeader header = TRY(read_header(file));
  const auto footer = read_footer(file, header.bytes);
  Examination found{.header = header.header};
  found.file_bytes = file.size();
  ChunkLoader loader;
  std::uint64_t offset = header.bytes;
  std::string problem = footer ? "" : footer.error().message;
  while (!interrupted() && (!footer || found.chunks < footer->chunks.size())) {
    const auto chunk = loader.check(file, offset);
    if (!chunk) {
      if (footer) problem = fmt::format("chunk {} (at byte {}): {}", found.chunks + 1, offset, chunk.error().message);
      break;
    }
    add_chunk(found, *chunk);
    offset += kChunkHeaderBytes + chunk->compressed;
    if (progress) progress(offset, file.size());
  }
  if (interrupted()) return fail("interrupted", {path});
  if (problem.empty() && !adds_up(found, footer->totals)) problem = "its totals are not those of its chunks";
  if (problem.empty()) {
    found.totals = footer->totals;
    return found;
  }
  found.damage = Error{fmt::format("the trace is damaged: {}; {}", problem, good_part(found)), {path}};
  const auto unknown = header.header.minor > kMinor ? UnknownEvents::skip : UnknownEvents::refuse;
  found.totals = TRY(count_again(file, header.bytes, found.chunks, unknown));
  return found;
}

}  // namespace tollgate::trace
