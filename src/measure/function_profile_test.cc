#include "measure/function_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_support/temporary_folder.h"

namespace tollgate::measure {
namespace {

using testing::HasSubstr;

/// A tracefs of plain files, with what two CPUs counted.
void fill(const TemporaryFolder& folder) {
  std::filesystem::create_directory(folder.path() / "trace_stat");
  folder.file("available_filter_functions", "vfs_read\nvfs_write\nipmi_thing [ipmi]\n");
  folder.file("function_profile_enabled", "0\n");
  folder.file("set_ftrace_filter", "");
  folder.file("trace_stat/function0",
              "  Function                               Hit    Time            Avg             s^2\n"
              "  --------                               ---    ----            ---             ---\n"
              "  vfs_read                                 3    12.500 us       4.166 us        0.1 us\n");
  folder.file("trace_stat/function1",
              "  Function                               Hit    Time            Avg             s^2\n"
              "  vfs_read                                 1    2.500 us        2.500 us        0.0 us\n"
              "  vfs_write                                9    99.00 us        11.00 us        0.0 us\n");
}

TEST(FunctionProfiler, AddsUpTheCpusOfOneFunction) {
  const TemporaryFolder folder;
  fill(folder);
  auto profiler = FunctionProfiler::open(folder.path(), "vfs_read");
  ASSERT_TRUE(profiler) << profiler.error().text();
  ASSERT_TRUE(profiler->start());
  const auto calls = profiler->stop();
  ASSERT_TRUE(calls) << calls.error().text();
  EXPECT_EQ(calls->calls, 4);
  EXPECT_EQ(calls->total, 15);
}

TEST(FunctionProfiler, FindsFunctionsOfModules) {
  const TemporaryFolder folder;
  fill(folder);
  EXPECT_TRUE(FunctionProfiler::open(folder.path(), "ipmi_thing"));
}

TEST(FunctionProfiler, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  EXPECT_THAT(FunctionProfiler::open(folder.path(), "vfs_read").error().text(),
              HasSubstr("wants tracefs: run as root"));
  fill(folder);
  EXPECT_THAT(FunctionProfiler::open(folder.path(), "vfs_raed").error().text(), HasSubstr("did you mean 'vfs_read'?"));
  std::filesystem::remove(folder.path() / "function_profile_enabled");
  EXPECT_THAT(FunctionProfiler::open(folder.path(), "vfs_read").error().text(), HasSubstr("CONFIG_FUNCTION_PROFILER"));
}

TEST(FunctionProfiler, ATableWithoutTimesIsRefused) {
  const TemporaryFolder folder;
  fill(folder);
  folder.file("trace_stat/function1", "  vfs_read      7\n");
  auto profiler = FunctionProfiler::open(folder.path(), "vfs_read");
  ASSERT_TRUE(profiler && profiler->start());
  EXPECT_THAT(profiler->stop().error().text(), HasSubstr("may count calls alone"));
}

}  // namespace
}  // namespace tollgate::measure
