// Lackey text to a trace: what it means, how fast nothing is lost, and every way it can be wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <fmt/core.h>

#include "base/interrupt.h"
#include "trace/import.h"
#include "trace/lackey.h"
#include "trace/reader.h"
#include "trace/test_references.h"

namespace tollgate::trace {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

class Import : public testing::Test {
 protected:
  Result<ImportReport> import(std::string_view text) {
    return import_trace(folder_.file("in.txt", text), folder_.file("out.tgt"), {});
  }

  std::vector<Record> records_of(std::string_view text) {
    const auto report = import(text);
    EXPECT_TRUE(report) << report.error().text();
    auto reader = TraceReader::open(folder_.file("out.tgt"));
    std::vector<Record> out;
    Record record;
    while (*reader->next(record)) out.push_back(record);
    return out;
  }

  /// The error, without the folder of the test.
  std::string error_of(std::string_view text) {
    const auto report = import(text);
    EXPECT_FALSE(std::filesystem::exists(folder_.file("out.tgt"))) << text;
    EXPECT_EQ(files_in(folder_), 1u) << "nothing half-written is left";
    return report ? "it was imported" : report.error().text().substr(folder_.file("").size());
  }

  TemporaryFolder folder_;
};

TEST_F(Import, EachKindOfLineCountsAsWhatItIs) {
  EXPECT_THAT(records_of("==1== Lackey, an example\n==1== Exit code: 0\n"
                         "I  00401000,3\nI  00401003,5\n L 1fff000010,8\n S 1fff000018,8\n M 1fff000020,4\n"
                         "I  00402000,1\n S 00601000,8\n"),
              ElementsAre(Record{.page = 0x401, .instructions = 2, .kind = Kind::fetch},
                          Record{.page = 0x1fff000, .reads = 2, .writes = 2, .kind = Kind::data},
                          Record{.page = 0x402, .instructions = 1, .kind = Kind::fetch},
                          Record{.page = 0x601, .writes = 1, .kind = Kind::data}));
}

TEST_F(Import, AReferenceThatCrossesAPageCountsInBoth) {
  EXPECT_THAT(records_of("I  00401ffe,4\n L 00600fff,2\n M 00601ffc,8\n S 00603ff8,8\nI  00402002,2\n"),
              ElementsAre(Record{.page = 0x401, .instructions = 1, .kind = Kind::fetch},
                          Record{.page = 0x402, .instructions = 0, .kind = Kind::fetch},
                          Record{.page = 0x600, .reads = 1, .kind = Kind::data},
                          Record{.page = 0x601, .reads = 2, .writes = 1, .kind = Kind::data},
                          Record{.page = 0x602, .reads = 1, .writes = 1, .kind = Kind::data},
                          Record{.page = 0x603, .writes = 1, .kind = Kind::data},
                          Record{.page = 0x402, .instructions = 1, .kind = Kind::fetch}));
}

TEST_F(Import, TheKernelHalfIsKernelMode) {
  EXPECT_THAT(records_of("I  ffffffffff600000,3\n L 7fffffffffffffff,1\n S 8000000000000000,1\n"),
              ElementsAre(Record{.page = 0xffffffffff600, .instructions = 1, .mode = Mode::kernel},
                          Record{.page = 0x7ffffffffffff, .reads = 1, .kind = Kind::data, .mode = Mode::user},
                          Record{.page = 0x8000000000000, .writes = 1, .kind = Kind::data, .mode = Mode::kernel}));
}

TEST_F(Import, ShortAddressesAndCapitalsAreRead) {
  EXPECT_THAT(records_of("I  1000,3\n L ABCDEF12345,8\n"),
              ElementsAre(Record{.page = 1, .instructions = 1, .kind = Kind::fetch},
                          Record{.page = 0xabcdef12, .reads = 1, .kind = Kind::data}));
}

TEST_F(Import, EveryMalformedLineIsNamedWithItsPlace) {
  const std::vector<std::string> bad = {"hello",
                                        "I 00401000,3",
                                        "I  ,3",
                                        "I  00401000",
                                        "I  00401000,",
                                        "I  00401000,x",
                                        "I  00401000,0",
                                        "I  00401000,5000",
                                        "I  0040g000,3",
                                        "I  00401000 ,3",
                                        "X  00401000,3",
                                        " X 00401000,3",
                                        "I  00401000,3 ",
                                        " L 00401000,8\r",
                                        "",
                                        "=",
                                        "I  12345678123456789,1",
                                        "L  00401000,3",
                                        "I  ffffffffffffffff,2",
                                        "-- warning",
                                        std::string("I  0040\0"
                                                    "000,3",
                                                    13),
                                        "I  00401000,12345"};
  for (const std::string& line : bad) {
    const std::string error = error_of("I  00401000,3\n L 00601000,8\n" + line + "\nI  00401003,3\n");
    EXPECT_THAT(error, testing::StartsWith("in.txt:3: '")) << line;
    EXPECT_THAT(error, HasSubstr("is no line of lackey; before it, 2 references were good")) << line;
  }
}

TEST_F(Import, ATextThatEndsInsideALineWasCutOff) {
  EXPECT_EQ(error_of("I  00401000,3\nI  004010"),
            "in.txt:2: the text ends inside a line, 'I  004010': it was cut off; before it, 1 reference was good");
}

TEST_F(Import, AVeryLongLineIsAnErrorAndNotMemory) {
  EXPECT_THAT(error_of("I  00401000,3\n" + std::string(200'000, 'x') + "\n"), HasSubstr("in.txt:2: 'xxx"));
  EXPECT_THAT(error_of("I  00401000,3\n==1== " + std::string(500'000, 'x') + "\n"), HasSubstr("is no line of lackey"));
}

TEST_F(Import, ForeignFilesAreNamedWithWhatToDo) {
  EXPECT_EQ(error_of(""),
            "in.txt: is empty; record with: valgrind --tool=lackey --trace-mem=yes --log-file=OUT PROGRAM");
  EXPECT_EQ(error_of(std::string_view("\x1f\x8b\x08\0\0", 5)),
            "in.txt: is a gzip file that cannot be unpacked: it is damaged");
  EXPECT_THAT(error_of("\x28\xb5\x2f\xfd...."), HasSubstr("cannot be unpacked: Zstd"));
  EXPECT_THAT(error_of(std::string_view("\x7f"
                                        "ELF\2\1",
                                        6)),
              HasSubstr("is a program, neither the text of"));
  EXPECT_THAT(error_of(std::string_view("ab\0cd", 5)), HasSubstr("is a binary file of a kind we do not know"));
  EXPECT_THAT(error_of("once upon a time\n"), HasSubstr("is text of a kind we do not know"));
  EXPECT_THAT(error_of("==1== Memcheck\n==1== Exit code: 0\n"),
              HasSubstr("lackey prints them only with --trace-mem=yes"));
  EXPECT_THAT(error_of(kFileMagic), HasSubstr("is a Tollgate trace already"));
}

TEST_F(Import, PlacesThatAreNoFilesAreErrors) {
  const auto error = [&](const std::string& from, const std::string& to) {
    return import_trace(from, to, {}).error().text();
  };
  const std::string good = folder_.file("in.txt", "I  00401000,3\n");
  EXPECT_THAT(error(folder_.file("missing"), folder_.file("o")),
              EndsWith("missing: cannot open: No such file or directory"));
  EXPECT_THAT(error(folder_.file(""), folder_.file("o")),
              EndsWith("is a directory without a drmemtrace file; name the file to import"));
  EXPECT_THAT(error(good, folder_.file("")), EndsWith("is a directory; name the file to write"));
  EXPECT_THAT(error(good, good), EndsWith("the output is the input; name another file"));
  EXPECT_THAT(error(good, "/dev/full"), HasSubstr("No space left on device"));
  EXPECT_EQ(content_of(good), "I  00401000,3\n");
}

TEST_F(Import, AnInterruptionLeavesNothingBehind) {
  request_interrupt();
  const std::string error = error_of("I  00401000,3\n");
  clear_interrupt();
  EXPECT_THAT(error, EndsWith("interrupted; no trace was written"));
}

TEST_F(Import, WhatIsOddIsAWarning) {
  const std::string begin = "==7== Lackey, an example Valgrind tool\n==7== Command: prog -x\n";
  const std::string refs = "I  00401000,3\nI  00401003,3\n";
  const auto end = [](int instructions) {
    return fmt::format("==7==   guest instrs:  {}\n==7== Exit code:       0\n", instructions);
  };
  EXPECT_THAT(import(begin + refs + end(2))->warnings, IsEmpty());
  EXPECT_THAT(import(refs)->warnings, IsEmpty());
  EXPECT_THAT(import(begin + refs)->warnings, ElementsAre(HasSubstr("closing summary is missing")));
  EXPECT_THAT(import(begin + refs + end(3))->warnings,
              ElementsAre(HasSubstr("counted 3 instructions, the text holds 2")));
  EXPECT_THAT(import(begin + refs + "==8== x\n" + end(2))->warnings, ElementsAre(HasSubstr("2 processes are mixed")));
  EXPECT_THAT(import(" L ffffffffff600000,8\n")->warnings, ElementsAre(HasSubstr("2^63 or above: 1 reference")));
}

TEST_F(Import, TheOriginIsTheRecordedCommand) {
  ASSERT_TRUE(import("==7== Lackey, x\n==7== Command: prog -x\nI  00401000,3\n"));
  EXPECT_EQ(TraceReader::open(folder_.file("out.tgt"))->header().origin, "valgrind lackey: prog -x");
  ASSERT_TRUE(import_trace(folder_.file("in.txt"), folder_.file("out.tgt"),
                           {.recording = {.architecture = "aarch64", .origin = "mine"}}));
  EXPECT_EQ(TraceReader::open(folder_.file("out.tgt"))->header().origin, "mine");
  EXPECT_EQ(TraceReader::open(folder_.file("out.tgt"))->header().architecture, "aarch64");
}

TEST_F(Import, APipeIsReadInWhateverPiecesItComes) {
  std::string text = "==7== Lackey, x\n";
  for (int i = 0; i < 40'000; ++i)
    text += fmt::format("I  {:08x},3\n L {:010x},8\n", 0x400000 + 3 * i, 0x1fff000000 + 64 * i);
  const auto whole = import(text);
  ASSERT_TRUE(whole);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int stdin_before = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  ::close(ends[0]);
  const pid_t child = ::fork();
  if (child == 0) {
    for (std::size_t at = 0, size = 1; at < text.size(); at += size, size = size * 3 % 8191 + 1)
      if (::write(ends[1], text.data() + at, std::min(size, text.size() - at)) < 0) ::_exit(1);
    ::_exit(0);
  }
  ::close(ends[1]);
  const auto piped = import_trace("-", folder_.file("piped.tgt"), {});
  ::dup2(stdin_before, STDIN_FILENO);
  ::close(stdin_before);
  ASSERT_TRUE(piped) << piped.error().text();
  EXPECT_EQ(piped->totals, whole->totals);
  EXPECT_EQ(content_of(folder_.file("piped.tgt")), content_of(folder_.file("out.tgt")));
}

TEST_F(Import, ProgressReachesTheEnd) {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "I  00401000,3\n";
  std::uint64_t last = 0, calls = 0;
  ImportOptions options;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(total, text.size());
    EXPECT_GE(done, last);
    last = done;
    ++calls;
  };
  ASSERT_TRUE(import_trace(folder_.file("in.txt", text), folder_.file("out.tgt"), options));
  EXPECT_EQ(last, text.size());
  EXPECT_GT(calls, 2u);
}

RC_GTEST_FIXTURE_PROP(Import, TextsComeBackAsTheReferencesTheySpell, ()) {
  const auto references = *references_on_few_pages();
  std::string text = "==1== x\n";
  std::uint64_t instructions = 0, reads = 0, writes = 0;
  for (const Reference& reference : references) {
    const char* kind = reference.fetch ? "I  " : reference.count > 0 ? " L " : " S ";
    text += fmt::format("{}{:08x},4\n", kind, reference.page << 12 | 0x20);
    (reference.fetch ? instructions : reads) += reference.count;
    writes += reference.writes;
  }
  const auto report = import(text);
  RC_ASSERT(report.has_value() == !references.empty());
  if (!report) return;
  RC_ASSERT(report->totals.instructions() == instructions);
  RC_ASSERT(report->totals.reads() == reads);
  RC_ASSERT(report->totals.writes() == writes);
  RC_ASSERT(report->lines == references.size() + 1);
}

}  // namespace
}  // namespace tollgate::trace
