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

TEST(Output, WhatWasReadIsNotWrittenOverUnderAnyName) {
  const TemporaryFolder folder;
  const std::string path = folder.file("results.txt"), link = folder.file("link.txt"), other = folder.file("other.txt");
  ASSERT_TRUE(write_output(path, "results\n"));
  std::filesystem::create_hard_link(path, link);
  note_input(folder.file("not-there.txt"));
  note_input(path);
  EXPECT_EQ(write_output(link, "x").error().text(), link + ": the output is an input; name another file");
  EXPECT_EQ(std::filesystem::file_size(path), 8u);
  EXPECT_TRUE(write_output(other, "x"));
  EXPECT_TRUE(write_output("/dev/null", "x"));
}

TEST(Output, AFullDiskAndAMissingFolderAreErrors) {
  EXPECT_EQ(write_output("/dev/full", "x").error().text(), "/dev/full: cannot write: No space left on device");
  const TemporaryFolder folder;
  const std::string path = folder.file("none/x");
  EXPECT_EQ(write_output(path, "x").error().text(), path + ": cannot write: No such file or directory");
}

}  // namespace
}  // namespace tollgate::cli
