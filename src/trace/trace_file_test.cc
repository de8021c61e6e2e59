// Writer, reader and examination together: whole files, good, damaged and foreign.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>

#include "base/interrupt.h"
#include "trace/chunk_encoder.h"
#include "trace/examine.h"
#include "trace/format.h"
#include "trace/input_file.h"
#include "trace/reader.h"
#include "trace/test_references.h"
#include "trace/writer.h"

namespace tollgate::trace {
namespace {

using testing::Test;

TraceHeader test_header() { return {.architecture = "x86_64", .origin = "a test"}; }

TraceTotals write_records(const std::string& path, const std::vector<Record>& records) {
  auto writer = TraceWriter::create(path, test_header());
  for (const Record& record : records) writer->add(record);
  auto totals = writer->finish();
  EXPECT_TRUE(totals) << totals.error().text();
  return *totals;
}

/// Neighbouring runs of one side on one page, put together: the writer may split a run anywhere. Or an event.
struct Merged {
  Record what;  // without its counts
  std::array<std::uint64_t, 3> counts{};

  bool operator==(const Merged&) const = default;
};

/// Per stream and side, since a fetch run is written before the data runs of its instructions.
using Sides = std::map<std::pair<std::uint16_t, int>, std::vector<Merged>>;
void append(Sides& sides, const Record& record) {
  Record what = record;
  what.instructions = what.reads = what.writes = 0;
  if (record.is_event()) {
    for (int side : {0, 1}) sides[{record.stream, side}].push_back({what});
    return;
  }
  auto& side = sides[{record.stream, static_cast<int>(record.kind)}];
  if (side.empty() || side.back().what != what) side.push_back({what});
  auto& counts = side.back().counts;
  counts[0] += record.instructions;
  counts[1] += record.reads;
  counts[2] += record.writes;
}

RC_GTEST_PROP(TraceFile, WhatIsWrittenIsRead, ()) {
  const auto records = *any_records();
  const TemporaryFolder folder;
  const TraceTotals totals = write_records(folder.file("a.tgt"), records);
  Sides written, read;
  for (const Record& record : records) append(written, record);
  auto reader = TraceReader::open(folder.file("a.tgt"));
  RC_ASSERT(reader.has_value());
  RC_ASSERT(reader->totals() == totals);
  std::uint64_t count = 0;
  Record record;
  while (reader->next(record).value()) {
    append(read, record);
    ++count;
  }
  RC_ASSERT(count == totals.records());
  RC_ASSERT(written == read);
}

class TraceFiles : public Test {
 protected:
  /// Some 60,000 runs a stream: several chunks each.
  std::string many_chunks(const std::string& name) {
    auto writer = TraceWriter::create(folder_.file(name), test_header());
    for (std::uint64_t i = 0; i < 1'500'000; ++i) {
      writer->select_stream(static_cast<std::uint16_t>(i / 1000 % 2));
      writer->add_fetch(i % 7, 3, Mode::user);
      writer->add_data(i * i % 1009, 1, i & 1, i % 11 == 0 ? Mode::kernel : Mode::user);
      if (i % 1000 == 0) writer->add_event(Kind::syscall, i % 300);
    }
    EXPECT_TRUE(writer->finish());
    return folder_.file(name);
  }

  std::string small(const std::string& name) {
    write_records(folder_.file(name), {{.page = 1, .instructions = 5, .kind = Kind::fetch},
                                       {.page = 2, .reads = 1, .kind = Kind::data},
                                       {.page = 60, .kind = Kind::syscall}});
    return folder_.file(name);
  }

  static std::string open_error(const std::string& path) {
    const auto reader = TraceReader::open(path);
    return reader ? "it opened" : reader.error().text();
  }

  static std::uint64_t sum_references(TraceReader& reader) {
    std::uint64_t sum = 0;
    while (true) {
      const auto batch = reader.next_batch();
      if (!batch || batch->empty()) return batch ? sum : 0;
      for (const Record& record : *batch) sum += std::uint64_t{record.instructions} + record.reads + record.writes;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(TraceFiles, ManyChunksAndStreamsComeBackInOrder) {
  auto reader = TraceReader::open(many_chunks("a.tgt"));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->totals().streams, (std::vector<std::uint16_t>{0, 1}));
  EXPECT_EQ(sum_references(*reader), reader->totals().references());
  reader->rewind();
  EXPECT_EQ(sum_references(*reader), reader->totals().references());
  EXPECT_EQ(reader->totals().instructions(), 4'500'000u);
  EXPECT_EQ(reader->totals().events[0], 1500u);
  EXPECT_EQ(reader->totals().fetch_pages, 7u);
}

TEST_F(TraceFiles, OneStreamIsReadAlone) {
  const std::string path = many_chunks("a.tgt");
  std::uint64_t sum = 0;
  for (const std::uint16_t stream : {std::uint16_t{0}, std::uint16_t{1}}) {
    auto reader = TraceReader::open_stream(path, stream);
    ASSERT_TRUE(reader);
    Record record;
    while (*reader->next(record)) {
      ASSERT_EQ(record.stream, stream);
      sum += std::uint64_t{record.instructions} + record.reads + record.writes;
    }
  }
  EXPECT_EQ(sum, TraceReader::open(path)->totals().references());
  const auto missing = TraceReader::open_stream(path, 2);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().text(), path + ": the trace has no stream 2; its streams are 0, 1");
}

TEST_F(TraceFiles, ATraceWithoutRecordsIsATrace) {
  EXPECT_EQ(write_records(folder_.file("a.tgt"), {}), TraceTotals{});
  auto reader = TraceReader::open(folder_.file("a.tgt"));
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->next_batch()->empty());
  Record record;
  EXPECT_FALSE(*reader->next(record));
}

TEST_F(TraceFiles, EveryCutIsNoticedAndNamed) {
  const std::string whole = content_of(small("whole.tgt"));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string cut = folder_.file("cut.tgt", whole.substr(0, length));
    const std::string error = open_error(cut);
    ASSERT_NE(error, "it opened") << length;
    ASSERT_TRUE(error.find("good") != std::string::npos || error.find("nothing in it is usable") != std::string::npos ||
                error.find("is an empty file") != std::string::npos)
        << length << ": " << error;
  }
}

TEST_F(TraceFiles, EveryFlippedBitIsNoticed) {
  const std::string whole = content_of(small("whole.tgt"));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    auto reader = TraceReader::open_input(InputFile::of_bytes(damaged, "x"));
    ASSERT_TRUE(!reader || !reader->next_batch()) << "bit " << bit;
  }
}

TEST_F(TraceFiles, ATruncatedTraceSaysHowMuchIsGood) {
  const std::string whole = content_of(many_chunks("a.tgt"));
  const auto found = examine(folder_.file("a.tgt"));
  ASSERT_TRUE(found && !found->damage);
  ASSERT_GE(found->chunks, 4u);
  const std::string cut = folder_.file("cut.tgt", whole.substr(0, whole.size() * 2 / 3));
  EXPECT_THAT(open_error(cut), testing::MatchesRegex(".*cut.tgt: the trace is not complete: its end is missing: it was "
                                                     "cut off.*; the first [2-9] chunks \\([0-9,]+ references\\) are "
                                                     "good"));
  const auto rest = examine(cut);
  ASSERT_TRUE(rest && rest->damage);
  EXPECT_GT(rest->totals.references(), 0u);
  EXPECT_LT(rest->totals.references(), found->totals.references());
  EXPECT_EQ(rest->streams.at(0).references + rest->streams.at(1).references, rest->totals.references());
}

TEST_F(TraceFiles, ADamagedChunkIsNamedAndNothingOfItIsHandedOut) {
  std::string bytes = content_of(many_chunks("a.tgt"));
  const auto whole = examine(folder_.file("a.tgt"));
  bytes[bytes.size() / 2] ^= 1;
  const std::string path = folder_.file("bad.tgt", bytes);
  auto reader = TraceReader::open(path);
  ASSERT_TRUE(reader) << "header and index are whole";
  std::uint64_t handed_out = 0;
  auto batch = reader->next_batch();
  for (; batch && !batch->empty(); batch = reader->next_batch())
    for (const Record& record : *batch) handed_out += std::uint64_t{record.instructions} + record.reads + record.writes;
  ASSERT_FALSE(batch);
  const auto found = examine(path);
  ASSERT_TRUE(found && found->damage);
  EXPECT_EQ(handed_out, found->totals.references());
  EXPECT_THAT(batch.error().text(),
              testing::MatchesRegex(".*bad.tgt: chunk [0-9] of [0-9] \\(at byte [0-9]+\\) is damaged: "
                                    "its checksum differs; the first [0-9] chunk.* good"));
  EXPECT_THAT(found->damage->text(), testing::HasSubstr("its checksum differs; the first"));
}

TEST_F(TraceFiles, SomethingAppendedIsNoticed) {
  const std::string path = folder_.file("b.tgt", content_of(small("a.tgt")) + "more");
  EXPECT_THAT(open_error(path),
              testing::HasSubstr("or something was appended to it; the first 1 chunk (6 references) is good"));
}

TEST_F(TraceFiles, ForeignFilesAreNamed) {
  const auto error = [&](std::string_view content) {
    return open_error(folder_.file("x", content)).substr(folder_.file("x").size() + 2);
  };
  EXPECT_EQ(error(""), "is an empty file, not a Tollgate trace");
  EXPECT_EQ(error(std::string_view("\x1f\x8b\x08\x00", 4)),
            "is a gzip file, not a Tollgate trace; make one of what it holds with: tollgate trace import FILE -o OUT");
  EXPECT_EQ(error("\x28\xb5\x2f\xfd..."),
            "is a zstd file, not a Tollgate trace; make one of what it holds with: tollgate trace import FILE -o OUT");
  EXPECT_EQ(error(std::string_view("\xfd"
                                   "7zXZ\0..",
                                   8)),
            "is an xz file, not a Tollgate trace; make one of what it holds with: tollgate trace import FILE -o OUT");
  EXPECT_EQ(error("I  0401ab70,3\n"),
            "is lackey text, not a Tollgate trace; make one of it with: tollgate trace import FILE -o OUT");
  EXPECT_EQ(error("hello\n"), "is text of a kind we do not know, not a Tollgate trace");
  EXPECT_EQ(error(std::string_view("\0\1\2", 3)), "is a binary file of a kind we do not know, not a Tollgate trace");
  EXPECT_THAT(open_error(folder_.file("missing")),
              testing::EndsWith("missing: cannot open: No such file or directory"));
  EXPECT_THAT(open_error(folder_.file("")), testing::EndsWith("is a directory; a trace is one file"));
  EXPECT_THAT(open_error("/dev/null"), testing::HasSubstr("is no regular file"));
}

TEST_F(TraceFiles, AnotherMajorVersionCannotBeReadAndANewerMinorCan) {
  TraceHeader header = test_header();
  header.major = 2;
  EXPECT_THAT(open_error(folder_.file("x", *pack_header(header))),
              testing::HasSubstr("format version 2.0; this program reads version 1"));
  header = test_header();
  header.minor = 3;
  std::string bytes = *pack_header(header);
  const std::size_t first = bytes.size();
  bytes += pack_footer({}, first);
  EXPECT_EQ(open_error(folder_.file("x", bytes)), "it opened");
}

TEST_F(TraceFiles, AnotherArchitectureIsRefusedByWhoNeedsThisOne) {
  TraceHeader header = test_header();
  EXPECT_TRUE(require_architecture(header, "x86_64", "a.tgt"));
  header.architecture = "aarch64";
  const auto refused = require_architecture(header, "x86_64", "a.tgt");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(),
              testing::HasSubstr("a.tgt: the trace was recorded on aarch64, and x86_64 is needed"));
}

TEST_F(TraceFiles, OtherPageSizesAreRefusedByBothSides) {
  TraceHeader header = test_header();
  header.page_shift = 14;
  EXPECT_FALSE(TraceWriter::create(folder_.file("a.tgt"), header));
  EXPECT_EQ(files_in(folder_), 0u);
}

TEST_F(TraceFiles, NothingStandsUnderTheNameBeforeTheEnd) {
  {
    auto writer = TraceWriter::create(folder_.file("a.tgt"), test_header());
    ASSERT_TRUE(writer);
    writer->add_fetch(1, 1, Mode::user);
    EXPECT_FALSE(std::filesystem::exists(folder_.file("a.tgt")));
    EXPECT_EQ(files_in(folder_), 1u) << "the temporary file";
  }
  EXPECT_EQ(files_in(folder_), 0u) << "a writer that goes away takes its temporary file along";
}

TEST_F(TraceFiles, AnOldTraceIsReplacedWholeOrNotAtAll) {
  const std::string path = folder_.file("a.tgt", "old");
  {
    ASSERT_TRUE(TraceWriter::create(path, test_header()));
  }
  EXPECT_EQ(content_of(path), "old");
  write_records(path, {{.page = 1, .instructions = 1, .kind = Kind::fetch}});
  EXPECT_EQ(open_error(path), "it opened");
}

TEST_F(TraceFiles, AFullDiskIsAnError) {
  auto writer = TraceWriter::create("/dev/full", test_header());
  ASSERT_FALSE(writer);
  EXPECT_THAT(writer.error().text(), testing::HasSubstr("No space left on device"));
}

TEST_F(TraceFiles, UnwritablePlacesAreErrors) {
  EXPECT_THAT(TraceWriter::create(folder_.file("no/such/a.tgt"), test_header()).error().text(),
              testing::HasSubstr("No such file or directory"));
  EXPECT_THAT(TraceWriter::create(folder_.file(""), test_header()).error().text(),
              testing::HasSubstr("is a directory"));
  EXPECT_FALSE(TraceWriter::create("", test_header()));
}

TEST_F(TraceFiles, APageNumberOf53BitsIsAnErrorOfTheWriter) {
  auto writer = TraceWriter::create(folder_.file("a.tgt"), test_header());
  writer->add_fetch(kMaxPage + 1, 1, Mode::user);
  writer->add_fetch(1, 1, Mode::user);
  ASSERT_NE(writer->problem(), nullptr);
  const auto finished = writer->finish();
  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().text(), testing::HasSubstr("more than 52 bits"));
}

TEST_F(TraceFiles, HeaderTextsHaveBounds) {
  TraceHeader header = test_header();
  header.origin.assign(65536, 'x');
  EXPECT_FALSE(pack_header(header));
  header = test_header();
  header.architecture = "";
  EXPECT_FALSE(pack_header(header));
}

TEST_F(TraceFiles, EveryRecordedTraceInTheTreeIsWhole) {
  std::size_t traces = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TOLLGATE_SOURCE_DIR "/workloads/recordings")) {
    if (entry.path().extension() != ".tgt") continue;
    const auto found = examine(entry.path());
    ASSERT_TRUE(found && !found->damage) << entry.path();
    auto reader = TraceReader::open(entry.path());
    EXPECT_EQ(sum_references(*reader), reader->totals().references()) << entry.path();
    EXPECT_LT(found->chunk_bytes, found->totals.references() / 10) << "a tenth of a byte a reference";
    ++traces;
  }
  EXPECT_GT(traces, 0u);
}

}  // namespace
}  // namespace tollgate::trace
