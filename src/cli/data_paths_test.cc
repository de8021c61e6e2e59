#include "cli/data_paths.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/test_support/temporary_folder.h"

namespace tollgate::cli {
namespace {

namespace fs = std::filesystem;

class DataPaths : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "machines");
    for (const char* name : {"skylake-desktop.toml", "milan-server.toml", "notes.txt"}) {
      std::ofstream(folder_ / "machines" / name) << "";
    }
    setenv("TOLLGATE_DATA", folder_.c_str(), 1);
  }
  void TearDown() override { unsetenv("TOLLGATE_DATA"); }
  const TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(DataPaths, ANameIsFoundInItsFolder) {
  EXPECT_EQ(find_data_file("machines", "milan-server").value(), folder_ / "machines/milan-server.toml");
}

TEST_F(DataPaths, NamesAreSortedAndOnlyThoseOfTomlFiles) {
  EXPECT_EQ(data_names("machines").value(), (std::vector<std::string>{"milan-server", "skylake-desktop"}));
}

TEST_F(DataPaths, ASlipIsMatchedToTheFilesThere) {
  EXPECT_EQ(find_data_file("machines", "skylake-dekstop").error().text(),
            "unknown machine 'skylake-dekstop' (did you mean 'skylake-desktop'?)");
}

TEST_F(DataPaths, AWordWithASlashOrTheEndingIsAPath) {
  const std::string path = folder_ / "machines/milan-server.toml";
  EXPECT_EQ(find_data_file("machines", path).value(), path);
  EXPECT_EQ(find_data_file("machines", "./nowhere").error().text(), "./nowhere: no such file");
  EXPECT_EQ(find_data_file("machines", "nowhere.toml").error().text(), "nowhere.toml: no such file");
  EXPECT_NE(find_data_file("machines", folder_.string() + "/").error().text().find("a folder, not a machine file"),
            std::string::npos);
}

TEST_F(DataPaths, AWrongDataFolderIsNotPassedOver) {
  const std::string none = temporary_.file("none");
  setenv("TOLLGATE_DATA", none.c_str(), 1);
  EXPECT_EQ(find_data_file("machines", "x").error().text(), none + ": TOLLGATE_DATA names no folder");
  unsetenv("TOLLGATE_DATA");
  EXPECT_EQ(data_folder().value(), fs::path(TOLLGATE_SOURCE_DIR)) << "the source tree, when nothing else is said";
}

}  // namespace
}  // namespace tollgate::cli
