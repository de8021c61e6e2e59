// DynamoRIO's drmemtrace to a trace and back: what its records mean, packed and not, and every way a file can be wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zstd.h>

#include <fmt/core.h>

#include "trace/drmemtrace.h"
#include "trace/drmemtrace_export.h"
#include "trace/import.h"
#include "trace/reader.h"
#include "trace/test_references.h"
#include "trace/writer.h"

namespace tollgate::trace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace dr = drmemtrace;

std::string entry(unsigned type, unsigned size, std::uint64_t address) {
  std::string bytes;
  for (int i = 0; i < 2; ++i) bytes += static_cast<char>(type >> (8 * i));
  for (int i = 0; i < 2; ++i) bytes += static_cast<char>(size >> (8 * i));
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(address >> (8 * i));
  return bytes;
}
std::string beginning(std::uint64_t file_type = dr::kX86_64, std::uint64_t thread = 77) {
  return entry(dr::kHeader, 0, 3) + entry(dr::kMarker, dr::kVersion, 3) + entry(dr::kMarker, dr::kFileType, file_type) +
         entry(dr::kThread, 4, thread) + entry(dr::kProcess, 4, 5);
}
const std::string kEnd = entry(dr::kThreadExit, 4, 77) + entry(dr::kFooter, 0, 0);

class Drmemtrace : public testing::Test {
 protected:
  std::vector<Record> records_of(const std::string& path) {
    report_ = import_trace(path, folder_.file("out.tgt"), {});
    EXPECT_TRUE(report_) << report_.error().text();
    return report_ ? read_back() : std::vector<Record>();
  }
  std::vector<Record> read_back() {
    auto reader = TraceReader::open(folder_.file("out.tgt"));
    std::vector<Record> out;
    Record record;
    while (reader->next(record).value_or(false)) out.push_back(record);
    return out;
  }
  std::string error_of(const std::string& bytes) {
    const auto report = import_trace(folder_.file("in", bytes), folder_.file("out.tgt"), {});
    return report ? "it was imported" : report.error().text().substr(folder_.file("").size());
  }

  TemporaryFolder folder_;
  Result<ImportReport> report_ = ImportReport{};
};

TEST_F(Drmemtrace, EachKindOfRecordCountsAsWhatItIs) {
  const std::string bytes = beginning() + entry(dr::kEncoding, 3, 0x123456) + entry(dr::kInstruction, 3, 0x401000) +
                            entry(dr::kRead, 8, 0x601000) + entry(dr::kTakenJump, 2, 0x401003) +
                            entry(dr::kWrite, 8, 0x601ffc) + entry(dr::kFirstPrefetch, 8, 0x999000) +
                            entry(dr::kNoFetch, 3, 0x888000) + entry(dr::kMarker, dr::kSyscall, 39) +
                            entry(dr::kMarker, 3, 1) + entry(dr::kSysenter, 2, 0x402fff) + kEnd;
  EXPECT_THAT(
      records_of(folder_.file("in", bytes)),
      ElementsAre(Record{.page = 0x401, .instructions = 2, .kind = Kind::fetch},
                  Record{.page = 0x601, .reads = 1, .writes = 1, .kind = Kind::data},
                  Record{.page = 0x602, .writes = 1, .kind = Kind::data}, Record{.page = 39, .kind = Kind::syscall},
                  Record{.page = 1, .value = 4, .kind = Kind::marker},
                  Record{.page = 0x402, .instructions = 1, .kind = Kind::fetch},
                  Record{.page = 0x403, .instructions = 0, .kind = Kind::fetch}));
  EXPECT_THAT(report_->warnings,
              ElementsAre(HasSubstr("1 prefetches are left out"), HasSubstr("1 instructions are left out")));
}

TEST_F(Drmemtrace, ABundleIsInstructionsBehindTheLast) {
  const std::string bytes = beginning() + entry(dr::kInstruction, 4, 0x401ff8) + entry(dr::kBundle, 2, 0x0304) + kEnd;
  EXPECT_THAT(records_of(folder_.file("in", bytes)),
              ElementsAre(Record{.page = 0x401, .instructions = 2, .kind = Kind::fetch},
                          Record{.page = 0x402, .instructions = 1, .kind = Kind::fetch}));
}

TEST_F(Drmemtrace, TheKernelIsBetweenItsMarkersAndInItsHalf) {
  const std::string bytes = beginning() + entry(dr::kInstruction, 3, 0x401000) +
                            entry(dr::kMarker, dr::kSyscallTraceStart, 39) + entry(dr::kInstruction, 3, 0x402000) +
                            entry(dr::kRead, 8, 0x603000) + entry(dr::kMarker, dr::kSyscallTraceEnd, 39) +
                            entry(dr::kInstruction, 3, 0xffffffff81000000) + entry(dr::kInstruction, 3, 0x401003) +
                            kEnd;
  std::vector<Mode> modes;
  for (const Record& record : records_of(folder_.file("in", bytes)))
    if (!record.is_event()) modes.push_back(record.mode);
  EXPECT_THAT(modes, ElementsAre(Mode::user, Mode::kernel, Mode::kernel, Mode::kernel, Mode::user));
}

TEST_F(Drmemtrace, AStreamKeepsItsPlaceWhileTheFileIsWithAnother) {
  const std::string bytes = beginning() + entry(dr::kInstruction, 3, 0xffffffff81000ffd) +
                            entry(dr::kMarker, dr::kSecondValue + 2 * 9, 3) + entry(dr::kThread, 4, 78) +
                            entry(dr::kProcess, 4, 5) + entry(dr::kRead, 8, 0x603000) + entry(dr::kThread, 4, 77) +
                            entry(dr::kRead, 8, 0x604000) + entry(dr::kBundle, 1, 4) +
                            entry(dr::kMarker, dr::kFirstValue + 2 * 9, 0x604) + kEnd;
  EXPECT_THAT(records_of(folder_.file("in", bytes)),
              testing::UnorderedElementsAre(
                  Record{.page = 0xffffffff81000, .instructions = 1, .kind = Kind::fetch, .mode = Mode::kernel},
                  Record{.page = 0x603, .reads = 1, .stream = 1, .kind = Kind::data},
                  Record{.page = 0x604, .reads = 1, .kind = Kind::data, .mode = Mode::kernel},
                  Record{.page = 0xffffffff81001, .instructions = 1, .kind = Kind::fetch, .mode = Mode::kernel},
                  Record{.page = 0x604, .value = 3, .kind = Kind::flush}));
}

TEST_F(Drmemtrace, AThreadIsAStreamAndAFolderIsOneRecording) {
  TemporaryFolder folder;
  folder.file("a.trace", beginning(dr::kX86_64, 100) + entry(dr::kInstruction, 3, 0x401000) + kEnd);
  folder.file("b.trace", beginning(dr::kX86_64, 101) + entry(dr::kInstruction, 3, 0x402000) + kEnd);
  folder.file("cpu_schedule.bin", "something else");
  EXPECT_THAT(records_of(folder.file("")),
              ElementsAre(Record{.page = 0x401, .instructions = 1, .kind = Kind::fetch},
                          Record{.page = 0x402, .instructions = 1, .stream = 1, .kind = Kind::fetch}));
  EXPECT_THAT(report_->warnings, ElementsAre(HasSubstr("1 files of the folder hold no drmemtrace")));
}

TEST_F(Drmemtrace, AFileShardedByCoreIsOneStreamWhoseThreadsTakeTurns) {
  const std::string bytes = beginning(dr::kX86_64 | dr::kCoreSharded) + entry(dr::kInstruction, 3, 0x401000) +
                            entry(dr::kThread, 4, 78) + entry(dr::kProcess, 4, 6) +
                            entry(dr::kInstruction, 3, 0x401000) + kEnd;
  EXPECT_THAT(records_of(folder_.file("in", bytes)),
              ElementsAre(Record{.page = 77, .kind = Kind::context_switch},
                          Record{.page = 5, .value = 1, .kind = Kind::mm_switch},
                          Record{.page = 0x401, .instructions = 1, .kind = Kind::fetch},
                          Record{.page = 78, .kind = Kind::context_switch},
                          Record{.page = 6, .value = 1, .kind = Kind::mm_switch},
                          Record{.page = 0x401, .instructions = 1, .kind = Kind::fetch}));
}

TEST_F(Drmemtrace, PackingIsToldByContent) {
  const std::string plain = beginning() + entry(dr::kInstruction, 3, 0x401000) + kEnd;
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 1));
  EXPECT_EQ(records_of(folder_.file("misnamed.txt", packed)).size(), 1u);
}

TEST_F(Drmemtrace, EveryWayToBeWrongIsNamed) {
  const std::string good = beginning() + entry(dr::kInstruction, 3, 0x401000);
  EXPECT_THAT(
      error_of(good + entry(777, 1, 2) + kEnd),
      HasSubstr("in: record 7 (at byte 72) has type 777, and drmemtrace has none such; before it, 1 references"));
  EXPECT_EQ(error_of(good + "half"), "in: ends inside record 7 (at byte 72): it was cut off");
  EXPECT_EQ(error_of(beginning() + kEnd), "in: holds no instruction and no access");
  EXPECT_THAT(error_of(entry(dr::kHeader, 0, 1000) + kEnd), HasSubstr("is a binary file of a kind we do not know"));
  EXPECT_THAT(error_of(std::string("\x1f\x8b\x08\0garbage garbage garbage", 26)), HasSubstr("cannot be unpacked"));
}

TEST_F(Drmemtrace, ARecordingWithoutAFooterWasCutOff) {
  records_of(folder_.file("in", beginning() + entry(dr::kInstruction, 3, 0x401000)));
  EXPECT_THAT(report_->warnings, ElementsAre(HasSubstr("no footer")));
}

/// Records as an importer makes them: an access follows a fetch of its stream, in the mode of it.
std::vector<Record> exportable(std::vector<Record> records) {
  std::erase_if(records, [](const Record& record) {
    return record.kind == Kind::context_switch || (record.kind == Kind::marker && record.value > 0);
  });
  for (Record& record : records) {
    record.stream = 0;
    if (record.is_event()) continue;
    record.page &= 0xffffffff;
    record.mode = Mode::user;
    record.instructions %= 3;
    record.reads %= 3;
    record.writes %= 3;
    if (record.kind == Kind::data && record.reads + record.writes == 0) record.reads = 1;
    if (record.kind == Kind::fetch && record.instructions == 0) record.instructions = 1;
  }
  return records;
}

RC_GTEST_FIXTURE_PROP(Drmemtrace, WhatIsExportedIsImportedAsItWas, ()) {
  const auto records = exportable(*any_records());
  {
    auto writer = TraceWriter::create(folder_.file("out.tgt"), {});
    writer->add_fetch(1, 2, Mode::user);
    for (const Record& record : records) writer->add(record);
    RC_ASSERT(writer->finish().has_value());
  }
  const auto before = read_back();
  RC_ASSERT(export_drmemtrace(folder_.file("out.tgt"), folder_.file("exported")).has_value());
  RC_ASSERT(records_of(folder_.file("exported")) == before);
}

TEST_F(Drmemtrace, AnExportKeepsStreamsModesTailsAndEvents) {
  {
    auto writer = TraceWriter::create(folder_.file("out.tgt"), {});
    writer->add_fetch(0x401, 3, Mode::user);
    writer->add_fetch(0x402, 0, Mode::user);
    writer->add_data(0x601, 2, 1, Mode::user);
    writer->add_event(Kind::flush, 0x601, 3);
    writer->add_fetch(0xfffff81000, 4, Mode::kernel);
    writer->select_stream(1);
    writer->add_fetch(0x501, 1, Mode::user);
    ASSERT_TRUE(writer->finish());
  }
  const auto before = read_back();
  ASSERT_TRUE(export_drmemtrace(folder_.file("out.tgt"), folder_.file("exported")));
  EXPECT_EQ(records_of(folder_.file("exported")), before);
}

/// Streams take turns in a file by whole chunks, and a chunk may begin with the accesses or the tail of what ended the one before.
TEST_F(Drmemtrace, AnExportKeepsWhatAChunkBeginsWith) {
  std::vector<Record> before[2];
  {
    auto writer = TraceWriter::create(folder_.file("out.tgt"), {});
    for (int i = 0; i < 300'000; ++i)
      for (std::uint16_t stream = 0; stream < 2; ++stream) {
        const std::uint64_t page = 0xffff888000000 + static_cast<std::uint64_t>(i % 1000) * 4096;
        writer->select_stream(stream);
        writer->add_fetch(page, 1, Mode::kernel);
        if (i % 3 != 0) writer->add_fetch(page + 1, 0, Mode::kernel);
        writer->add_data(0x601, 1, 0, i % 5 == 0 ? Mode::user : Mode::kernel);
        writer->add_data(page, 0, 1, Mode::kernel);
      }
    ASSERT_TRUE(writer->finish());
  }
  for (const Record& record : read_back()) before[record.stream].push_back(record);
  ASSERT_TRUE(export_drmemtrace(folder_.file("out.tgt"), folder_.file("exported")));
  std::vector<Record> after[2];
  for (const Record& record : records_of(folder_.file("exported"))) after[record.stream].push_back(record);
  for (int stream = 0; stream < 2; ++stream) EXPECT_TRUE(after[stream] == before[stream]) << stream;
}

TEST_F(Drmemtrace, AnExportDoesNotReplaceItsTrace) {
  {
    auto writer = TraceWriter::create(folder_.file("out.tgt"), {});
    writer->add_fetch(1, 2, Mode::user);
    ASSERT_TRUE(writer->finish());
  }
  const auto report = export_drmemtrace(folder_.file("out.tgt"), folder_.file("out.tgt"));
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().text(), HasSubstr("the output is the input"));
  EXPECT_EQ(read_back().size(), 1u);
}

}  // namespace
}  // namespace tollgate::trace
