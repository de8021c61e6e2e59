#include "lab/published.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/test_support/temporary_folder.h"
#include "hw/machine.h"

namespace tollgate::lab {
namespace {

using evidence::PublishedRow;
using evidence::PublishedUse;

constexpr char kRow[] =
    "[[row]]\nid = 'a'\nmeasured = 'm'\nmetric = 's'\nuse = 'sign'\nsource = 'a mail'\nbase_value = 100\nvariant_value "
    "= 110\n";

std::string error_of(const Result<std::vector<PublishedRow>>& rows) { return rows ? "no error" : rows.error().text(); }
std::string error_in(const std::string& text) { return error_of(parse_published(text, "p.toml")); }

std::string with(const std::string& old_text, const std::string& new_text) {
  std::string text = kRow;
  return text.replace(text.find(old_text), old_text.size(), new_text);
}

std::map<std::string, PublishedRow> shipped() {
  std::map<std::string, PublishedRow> rows;
  const auto loaded = load_published(TOLLGATE_SOURCE_DIR "/published");
  EXPECT_TRUE(loaded) << loaded.error().text();
  if (loaded)
    for (const auto& row : *loaded) rows.emplace(row.id, row);
  return rows;
}

TEST(Published, ADeltaIsComputedFromItsTwoValues) {
  const auto rows = parse_published(kRow, "p.toml").value();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_DOUBLE_EQ(rows[0].delta_percent, 10);
  EXPECT_EQ(rows[0].use, PublishedUse::sign);
  EXPECT_EQ(rows[0].question, "");
}

TEST(Published, AStatedDeltaMustAgreeWithinItsRounding) {
  EXPECT_EQ(error_in(std::string(kRow) + "delta_percent = 10.004\n"), "no error");
  EXPECT_EQ(error_in(std::string(kRow) + "delta_percent = 10.5\n"),
            "p.toml:9:17: row 'a' states 10.5 %, but its values make 10.00 %");
  EXPECT_EQ(error_in(std::string(kRow) + "delta_percent = -10\n"),
            "p.toml:9:17: row 'a' states -10 %, but its values make 10.00 %");
}

TEST(Published, OneValueAloneOrABaseOfZeroIsRefused) {
  EXPECT_EQ(error_in(with("base_value = 100\n", "")),
            "p.toml:1:1: row 'a' has one of base_value and variant_value, both or none are wanted");
  EXPECT_EQ(error_in(with("base_value = 100", "base_value = 0")), "p.toml:7:14: row 'a' compares with a base of 0");
  EXPECT_EQ(error_in(with("base_value = 100\nvariant_value = 110\n", "")),
            "p.toml:1:1: missing key 'row.a.delta_percent'");
}

TEST(Published, ARowOfAQuestionNamesItsVariant) {
  EXPECT_EQ(error_in(std::string(kRow) + "question = 'q'\n"),
            "p.toml:1:1: row 'a' names the question 'q' but no variant of it");
  EXPECT_EQ(error_in(std::string(kRow) + "variant = 'v'\n"), "p.toml:9:11: row 'a' has 'variant' but no question");
}

TEST(Published, UnknownUsesKeysAndMissingSourcesAreRefused) {
  EXPECT_EQ(error_in(with("'sign'", "'validation'")),
            "p.toml:5:7: 'row.a.use' cannot be 'validation' (did you mean 'validate'?)");
  EXPECT_EQ(error_in(with("'a mail'", "''")), "p.toml:6:10: row 'a' has no source");
  EXPECT_EQ(error_in(std::string(kRow) + "delta = 3\n"),
            "p.toml:9:1: unknown key 'delta' in [row.a] (did you mean 'delta_percent'?)");
}

TEST(Published, TheSameIdTwiceIsRefused) {
  EXPECT_EQ(error_in(std::string(kRow) + kRow), "p.toml:9:1: row 'a' is already in p.toml:1");
}

TEST(Published, AnIdIsUniqueOverAllFilesOfTheFolder) {
  const TemporaryFolder folder;
  const std::string first = folder.file("1.toml", kRow);
  const std::string second = folder.file("2.toml", "\n" + std::string(kRow));
  EXPECT_EQ(error_of(load_published(folder.path().string())), second + ":2:1: row 'a' is already in " + first + ":1");
}

TEST(Published, AMissingFolderIsAClearError) {
  EXPECT_EQ(error_of(load_published("none")), "none: cannot list the published results: No such file or directory");
}

TEST(ShippedPublished, HoldsEveryRowOnce) { EXPECT_EQ(shipped().size(), 48u); }

TEST(ShippedPublished, TellsTheRowsOfTheReportOnGlobalPages) {
  const auto rows = shipped();
  EXPECT_NEAR(rows.at("pti_lseek").delta_percent, 1.715, 0.001);
  EXPECT_EQ(rows.at("pti_lseek").question, "pti-global-lseek");
  EXPECT_NEAR(rows.at("pti_compile").delta_percent, -0.639, 0.001);
  EXPECT_EQ(rows.at("pti_compile").use, PublishedUse::validate);
}

TEST(ShippedPublished, NamesOnlyMachinesThatExist) {
  for (const auto& [id, row] : shipped()) {
    if (row.machine.empty()) continue;
    EXPECT_TRUE(hw::load_machine(TOLLGATE_SOURCE_DIR "/machines/" + row.machine + ".toml")) << id;
  }
}

// A figure fitted to a row that validates would make the validation a restatement.
TEST(ShippedPublished, NoRowThatValidatesSaysItSetsAFigure) {
  for (const auto& [id, row] : shipped()) {
    if (row.use == PublishedUse::calibrate) continue;
    EXPECT_EQ(row.note.find("sets "), std::string::npos) << id;
  }
}

}  // namespace
}  // namespace tollgate::lab
