// The byte layout of a trace file: docs/formats/trace.md is the reference, this is its code. Header, chunk headers, footer
// and trailer are packed and parsed here; the records inside a chunk are chunk_encoder.h's and chunk_decoder.h's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/header.h"

namespace tollgate::trace {

inline constexpr std::string_view kFileMagic{"\x89TGT\r\n\x1a\n", 8};
inline constexpr std::string_view kChunkMagic = "CHNK";
inline constexpr std::string_view kFooterMagic = "FOOT";
inline constexpr std::string_view kEndMagic{"TGTend\r\n", 8};
inline constexpr std::uint16_t kMajor = 1;
inline constexpr std::uint16_t kMinor = 0;
inline constexpr std::uint8_t kPageShift = 12;
inline constexpr std::size_t kFixedHeaderBytes = 24;  // magic, checksum, length, major, minor
inline constexpr std::size_t kMaxHeaderBytes = 1 << 17;
inline constexpr std::size_t kChunkHeaderBytes = 36;
inline constexpr std::size_t kFooterHeaderBytes = 16;   // magic, checksum, length
inline constexpr std::size_t kTrailerBytes = 16;        // offset of the footer, end magic
inline constexpr std::size_t kChunkTarget = 1 << 20;    // a chunk is closed at this many bytes before compression
inline constexpr std::size_t kMaxChunkBytes = 1 << 24;  // more, before or after compression, is damage
inline constexpr std::uint64_t kMaxPage = (std::uint64_t{1} << 52) - 1;

struct ChunkHeader {
  std::uint64_t checksum = 0;
  std::uint32_t compressed = 0;
  std::uint32_t uncompressed = 0;
  std::uint32_t records = 0;
  std::uint64_t references = 0;
  std::uint16_t stream = 0;
};

struct ChunkIndexEntry {
  std::uint16_t stream = 0;
  std::uint64_t offset = 0;  // of the chunk header in the file; not stored, the sizes add up to it
  std::uint64_t bytes = 0;   // header and payload
  std::uint64_t records = 0;
  std::uint64_t references = 0;

  bool operator==(const ChunkIndexEntry&) const = default;
};

struct Footer {
  TraceTotals totals;
  std::vector<ChunkIndexEntry> chunks;
};

/// An error when the header cannot be written: a page shift other than 12, texts that are too long.
Result<std::string> pack_header(const TraceHeader& header);
struct ParsedHeader {
  TraceHeader header;
  std::size_t bytes = 0;  // the first chunk begins here
};
/// `bytes`: the beginning of the file, up to kMaxHeaderBytes of it.
Result<ParsedHeader> parse_header(std::string_view bytes);

/// A whole chunk: header with its checksum, then `payload`.
std::string pack_chunk(ChunkHeader header, std::string_view payload);
/// The fields of the first kChunkHeaderBytes of `bytes`; an error without the magic or with a size out of bounds.
Result<ChunkHeader> parse_chunk_header(std::string_view bytes);
/// Whether `chunk` (header and payload) has the checksum its header says.
bool chunk_is_sound(std::string_view chunk, const ChunkHeader& header);

/// Footer and trailer, for a footer that begins at `offset`.
std::string pack_footer(const Footer& footer, std::uint64_t offset);
/// `bytes`: from the footer's magic to the trailer. Offsets of chunks count from `first_chunk`.
Result<Footer> parse_footer(std::string_view bytes, std::uint64_t first_chunk);

}  // namespace tollgate::trace
