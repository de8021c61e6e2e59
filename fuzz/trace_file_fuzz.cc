// Any bytes as a trace file, and as the inside of a chunk, which checksums would keep a fuzzer from reaching: they are read
// or refused, and what the reader hands out adds up to what the file says.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "trace/chunk_decoder.h"
#include "trace/chunk_encoder.h"
#include "trace/input_file.h"
#include "trace/reader.h"

namespace {

using namespace tollgate::trace;

void read_as_file(std::string bytes) {
  auto reader = TraceReader::open_input(InputFile::of_bytes(std::move(bytes), "file"));
  if (!reader) {
    if (reader.error().message.empty()) std::abort();
    return;
  }
  while (true) {
    const auto batch = reader->next_batch();
    if (!batch || batch->empty()) return;
  }
}

/// What can be decoded is encoded again: the encoder's form must decode to the same records.
void read_as_chunk(std::string bytes, UnknownEvents unknown) {
  bytes.append(ChunkDecoder::kPadding, '\xff');
  std::vector<Record> records(bytes.size()), again(bytes.size());
  ChunkDecoder decoder;
  decoder.start(bytes, 0, unknown);
  records.resize(decoder.decode(records));
  ChunkEncoder encoder;
  for (const Record& record : records) encoder.add(record);
  const std::string padded = encoder.bytes() + std::string(ChunkDecoder::kPadding, '\0');
  decoder.start(padded, 0, UnknownEvents::refuse);
  again.resize(decoder.decode(again));
  if (decoder.bad() || again != records) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read_as_file(bytes);
  read_as_chunk(bytes, UnknownEvents::refuse);
  read_as_chunk(bytes, UnknownEvents::skip);
  return 0;
}
