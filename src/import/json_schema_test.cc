// The JSON of `tollgate import` follows docs/schema/import.schema.json, for every format; and the schema can say no.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "import/import.h"
#include "report/measurement_report.h"
#include "report/test_support/schema_checker.h"

namespace tollgate::import {
namespace {

using report::test::file_text;
using report::test::Parsed;

std::vector<std::string> faults_of(const std::string& json) {
  const Parsed schema(file_text("docs/schema/import.schema.json")), document(json);
  if (!schema.valid() || !document.valid()) return {"not JSON"};
  return report::test::SchemaChecker().check(document.root(), schema.root());
}

TEST(ImportJson, OfEveryFormatFollowsItsSchema) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TOLLGATE_SOURCE_DIR "/tests/data/import")) {
    const std::string name = entry.path().filename();
    const auto imported = import_results(name, file_text("tests/data/import/" + name));
    if (!imported) continue;
    ++files;
    const std::string json = report::found_json({{name, imported->format, imported->measurement}});
    EXPECT_THAT(faults_of(json), ::testing::IsEmpty()) << name;
  }
  EXPECT_GT(files, 25u);
}

TEST(ImportJson, IsReadBackAsItWasWritten) {
  for (const auto& entry : std::filesystem::directory_iterator(TOLLGATE_SOURCE_DIR "/tests/data/import")) {
    const std::string name = entry.path().filename();
    const auto imported = import_results(name, file_text("tests/data/import/" + name));
    if (!imported) continue;
    const std::string json = report::found_json({{name, imported->format, imported->measurement}});
    const auto again = import_results("again.json", json);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->format, "Tollgate import JSON");
    EXPECT_EQ(report::found_json({{name, imported->format, again->measurement}}), json);
  }
}

TEST(ImportJson, ABreakIsSeen) {
  const auto imported = import_results("p", "100,,page-faults,2.50%,66765103,100.00,2.836,K/sec\n").value();
  const std::string good = report::found_json({{"p", "perf stat -x", imported.measurement}});
  for (const std::string_view key :
       {"\"format\"", "\"order\"", "\"summary\"", "\"deviation\"", "\"notes\"", "\"unit\""}) {
    std::string broken = good;
    broken.replace(broken.find(key) + 1, 1, "X");
    EXPECT_FALSE(faults_of(broken).empty()) << key;
  }
}

}  // namespace
}  // namespace tollgate::import
