// The format as it is on disk: a file of the first version, and files built by hand as other writers might.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include "trace/examine.h"
#include "trace/format.h"
#include "trace/input_file.h"
#include "trace/reader.h"
#include "trace/test_references.h"
#include "trace/writer.h"

namespace tollgate::trace {
namespace {

using testing::HasSubstr;

const char* const kFixture = TOLLGATE_SOURCE_DIR "/tests/data/trace-v1.0.tgt";

TraceHeader fixture_header() {
  return {.kernel = KernelReferences::included, .architecture = "aarch64", .origin = "fixture of version 1.0"};
}

/// What the fixture holds: both streams, both modes, every kind, counts of every length.
std::vector<Record> fixture_records() {
  std::vector<Record> out;
  for (std::uint16_t stream = 0; stream < 2; ++stream) {
    out.push_back({.page = 0x400u + stream, .instructions = 3, .stream = stream, .kind = Kind::fetch});
    out.push_back({.page = 0x7ffff, .reads = 1, .stream = stream, .kind = Kind::data});
    out.push_back({.page = 0x600, .reads = 15, .writes = 16, .stream = stream, .kind = Kind::data});
    for (const EventKindInfo& event : kEventKindInfo)
      out.push_back({.page = 7u * stream, .value = 300u * stream, .stream = stream, .kind = event.kind});
    out.push_back(
        {.page = kMaxPage, .instructions = 60'000, .stream = stream, .kind = Kind::fetch, .mode = Mode::kernel});
    out.push_back({.page = kMaxPage - 1,
                   .reads = 0xffffffff,
                   .writes = 1,
                   .stream = stream,
                   .kind = Kind::data,
                   .mode = Mode::kernel});
  }
  return out;
}

std::vector<Record> all_records(TraceReader& reader) {
  std::vector<Record> out;
  Record record;
  while (reader.next(record).value_or(false)) out.push_back(record);
  return out;
}

TEST(TraceFormat, AFileOfTheFirstVersionReadsAsItDid) {
  auto reader = TraceReader::open(kFixture);
  ASSERT_TRUE(reader) << reader.error().text();
  EXPECT_EQ(reader->header().architecture, "aarch64");
  EXPECT_EQ(reader->header().origin, "fixture of version 1.0");
  EXPECT_EQ(reader->header().kernel, KernelReferences::included);
  EXPECT_EQ(all_records(*reader), fixture_records());
  const TraceTotals& totals = reader->totals();
  EXPECT_EQ(totals.modes[0], (ModeTotals{6, 32, 32, 2, 4}));
  EXPECT_EQ(totals.modes[1], (ModeTotals{120'000, 2 * std::uint64_t{0xffffffff}, 2, 2, 2}));
  EXPECT_EQ(totals.events_total(), 2u * kEventKinds);
  EXPECT_EQ(totals.fetch_pages, 3u);
  EXPECT_EQ(totals.data_pages, 3u);
  EXPECT_EQ(totals.pages, 6u);
}

TEST(TraceFormat, TheWriterStillWritesTheFirstVersionsBytes) {
  const TemporaryFolder folder;
  auto writer = TraceWriter::create(folder.file("a.tgt"), fixture_header());
  for (const Record& record : fixture_records()) writer->add(record);
  ASSERT_TRUE(writer->finish());
  // The compressed bytes depend on zstd's version, so only what is around them is compared.
  const std::string ours = content_of(folder.file("a.tgt")), fixture = content_of(kFixture);
  const std::size_t header = pack_header(fixture_header())->size();
  EXPECT_EQ(ours.substr(0, header), fixture.substr(0, header));
  EXPECT_EQ(ours.substr(header, 4), "CHNK");
  EXPECT_EQ(ours.substr(header + 16, 20), fixture.substr(header + 16, 20)) << "lengths, counts and stream of a chunk";
}

TEST(TraceFormat, HeaderAndFooterHaveTheBytesOfTheirPage) {
  using namespace std::string_view_literals;
  const std::string header = *pack_header({.architecture = "x86_64", .origin = "hi"});
  EXPECT_EQ(header.substr(0, 8), "\x89TGT\r\n\x1a\n");
  EXPECT_EQ(header.substr(16), "\x0d\0\0\0\x01\0\0\0\x0c\0\x06x86_64\x02\0hi"sv);
  Footer footer;
  footer.totals.modes[0] = {300, 2, 1, 4, 5};
  footer.totals.fetch_pages = 6;
  footer.totals.data_pages = 7;
  footer.totals.pages = 8;
  footer.totals.events[0] = 9;
  footer.totals.streams = {3};
  footer.chunks = {{3, 33, 100, 10, 303}};
  const std::string packed = pack_footer(footer, 0x1234);
  EXPECT_EQ(packed.substr(0, 4), "FOOT");
  EXPECT_EQ(packed.substr(12),
            "\x19\0\0\0\xac\x02\x02\x01\x04\x05\0\0\0\0\0\x06\x07\x08\x01\x10\x09\x01\x03\x01\x03\x64\x0a\xaf\x02"
            "\x34\x12\0\0\0\0\0\0TGTend\r\n"sv);
}

/// A file of one chunk with this payload, however senseless.
std::string hand_built(const std::string& payload, std::uint32_t records, std::uint64_t references,
                       std::uint16_t minor = 0) {
  TraceHeader header;
  header.minor = minor;
  std::string file = *pack_header(header);
  std::string compressed(ZSTD_compressBound(payload.size()), '\0');
  compressed.resize(ZSTD_compress(compressed.data(), compressed.size(), payload.data(), payload.size(), 1));
  ChunkHeader chunk;
  chunk.uncompressed = static_cast<std::uint32_t>(payload.size());
  chunk.records = records;
  chunk.references = references;
  const std::string packed = pack_chunk(chunk, compressed);
  Footer footer;
  footer.chunks = {{0, file.size(), packed.size(), records, references}};
  file += packed;
  return file + pack_footer(footer, file.size());
}

std::string error_of(const std::string& file) {
  auto reader = TraceReader::open_input(InputFile::of_bytes(file, "x"));
  if (!reader) return reader.error().text();
  const auto batch = reader->next_batch();
  return batch ? "it was read" : batch.error().text();
}

const std::string kOneFetch = {1, 2, 5};  // 5 instructions on page 1

TEST(TraceFormat, AChunkThatIsNotWhatItSaysIsDamage) {
  EXPECT_EQ(error_of(hand_built(kOneFetch, 1, 5)), "it was read");
  EXPECT_THAT(error_of(hand_built(kOneFetch, 2, 5)), HasSubstr("it holds other records than it says"));
  EXPECT_THAT(error_of(hand_built(kOneFetch, 1, 6)), HasSubstr("it holds other records than it says"));
  EXPECT_THAT(error_of(hand_built(kOneFetch + '\x03', 1, 5)), HasSubstr("its records make no sense"));
}

TEST(TraceFormat, ANewerMinorVersionsEventsAreSkippedAndCounted) {
  const std::string payload = kOneFetch + std::string{2, 100, 1, 9} + std::string{2, 16, 1, 39};
  auto reader = TraceReader::open_input(InputFile::of_bytes(hand_built(payload, 3, 5, 1), "x"));
  ASSERT_TRUE(reader);
  const auto records = all_records(*reader);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[1].kind, Kind::syscall);
  EXPECT_EQ(reader->unknown_events(), 1u);
  EXPECT_THAT(error_of(hand_built(payload, 3, 5, 0)), HasSubstr("its records make no sense"));
}

TEST(TraceFormat, TotalsThatAreNotThoseOfTheChunksAreDamageAndAreCountedAgain) {
  const TemporaryFolder folder;
  const auto found = examine(folder.file("a.tgt", hand_built(kOneFetch, 1, 5)));
  ASSERT_TRUE(found);
  ASSERT_TRUE(found->damage);
  EXPECT_THAT(found->damage->message, HasSubstr("its totals are not those of its chunks"));
  EXPECT_EQ(found->totals.references(), 5u);
}

TEST(TraceFormat, AnIndexThatDoesNotFitItsChunksIsDamage) {
  std::string file = *pack_header({});
  const std::size_t first = file.size();
  Footer footer;
  footer.chunks = {{0, first, 1, 1, 1}};
  file += pack_footer(footer, first);
  EXPECT_THAT(error_of(file), HasSubstr("its index does not fit its chunks; no chunk of it is good"));
}

}  // namespace
}  // namespace tollgate::trace
