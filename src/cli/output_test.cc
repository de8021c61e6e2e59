#include "cli/output.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/test_support/temporary_folder.h"

namespace tollgate::cli {
namespace {

TEST(Output, AFileHoldsWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.file("output.txt");
  ASSERT_TRUE(write_output(path, "one\n"));
  ASSERT_TRUE(write_output(path, "two\n"));
  std::ostringstream read;
  read << std::ifstream(path).rdbuf();
  EXPECT_EQ(read.str(), "two\n");
}

TEST(Output, AFullDiskAndAMissingFolderAreErrors) {
  EXPECT_EQ(write_output("/dev/full", "x").error().text(), "/dev/full: cannot write: No space left on device");
  const TemporaryFolder folder;
  const std::string path = folder.file("none/x");
  EXPECT_EQ(write_output(path, "x").error().text(), path + ": cannot write: No such file or directory");
}

}  // namespace
}  // namespace tollgate::cli
