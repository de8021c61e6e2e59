#include "trace/chunk_loader.h"

#include <fmt/core.h>
#include <zstd.h>

#include "base/text.h"
#include "trace/chunk_decoder.h"
#include "trace/recognise.h"

namespace tollgate::trace {
namespace {

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 8; i-- > 0;) number = number << 8 | static_cast<std::uint8_t>(bytes[i]);
  return number;
}

Result<std::string> read_footer_bytes(const InputFile& file, std::uint64_t first_chunk) {
  std::string trailer;
  if (file.size() < first_chunk + kFooterHeaderBytes + kTrailerBytes) return fail("its end is missing: it was cut off");
  TRY(file.read(file.size() - kTrailerBytes, kTrailerBytes, trailer));
  if (!trailer.ends_with(kEndMagic)) return fail("its end is missing: it was cut off, or something was appended to it");
  const std::uint64_t offset = little_endian(trailer);
  if (offset < first_chunk || offset > file.size() - kFooterHeaderBytes - kTrailerBytes)
    return fail("its footer is damaged");
  std::string footer;
  TRY(file.read(offset, file.size() - offset, footer));
  return footer;
}

}  // namespace

Result<ParsedHeader> read_header(const InputFile& file) {
  std::string beginning;
  TRY(file.read(0, kMaxHeaderBytes, beginning));
  if (beginning.empty() || !std::string_view(beginning).starts_with(kFileMagic.substr(0, beginning.size())))
    return fail(describe_foreign_trace(recognise(beginning)), {file.path()});
  auto header = parse_header(beginning);
  if (!header) return fail(header.error().message, {file.path()});
  return header;
}

Result<Footer> read_footer(const InputFile& file, std::uint64_t first_chunk) {
  const std::string bytes = TRY(read_footer_bytes(file, first_chunk));
  Footer footer = TRY(parse_footer(bytes, first_chunk));
  std::uint64_t end = first_chunk;
  for (const ChunkIndexEntry& chunk : footer.chunks) {
    if (chunk.offset != end || chunk.bytes > file.size()) return fail("its index is damaged");
    end += chunk.bytes;
  }
  if (end != file.size() - bytes.size()) return fail("its index does not fit its chunks");
  return footer;
}

ChunkLoader::ChunkLoader() : zstd_(ZSTD_createDCtx()) {}

void ChunkLoader::FreeContext::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

Result<ChunkHeader> ChunkLoader::check(const InputFile& file, std::uint64_t offset) {
  TRY(file.read(offset, kChunkHeaderBytes, raw_));
  const ChunkHeader header = TRY(parse_chunk_header(raw_));
  TRY(file.read(offset, kChunkHeaderBytes + header.compressed, raw_));
  if (raw_.size() < kChunkHeaderBytes + header.compressed) return fail("it ends inside a chunk");
  if (!chunk_is_sound(raw_, header)) return fail("its checksum differs");
  return header;
}

Result<ChunkHeader> ChunkLoader::load(const InputFile& file, std::uint64_t offset) {
  const ChunkHeader header = TRY(check(file, offset));
  padded_.assign(header.uncompressed + ChunkDecoder::kPadding, '\0');
  const std::size_t size = ZSTD_decompressDCtx(zstd_.get(), padded_.data(), header.uncompressed,
                                               raw_.data() + kChunkHeaderBytes, header.compressed);
  if (ZSTD_isError(size) || size != header.uncompressed) return fail("it cannot be decompressed");
  return header;
}

std::string SoundPart::text() const {
  if (chunks == 0) return "no chunk of it is good";
  return fmt::format("the first {} ({} references) {} good", counted(static_cast<long long>(chunks), "chunk"),
                     with_commas(static_cast<long long>(references)), chunks == 1 ? "is" : "are");
}

SoundPart scan_sound_part(const InputFile& file, std::uint64_t first_chunk) {
  ChunkLoader loader;
  SoundPart part{.end = first_chunk};
  while (true) {
    const auto header = loader.check(file, part.end);
    if (!header) return part;
    ++part.chunks;
    part.references += header->references;
    part.end += kChunkHeaderBytes + header->compressed;
  }
}

}  // namespace tollgate::trace
