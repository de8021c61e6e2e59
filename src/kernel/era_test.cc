#include "kernel/era.h"

#include <gmock/gmock.h>

#include <cstdio>

#include "base/test_support/temporary_folder.h"
#include "kernel/test_support/eras.h"

namespace tollgate::kernel {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

/// What loading this text says, after the name of the file.
std::string error_of(const std::string& text) {
  const TemporaryFolder folder;
  const std::string path = folder.file("era.toml", text);
  const Result<Era> era = load_era(path);
  if (era) return "no error";
  EXPECT_TRUE(era.error().text().starts_with(path + ":")) << era.error().text();
  return era.error().text().substr(path.size());
}

std::string error_with(const std::string& from, const std::string& to) { return error_of(replaced(from, to)); }

std::string setting_error(const std::string& setting) {
  const Result<Era> era = load_era(era_path(), {setting});
  return era ? "no error" : era.error().text();
}

constexpr const char* kLseek = "[path.lseek]";
constexpr const char* kSysretPlain = R"("fetch entry_text 22", "read task_stack", "read percpu"])";

TEST(Era, TheProjectsFileLoads) {
  const Era era = linux_4_16();
  EXPECT_EQ(era.name, "linux-4.16");
  EXPECT_EQ(era.hz, 250);
  for (const auto& name : required_sequences(era.architecture)) EXPECT_FALSE(era.sequence(name).empty()) << name;
  for (const auto& name : required_paths(era.architecture)) {
    ASSERT_TRUE(era.paths.contains(name)) << name;
    EXPECT_FALSE(era.paths.at(name).source.empty()) << name;
    EXPECT_GT(era.paths.at(name).instructions.low, 0) << name;
  }
}

TEST(Era, EveryPlaceHasAName) { EXPECT_EQ(kPlaceNames.size(), kPlaces); }

TEST(Era, AStepSaysWhatItDoesAndWhere) {
  const Era era = linux_4_16();
  const Path& path = era.sequence("syscall.pti");
  EXPECT_EQ(path[0].op, PathStep::Op::fetch);
  EXPECT_EQ(path[0].place, Place::trampoline);
  EXPECT_EQ(path[0].instructions, 5u);
  EXPECT_EQ(path[1].op, PathStep::Op::write);
  EXPECT_EQ(path[1].place, Place::entry_stack);
  EXPECT_EQ(path[2].op, PathStep::Op::read);
  EXPECT_EQ(path[2].place, Place::tss);
  EXPECT_EQ(path[3].op, PathStep::Op::load_kernel_root);
}

TEST(Era, ASettingOverridesTheFile) {
  EXPECT_EQ(linux_4_16({"path.lseek.text_pages=13"}).paths.at("lseek").text_pages, 13);
  EXPECT_EQ(linux_4_16({"path.lseek.instructions=99"}).paths.at("lseek").instructions.high, 99);
  EXPECT_THAT(setting_error("path.lsek.text_pages=13"), HasSubstr("path.lsek"));
  EXPECT_THAT(setting_error("path.lseek.text_pages=many"), HasSubstr("path.lseek.text_pages"));
}

TEST(Era, AMissingFileIsAnError) {
  const Result<Era> era = load_era("/nowhere/linux-0.1.toml");
  ASSERT_FALSE(era);
  EXPECT_THAT(era.error().text(), HasSubstr("/nowhere/linux-0.1.toml"));
}

TEST(Era, AnUnknownKeyIsAnErrorAtItsPlace) {
  EXPECT_THAT(error_with("hz = 250", "hz = 250\nherz = 3"), MatchesRegex(":[0-9]+:1: unknown key 'herz' in .tick.*"));
}

TEST(Era, AnUnknownPathIsAnErrorAtItsPlace) {
  EXPECT_THAT(error_with("[path.tick]", "[path.tock]"), MatchesRegex(":[0-9]+:[0-9]+: .*path.tick.*"));
}

TEST(Era, AMissingPathIsNamed) {
  std::string text = era_text();
  text.resize(text.find("[path.tick]"));
  EXPECT_THAT(error_of(text), HasSubstr("missing key 'path.tick'"));
}

TEST(Era, AMissingSequenceIsNamed) {
  EXPECT_THAT(error_with("\"iret.plain\"", "\"iret.pain\""), HasSubstr("missing key 'sequence.iret.plain'"));
}

TEST(Era, AStepThatIsNoneIsAnErrorThatShowsWhatIsWanted) {
  for (const char* step :
       {"jump entry_text 3", "fetch entry_text", "read percpu 3", "", "fetch", "load root", "fetch  entry_text 3"}) {
    const std::string list = std::string("[\"") + step + "\"]";
    EXPECT_THAT(error_with(std::string("[") + kSysretPlain, list),
                MatchesRegex(":[0-9]+:[0-9]+: '.*' is not a step: want .*'fetch PLACE N'.*"))
        << step;
  }
}

TEST(Era, AnUnknownPlaceComesWithASuggestion) {
  EXPECT_THAT(error_with(kSysretPlain, R"("fetch entry_txt 22"])"),
              MatchesRegex(":[0-9]+:[0-9]+: unknown place 'entry_txt' .did you mean 'entry_text'.*"));
}

// Steps at fixed pages come from layouts; a file that asked for one was told "did you mean 'absolute'".
TEST(Era, ThePlaceOfLayoutsWasSuggestedToFiles) {
  const std::string error = error_with(kSysretPlain, R"("read absolute"])");
  EXPECT_THAT(error, HasSubstr("unknown place 'absolute'"));
  EXPECT_THAT(error, ::testing::Not(HasSubstr("mean 'absolute'")));
  EXPECT_THAT(error, ::testing::Not(HasSubstr("known: absolute")));
}

TEST(Era, AFetchOfNoNumberIsAnError) {
  for (const char* number : {"-1", "3x", "99999999999", "1e3", "1000001"})
    EXPECT_THAT(error_with(kSysretPlain, std::string("\"fetch entry_text ") + number + "\"]"),
                HasSubstr(std::string("'") + number + "' is not a number of instructions"));
}

// Each of these used to load, and to stop the program later: entry code met a page that was not there.
TEST(Era, ASequenceThatTouchedWhatItsRootDoesNotShowStoppedTheProgram) {
  EXPECT_THAT(error_with("\"fetch trampoline 5\"", "\"read percpu\", \"fetch trampoline 5\""),
              MatchesRegex(":[0-9]+:[0-9]+: sequence 'syscall.pti' touches percpu while the user root is loaded.*"));
  EXPECT_THAT(error_with("\"load user root\", \"fetch entry_text 4\"", "\"load user root\", \"read task_stack\""),
              HasSubstr("sequence 'sysret.pti' touches task_stack while the user root is loaded"));
  EXPECT_THAT(error_with(kSysretPlain, R"("read user_stack"])"),
              HasSubstr("sequence 'sysret.plain' touches user_stack, which may not be present"));
  EXPECT_THAT(error_with("\"read tss\", \"load kernel root\"", "\"read tss\""),
              HasSubstr("'syscall.pti' touches percpu"));
}

// The TSS in cpu_entry_area is mapped read-only; the project's own file wrote it.
TEST(Era, ASequenceThatWroteAReadOnlyPlaceWasTaken) {
  EXPECT_THAT(error_with("\"write entry_stack\", \"read tss\"", "\"write tss\", \"read tss\""),
              HasSubstr("sequence 'syscall.pti' writes tss, which is mapped read-only"));
}

TEST(Era, ASequenceLoadsTheRootItIsForOnceAndOnlyUnderPti) {
  EXPECT_THAT(error_with(kSysretPlain, R"("load user root"])"),
              HasSubstr("'sysret.plain' must not load the user root"));
  EXPECT_THAT(error_with("\"load user root\", ", ""), HasSubstr("'sysret.pti' must load the user root exactly once"));
  EXPECT_THAT(error_with("\"load user root\", \"fetch", "\"load user root\", \"load user root\", \"fetch"),
              HasSubstr("exactly once"));
  EXPECT_THAT(error_with("\"load user root\", \"fetch", "\"load kernel root\", \"fetch"),
              HasSubstr("'sysret.pti' must not load the kernel root"));
  EXPECT_THAT(error_with("\"load kernel root\", \"fetch", "\"load user root\", \"fetch"),
              HasSubstr("'syscall.pti' must not load the user root"));
}

TEST(Era, AFootprintThatCannotLieInItsLargePagesIsAnError) {
  EXPECT_THAT(
      error_with("text_pages = 12\ntext_large_pages = 4", "text_pages = 3\ntext_large_pages = 4"),
      MatchesRegex(":[0-9]+:[0-9]+: 'path.lseek.text_pages' is 3, it must be from 4 to 2048 to lie in 4 large pages"));
  EXPECT_THAT(error_with("direct_objects = 6\ndirect_large_pages = 4", "direct_objects = 3000\ndirect_large_pages = 4"),
              HasSubstr("'path.lseek.direct_objects' is 3000"));
}

// Kernel text of such a path lay in the entry text and in rodata, which are global and shown to user mode under other rules.
TEST(Era, APathWithMoreLargePagesThanTheKernelsTextRanOverItsEnd) {
  EXPECT_THAT(error_with("text_large_pages = 8\n", "text_large_pages = 3\n"),
              HasSubstr("'path.lseek.text_large_pages' is 4, but memory.text_large_pages is 3"));
}

TEST(Era, MoreLargePagesOfObjectsThanMemoryHoldsIsAnError) {
  EXPECT_THAT(
      error_with("direct_objects = 100\ndirect_large_pages = 40", "direct_objects = 1000\ndirect_large_pages = 1000"),
      "no error");
  EXPECT_THAT(error_of([] {
                std::string text = replaced("bytes = 17179869184", "bytes = 4294967296");
                const std::size_t at = text.find("direct_objects = 100\ndirect_large_pages = 40");
                return text.replace(at, 44, "direct_objects = 1000\ndirect_large_pages = 1000");
              }()),
              HasSubstr("'path.exec.direct_large_pages' is 1000, but the number of 2M pages in the first quarter"));
}

// A figure may be as large as 1e12, which is no number of a 32-bit instruction count.
TEST(Era, APathOfATrillionInstructionsOverflowed) {
  EXPECT_THAT(setting_error("path.lseek.instructions=1e12"), HasSubstr("'path.lseek.instructions' must not be above"));
}

TEST(Era, NumbersOutOfRangeAreErrors) {
  EXPECT_THAT(error_with("hz = 250", "hz = 0"), HasSubstr("'tick.hz' is 0"));
  EXPECT_THAT(error_with("bytes = 17179869184", "bytes = 1"), HasSubstr("'memory.bytes' is 1"));
  EXPECT_THAT(error_with("percpu_pages = 3", "percpu_pages = 65"), HasSubstr("'path.lseek.percpu_pages' is 65"));
  EXPECT_THAT(error_with("text_pages = 12", "text_pages = 0"), HasSubstr("'path.lseek.text_pages' is 0"));
  EXPECT_THAT(error_with("stack_pages = 1", "stack_pages = 5"), HasSubstr("'path.lseek.stack_pages' is 5"));
  EXPECT_THAT(error_with("text_pages = 12", "text_pages = 'many'"), HasSubstr("'path.lseek.text_pages' is"));
}

TEST(Era, AFigureOutOfOrderOrWithoutASourceIsAnError) {
  EXPECT_THAT(error_with("low = 290, typical = 320", "low = 330, typical = 320"),
              MatchesRegex(":[0-9]+:[0-9]+: .*instructions.*"));
  EXPECT_THAT(error_with("unit = \"instructions\"", "unit = \"cycles\""), MatchesRegex(":[0-9]+:[0-9]+: .*"));
  EXPECT_THAT(error_with(kLseek, "[path.lseek]\nsource = 3"), MatchesRegex(":[0-9]+:[0-9]+: .*"));
}

}  // namespace
}  // namespace tollgate::kernel
