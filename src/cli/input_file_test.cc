#include "cli/input_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/test_support/temporary_folder.h"
#include "cli/output.h"

namespace tollgate::cli {
namespace {

TEST(InputFile, IsReadWholeUpToTheLimit) {
  const TemporaryFolder folder;
  const std::string path = folder.file("results.txt"), bytes(200'000, 'x');
  std::ofstream(path) << bytes;
  EXPECT_EQ(read_bytes(path).value(), bytes);
  EXPECT_EQ(read_bytes(path, bytes.size()).value(), bytes);
  EXPECT_EQ(read_bytes(path, 100 << 10).error().text(), path + ": goes on after 100K: no result file is that large");
  EXPECT_FALSE(read_bytes("/dev/zero", 1 << 20));
}

TEST(InputFile, IsNotWrittenOver) {
  const TemporaryFolder folder;
  const std::string path = folder.file("results.txt");
  std::ofstream(path) << "results";
  ASSERT_TRUE(read_bytes(path));
  EXPECT_FALSE(write_output(path, "answer"));
  EXPECT_EQ(read_bytes(path).value(), "results");
}

}  // namespace
}  // namespace tollgate::cli
