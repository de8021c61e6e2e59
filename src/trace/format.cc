#include "trace/format.h"

#include <fmt/core.h>

#include <algorithm>
#include <concepts>

#include "base/digest.h"
#include "trace/varint.h"

namespace tollgate::trace {
namespace {

constexpr std::size_t kMaxArchitectureBytes = 32;
constexpr std::size_t kMaxOriginBytes = 65535;

template <std::unsigned_integral T>
void put(std::string& out, T number) {
  for (std::size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<char>(number >> (8 * i)));
}

template <std::unsigned_integral T>
T get(std::string_view bytes, std::size_t offset) {
  T number = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    number = static_cast<T>(number | static_cast<T>(static_cast<std::uint8_t>(bytes[offset + i])) << (8 * i));
  return number;
}

Result<TraceHeader> parse_header_fields(std::string_view fields, TraceHeader header) {
  const auto short_header = [] { return fail("the header is shorter than its fields"); };
  if (fields.size() < 3) return short_header();
  header.page_shift = get<std::uint8_t>(fields, 0);
  header.kernel = get<std::uint8_t>(fields, 1) & 1 ? KernelReferences::included : KernelReferences::none;
  const std::size_t architecture = get<std::uint8_t>(fields, 2);
  if (fields.size() < 5 + architecture) return short_header();
  header.architecture = fields.substr(3, architecture);
  const std::size_t origin = get<std::uint16_t>(fields, 3 + architecture);
  if (fields.size() < 5 + architecture + origin) return short_header();
  header.origin = fields.substr(5 + architecture, origin);
  if (header.page_shift != kPageShift)
    return fail(fmt::format("the trace counts in pages of 2^{} bytes; this program reads 4096-byte pages only",
                            header.page_shift));
  return header;
}

void put_totals(std::string& out, const TraceTotals& totals) {
  for (const ModeTotals& mode : totals.modes)
    for (std::uint64_t number : {mode.instructions, mode.reads, mode.writes, mode.fetch_runs, mode.data_runs})
      put_varint(out, number);
  for (std::uint64_t number : {totals.fetch_pages, totals.data_pages, totals.pages}) put_varint(out, number);
  put_varint(out, static_cast<std::uint64_t>(std::ranges::count_if(totals.events, [](auto n) { return n > 0; })));
  for (std::size_t i = 0; i < totals.events.size(); ++i) {
    if (totals.events[i] == 0) continue;
    put_varint(out, kFirstEvent + i);
    put_varint(out, totals.events[i]);
  }
  put_varint(out, totals.streams.size());
  for (std::uint16_t stream : totals.streams) put_varint(out, stream);
}

TraceTotals get_totals(VarintCursor& cursor) {
  TraceTotals totals;
  for (ModeTotals& mode : totals.modes)
    for (std::uint64_t* number : {&mode.instructions, &mode.reads, &mode.writes, &mode.fetch_runs, &mode.data_runs})
      *number = cursor.next();
  for (std::uint64_t* number : {&totals.fetch_pages, &totals.data_pages, &totals.pages}) *number = cursor.next();
  for (std::uint64_t kinds = cursor.next(); kinds > 0 && cursor.more(); --kinds) {
    const std::uint64_t kind = cursor.next() - kFirstEvent;
    (kind < kEventKinds ? totals.events[kind] : totals.unknown_events) += cursor.next();
  }
  for (std::uint64_t streams = cursor.more() ? cursor.next() : 0; streams > 0 && cursor.more(); --streams)
    totals.streams.push_back(static_cast<std::uint16_t>(cursor.next()));
  return totals;
}

std::vector<ChunkIndexEntry> get_index(VarintCursor& cursor, std::uint64_t offset) {
  std::vector<ChunkIndexEntry> chunks;
  for (std::uint64_t count = cursor.more() ? cursor.next() : 0; count > 0 && cursor.more(); --count) {
    ChunkIndexEntry chunk;
    chunk.stream = static_cast<std::uint16_t>(cursor.next());
    chunk.offset = offset;
    chunk.bytes = cursor.next();
    chunk.records = cursor.next();
    chunk.references = cursor.next();
    offset += chunk.bytes;
    chunks.push_back(chunk);
  }
  return chunks;
}

}  // namespace

Result<std::string> pack_header(const TraceHeader& header) {
  if (header.page_shift != kPageShift)
    return fail(fmt::format("a trace counts in 4096-byte pages, not in pages of 2^{} bytes", header.page_shift));
  if (header.architecture.empty() || header.architecture.size() > kMaxArchitectureBytes)
    return fail(fmt::format("an architecture is named by 1 to {} bytes", kMaxArchitectureBytes));
  if (header.origin.size() > kMaxOriginBytes)
    return fail(fmt::format("the origin of a trace is at most {} bytes of text", kMaxOriginBytes));
  std::string fields;
  put(fields, header.page_shift);
  put(fields, static_cast<std::uint8_t>(header.kernel));
  put(fields, static_cast<std::uint8_t>(header.architecture.size()));
  fields += header.architecture;
  put(fields, static_cast<std::uint16_t>(header.origin.size()));
  fields += header.origin;
  std::string summed;
  put(summed, static_cast<std::uint32_t>(fields.size()));
  put(summed, header.major);
  put(summed, header.minor);
  summed += fields;
  std::string out(kFileMagic);
  put(out, checksum64(summed));
  return out + summed;
}

Result<ParsedHeader> parse_header(std::string_view bytes) {
  if (bytes.substr(0, kFileMagic.size()) != kFileMagic.substr(0, bytes.size())) return fail("not a Tollgate trace");
  if (bytes.size() < kFixedHeaderBytes) return fail("truncated inside the header: nothing in it is usable");
  TraceHeader header;
  header.major = get<std::uint16_t>(bytes, 20);
  header.minor = get<std::uint16_t>(bytes, 22);
  const std::uint64_t length = kFixedHeaderBytes + std::uint64_t{get<std::uint32_t>(bytes, 16)};
  if (length > kMaxHeaderBytes) return fail("damaged header: nothing in it is usable");
  if (bytes.size() < length) return fail("truncated inside the header: nothing in it is usable");
  if (get<std::uint64_t>(bytes, 8) != checksum64(bytes.substr(16, length - 16)))
    return fail("damaged header: its checksum differs, nothing in it is usable");
  if (header.major != kMajor)
    return fail(fmt::format("the trace has format version {}.{}; this program reads version {}: use a newer Tollgate",
                            header.major, header.minor, kMajor));
  header = TRY(parse_header_fields(bytes.substr(kFixedHeaderBytes, length - kFixedHeaderBytes), header));
  return ParsedHeader{header, static_cast<std::size_t>(length)};
}

std::string pack_chunk(ChunkHeader header, std::string_view payload) {
  std::string summed;
  summed.reserve(kChunkHeaderBytes + payload.size());
  put(summed, static_cast<std::uint32_t>(payload.size()));
  put(summed, header.uncompressed);
  put(summed, header.records);
  put(summed, header.references);
  put(summed, header.stream);
  put(summed, std::uint16_t{0});
  summed += payload;
  std::string out;
  out.reserve(kChunkHeaderBytes + payload.size());
  out += kChunkMagic;
  put(out, checksum64(summed));
  return out += summed;
}

Result<ChunkHeader> parse_chunk_header(std::string_view bytes) {
  if (bytes.size() < kChunkHeaderBytes) return fail("it ends inside a chunk's header");
  if (!bytes.starts_with(kChunkMagic)) return fail("no chunk begins where one should");
  ChunkHeader header;
  header.checksum = get<std::uint64_t>(bytes, 4);
  header.compressed = get<std::uint32_t>(bytes, 12);
  header.uncompressed = get<std::uint32_t>(bytes, 16);
  header.records = get<std::uint32_t>(bytes, 20);
  header.references = get<std::uint64_t>(bytes, 24);
  header.stream = get<std::uint16_t>(bytes, 32);
  if (header.compressed > kMaxChunkBytes || header.uncompressed > kMaxChunkBytes)
    return fail("a chunk's header is damaged: its size is out of bounds");
  return header;
}

bool chunk_is_sound(std::string_view chunk, const ChunkHeader& header) {
  return chunk.size() == kChunkHeaderBytes + header.compressed && checksum64(chunk.substr(12)) == header.checksum;
}

std::string pack_footer(const Footer& footer, std::uint64_t offset) {
  std::string fields;
  put_totals(fields, footer.totals);
  put_varint(fields, footer.chunks.size());
  for (const ChunkIndexEntry& chunk : footer.chunks)
    for (std::uint64_t number : {std::uint64_t{chunk.stream}, chunk.bytes, chunk.records, chunk.references})
      put_varint(fields, number);
  std::string summed;
  put(summed, static_cast<std::uint32_t>(fields.size()));
  summed += fields;
  std::string out(kFooterMagic);
  put(out, checksum64(summed));
  out += summed;
  put(out, offset);
  out += kEndMagic;
  return out;
}

Result<Footer> parse_footer(std::string_view bytes, std::uint64_t first_chunk) {
  const auto damaged = [] { return fail("its footer is damaged"); };
  if (bytes.size() < kFooterHeaderBytes + kTrailerBytes || !bytes.starts_with(kFooterMagic)) return damaged();
  const std::string_view summed = bytes.substr(12, bytes.size() - 12 - kTrailerBytes);
  if (get<std::uint32_t>(summed, 0) != summed.size() - 4 || get<std::uint64_t>(bytes, 4) != checksum64(summed))
    return damaged();
  std::string padded(summed.substr(4));
  const std::size_t length = padded.size();
  padded.append(std::size_t{32} * kMaxVarintBytes, '\0');
  const auto* begin = reinterpret_cast<const std::uint8_t*>(padded.data());
  VarintCursor cursor{begin, begin + length};
  Footer footer;
  footer.totals = get_totals(cursor);
  if (cursor.bad()) return damaged();
  footer.chunks = get_index(cursor, first_chunk);
  if (cursor.bad()) return damaged();
  return footer;
}

}  // namespace tollgate::trace
