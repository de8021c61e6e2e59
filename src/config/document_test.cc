#include "config/document.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "base/test_support/temporary_folder.h"

namespace tollgate::config {
namespace {

constexpr char kFigure[] =
    R"({ low = 4, typical = 5, high = 14, unit = "cycles", kind = "recalled", source = "a manual" })";

Document parsed(const std::string& text) {
  Result<Document> document = Document::parse(text, "a.toml");
  EXPECT_TRUE(document) << document.error().text();
  return std::move(document).value();
}

std::string parse_error(std::string_view text) {
  const Result<Document> document = Document::parse(text, "a.toml");
  return document ? "no error" : document.error().text();
}

template <typename T>
std::string error_of(const Result<T>& result) {
  return result ? "no error" : result.error().text();
}

std::string set_error(const std::string& text, const std::string& setting) {
  Document document = parsed(text);
  return error_of(document.set(setting));
}

std::string figure_error(const std::string& figure, Dimension dimension = Dimension::time) {
  Document document = parsed("walk = 1\ncost = " + figure);
  return error_of(document.root().figure("cost", dimension));
}

TEST(Document, ReadsEachTypeByItsKey) {
  Document document =
      parsed("name = 'x'\ncpus = 4\nshare = 0.5\nwhole = 3\npcid = true\nsizes = ['4K', '2M']\nsteps = [1, 2]\n");
  const Table root = document.root();
  EXPECT_EQ(root.text("name").value(), "x");
  EXPECT_EQ(root.integer("cpus", 1, 8).value(), 4);
  EXPECT_EQ(root.number("share").value(), 0.5);
  EXPECT_EQ(root.number("whole").value(), 3.0);
  EXPECT_TRUE(root.boolean("pcid").value());
  EXPECT_EQ(root.text_list("sizes").value(), (std::vector<std::string>{"4K", "2M"}));
  EXPECT_EQ(root.number_list("steps", 0, 9).value(), (std::vector<double>{1, 2}));
  EXPECT_TRUE(document.finish());
}

TEST(Document, AFigureKeepsItsRangeUnitKindSourceAndPlace) {
  Document document = parsed(std::string("[walk]\nsetup = ") + kFigure);
  const Figure figure = document.root().table("walk").value().figure("setup", Dimension::time).value();
  EXPECT_EQ(figure.low, 4);
  EXPECT_EQ(figure.typical, 5);
  EXPECT_EQ(figure.high, 14);
  EXPECT_EQ(figure.unit, "cycles");
  EXPECT_EQ(figure.kind, Knowledge::recalled);
  EXPECT_EQ(figure.source, "a manual");
  EXPECT_EQ(figure.place.line, 2u);
  EXPECT_EQ(figure.place.column, 9u);
  EXPECT_TRUE(document.finish());
}

TEST(Document, OptionalKeysAreEmptyWhenAbsentAndCheckedWhenPresent) {
  Document document = parsed("cpus = 'four'");
  const Table root = document.root();
  EXPECT_FALSE(root.optional_text("title").value());
  EXPECT_FALSE(root.optional_figure("setup", Dimension::time).value());
  EXPECT_TRUE(root.optional_tables("tlb").value().empty());
  EXPECT_EQ(error_of(root.optional_integer("cpus", 1, 8)), "a.toml:1:8: 'cpus' is text, a whole number is wanted");
}

TEST(Document, AnUnknownKeyIsRefusedWithTheLikelyOne) {
  Document document = parsed("name = 'x'\n[wlak]\nsetup = 3\n");
  ASSERT_TRUE(document.root().text("name"));
  ASSERT_FALSE(document.root().table("walk"));
  EXPECT_EQ(error_of(document.finish()), "a.toml:2:2: unknown key 'wlak' (did you mean 'walk'?)");
}

TEST(Document, AnUnknownKeyInsideATableNamesTheTable) {
  Document document = parsed("[[tlb]]\nname = 'l1d'\nwasy = 4\nways = 4\nzzz = 1\n");
  const Table tlb = document.root().tables("tlb").value().at(0);
  ASSERT_TRUE(tlb.text("name"));
  ASSERT_TRUE(tlb.integer("ways", 1, 8));
  EXPECT_EQ(error_of(document.finish()), "a.toml:3:1: unknown key 'wasy' in [tlb.l1d] (did you mean 'ways'?)");
}

TEST(Document, AnUnknownKeyNearNothingListsTheKnownOnes) {
  Document document = parsed("qqqqqq = 1\n");
  (void)document.root().has("name");
  (void)document.root().has("title");
  EXPECT_EQ(error_of(document.finish()), "a.toml:1:1: unknown key 'qqqqqq' (known: name, title)");
}

TEST(Document, AMissingKeyIsReportedAtItsTable) {
  Document document = parsed("\n[walk]\nsetup = 3\n");
  EXPECT_EQ(error_of(document.root().text("name")), "a.toml:1:1: missing key 'name'");
  EXPECT_EQ(error_of(document.root().table("walk").value().number("fetch")), "a.toml:2:1: missing key 'walk.fetch'");
}

TEST(Document, AWrongTypeSaysWhatItIsAndWhatIsWanted) {
  Document document = parsed("a = 1\nb = 'x'\nc = [1]\nd = 1979-05-27\n[e]\n");
  const Table root = document.root();
  EXPECT_EQ(error_of(root.text("a")), "a.toml:1:5: 'a' is a whole number, text is wanted");
  EXPECT_EQ(error_of(root.boolean("a")), "a.toml:1:5: 'a' is a whole number, true or false is wanted");
  EXPECT_EQ(error_of(root.table("a")), "a.toml:1:5: 'a' is a whole number, a table is wanted");
  EXPECT_EQ(error_of(root.number("b")), "a.toml:2:5: 'b' is text, a number is wanted");
  EXPECT_EQ(error_of(root.text_list("b")), "a.toml:2:5: 'b' is text, a list of texts is wanted");
  EXPECT_EQ(error_of(root.text_list("c")), "a.toml:3:6: 'c' is a whole number, text is wanted");
  EXPECT_EQ(error_of(root.tables("c")), "a.toml:3:6: 'c' is a whole number, a table is wanted");
  EXPECT_EQ(error_of(root.integer("d", 0, 1)), "a.toml:4:5: 'd' is a date or time, a whole number is wanted");
  EXPECT_EQ(error_of(root.tables("e")), "a.toml:5:1: 'e' is a table, a list of tables, [[e]], is wanted");
}

TEST(Document, ANumberOutOfRangeSaysTheRange) {
  Document document = parsed("a = 0\nb = -0.5\nc = inf\n");
  const Table root = document.root();
  EXPECT_EQ(error_of(root.integer("a", 1, 1024)), "a.toml:1:5: 'a' is 0, it must be from 1 to 1024");
  EXPECT_EQ(error_of(root.number("b", 0)), "a.toml:2:5: 'b' is -0.5, it must be at least 0");
  EXPECT_EQ(error_of(root.number("b", 0, 1)), "a.toml:2:5: 'b' is -0.5, it must be from 0 to 1");
  EXPECT_EQ(error_of(root.number("c")), "a.toml:3:5: 'c' is inf, a finite number is wanted");
}

TEST(Document, AChoiceIsOneOfItsNames) {
  enum class Side { instruction, data };
  constexpr std::array<Choice<Side>, 2> sides{{{"instruction", Side::instruction}, {"data", Side::data}}};
  Document document = parsed("a = 'data'\nb = 'instrucion'\n");
  EXPECT_EQ(document.root().choice<Side>("a", sides).value(), Side::data);
  EXPECT_EQ(error_of(document.root().choice<Side>("b", sides)),
            "a.toml:2:5: 'b' cannot be 'instrucion' (did you mean 'instruction'?)");
  EXPECT_EQ(name_of<Side>(sides, Side::data), "data");
}

TEST(Document, AFigureOutOfOrderIsRefused) {
  EXPECT_EQ(figure_error(R"({ low = 6, typical = 5, high = 14, unit = "ns", kind = "recalled", source = "x" })"),
            "a.toml:2:16: 'cost': low 6 is above typical 5");
  EXPECT_EQ(figure_error(R"({ low = 4, typical = 15, high = 14, unit = "ns", kind = "recalled", source = "x" })"),
            "a.toml:2:40: 'cost': typical 15 is above high 14");
}

TEST(Document, AFigureOutsideItsDimensionIsRefused) {
  EXPECT_EQ(figure_error(R"({ low = -4, typical = 5, high = 14, unit = "ns", kind = "recalled", source = "x" })"),
            "a.toml:2:16: 'cost.low' is -4, a time is at least 0");
  EXPECT_EQ(figure_error(R"({ low = 0, typical = 0.5, high = 1.5, unit = "ratio", kind = "recalled", source = "x" })",
                         Dimension::ratio),
            "a.toml:2:41: 'cost.high' is 1.5, a ratio is at most 1");
  EXPECT_EQ(figure_error(R"({ low = 4, typical = 5.5, high = 8, unit = "entries", kind = "recalled", source = "x" })",
                         Dimension::entries),
            "a.toml:2:29: 'cost.typical' is 5.5, a number of entries is a whole number");
  EXPECT_EQ(figure_error(R"({ low = 4, typical = nan, high = 8, unit = "ns", kind = "recalled", source = "x" })"),
            "a.toml:2:29: 'cost.typical' is nan, a finite number is wanted");
  EXPECT_EQ(figure_error(R"({ low = 4, typical = 5, high = inf, unit = "ns", kind = "recalled", source = "x" })"),
            "a.toml:2:39: 'cost.high' is inf, a finite number is wanted");
}

TEST(Document, AFigureNeedsAUnitOfItsDimensionAKindAndASource) {
  EXPECT_EQ(figure_error(R"({ low = 4, typical = 5, high = 8, unit = "us", kind = "recalled", source = "x" })"),
            "a.toml:2:49: 'cost.unit' cannot be 'us': a time is written in cycles or ns");
  EXPECT_EQ(figure_error(R"({ low = 4, typical = 5, high = 8, unit = "ns", kind = "guessed", source = "x" })"),
            "a.toml:2:62: 'cost.kind' cannot be 'guessed' (known: measured, published, derived, recalled)");
  EXPECT_EQ(figure_error(R"({ low = 4, typical = 5, high = 8, unit = "ns", kind = "recalled", source = " " })"),
            "a.toml:2:83: 'cost.source' is empty: say where the figure comes from");
  EXPECT_EQ(figure_error(R"({ low = 4, typical = 5, high = 8, unit = "ns", kind = "recalled" })"),
            "a.toml:2:8: missing key 'cost.source'");
  EXPECT_EQ(figure_error("5"),
            "a.toml:2:8: 'cost' is not a figure { low, typical, high, unit, kind, source }, which is wanted");
}

TEST(Document, AnUnknownKeyInAFigureIsRefused) {
  Document document =
      parsed(R"(cost = { low = 4, typical = 5, high = 8, unit = "ns", kind = "recalled", source = "x", sorce = "y" })");
  ASSERT_TRUE(document.root().figure("cost", Dimension::time));
  EXPECT_EQ(error_of(document.finish()), "a.toml:1:88: unknown key 'sorce' in [cost] (did you mean 'source'?)");
}

TEST(Document, ASettingReplacesAFigureButKeepsItsKindAndUnit) {
  Document document = parsed(std::string("[walk]\nsetup = ") + kFigure);
  ASSERT_TRUE(document.set("walk.setup=6"));
  const Figure figure = document.root().table("walk").value().figure("setup", Dimension::time).value();
  EXPECT_EQ(figure.low, 6);
  EXPECT_EQ(figure.typical, 6);
  EXPECT_EQ(figure.high, 6);
  EXPECT_EQ(figure.unit, "cycles");
  EXPECT_EQ(figure.kind, Knowledge::recalled);
  EXPECT_EQ(figure.source, "--set");
  EXPECT_TRUE(document.finish());
}

TEST(Document, ASettingMayGiveARange) {
  for (const auto& [setting, typical] : {std::pair{"cost=4..8", 6.0}, {"cost=4,5,8", 5.0}, {"cost = 4, 5, 8", 5.0}}) {
    Document document = parsed(std::string("cost = ") + kFigure);
    ASSERT_TRUE(document.set(setting));
    const Figure figure = document.root().figure("cost", Dimension::time).value();
    EXPECT_EQ(figure.low, 4);
    EXPECT_EQ(figure.typical, typical);
    EXPECT_EQ(figure.high, 8);
  }
}

TEST(Document, ASettingOfOneBoundMarksTheSource) {
  Document document = parsed(std::string("cost = ") + kFigure);
  ASSERT_TRUE(document.set("cost.high=20"));
  const Figure figure = document.root().figure("cost", Dimension::time).value();
  EXPECT_EQ(figure.low, 4);
  EXPECT_EQ(figure.high, 20);
  EXPECT_EQ(figure.source, "--set");
}

TEST(Document, ASettingPassesTheChecksOfTheFileAndNamesItself) {
  Document document = parsed(std::string("cost = ") + kFigure);
  ASSERT_TRUE(document.set("cost=-1"));
  EXPECT_EQ(error_of(document.root().figure("cost", Dimension::time)),
            "--set cost=-1: 'cost.low' is -1, a time is at least 0");
}

TEST(Document, ASettingReachesScalarsListsAndNamedElements) {
  Document document = parsed("cpus = 8\ntitle = '8'\nsizes = ['4K']\n[[tlb]]\nname = 'l1d-4k'\nentries = 64\n");
  ASSERT_TRUE(document.set("cpus=16"));
  ASSERT_TRUE(document.set("title=32"));
  ASSERT_TRUE(document.set("sizes=4K,2M"));
  ASSERT_TRUE(document.set("tlb.l1d-4k.entries=32"));
  const Table root = document.root();
  EXPECT_EQ(root.integer("cpus", 1, 64).value(), 16);
  EXPECT_EQ(root.text("title").value(), "32");
  EXPECT_EQ(root.text_list("sizes").value(), (std::vector<std::string>{"4K", "2M"}));
  EXPECT_EQ(root.tables("tlb").value()[0].integer("entries", 1, 64).value(), 32);
  EXPECT_TRUE(root.tables("tlb").value()[0].was_set("entries"));
}

TEST(Document, ASettingForAKeyNobodyReadsIsRefusedLikeOneInTheFile) {
  Document document = parsed("[walk]\n");
  ASSERT_TRUE(document.set("wlak.setup=3"));
  ASSERT_TRUE(document.root().table("walk"));
  EXPECT_EQ(error_of(document.finish()), "--set wlak.setup=3: unknown key 'wlak' (did you mean 'walk'?)");
}

TEST(Document, ASettingMayAddAFigureTheFileLeavesOut) {
  Document document = parsed("[flush]\n");
  ASSERT_TRUE(document.set("flush.issue=100"));
  const Figure figure = document.root().table("flush").value().figure("issue", Dimension::time).value();
  EXPECT_EQ(figure.typical, 100);
  EXPECT_EQ(figure.unit, "cycles");
  EXPECT_EQ(figure.source, "--set");
}

TEST(Document, AMalformedSettingIsRefused) {
  const std::string text = std::string("cpus = 8\ncost = ") + kFigure + "\n[[tlb]]\nname = 'l1d'\n[walk]\n";
  EXPECT_EQ(set_error(text, "cpus"), "--set cpus: a setting is KEY=VALUE");
  EXPECT_EQ(set_error(text, "=4"), "--set =4: a setting is KEY=VALUE, and a part of this KEY is empty");
  EXPECT_EQ(set_error(text, "a..b=4"), "--set a..b=4: a setting is KEY=VALUE, and a part of this KEY is empty");
  EXPECT_EQ(set_error(text, "cpus="), "--set cpus=: a setting is KEY=VALUE, and this VALUE is empty");
  EXPECT_EQ(set_error(text, "cost=many"), "--set cost=many: a figure takes a number, low..high or low,typical,high");
  EXPECT_EQ(set_error(text, "cost=1,2"), "--set cost=1,2: a figure takes a number, low..high or low,typical,high");
  EXPECT_EQ(set_error(text, "cpus.x=1"), "--set cpus.x=1: 'cpus' is a whole number, it has no keys");
  EXPECT_EQ(set_error(text, "walk=1"), "--set walk=1: 'walk' is a table: name one of its keys");
  EXPECT_EQ(set_error(text, "tlb=1"), "--set tlb=1: 'tlb' is a list: name one of its elements and a key");
  EXPECT_EQ(set_error(text, "tlb.x=1"), "--set tlb.x=1: 'tlb' is a list: name one of its elements and a key");
  EXPECT_EQ(set_error(text, "tlb.lid.ways=1"),
            "--set tlb.lid.ways=1: no 'lid' among the elements of 'tlb' (did you mean 'l1d'?)");
  EXPECT_EQ(set_error(text, "tlb.l1d=1"), "--set tlb.l1d=1: 'tlb' is a list: name one of its elements and a key");
}

TEST(Document, AnHeirTakesWhatItLacksAndKeepsPlaces) {
  Document parent =
      Document::parse(
          "title = 'old'\n[walk]\na = 1\nb = 2\n[[tlb]]\nname = 'x'\nways = 1\n[[tlb]]\nname = 'y'\nways = 2\n",
          "parent.toml")
          .value();
  Document child = parsed("[walk]\nb = 3\n[[tlb]]\nname = 'x'\nways = 4\n");
  parent.drop("title");
  child.inherit(std::move(parent));
  const Table root = child.root();
  EXPECT_FALSE(root.has("title"));
  EXPECT_EQ(root.table("walk").value().integer("a", 0, 9).value(), 1);
  EXPECT_EQ(root.table("walk").value().integer("b", 0, 9).value(), 3);
  EXPECT_EQ(root.table("walk").value().place_of("a").file, "parent.toml");
  const std::vector<Table> tlb = root.tables("tlb").value();
  ASSERT_EQ(tlb.size(), 2u);
  EXPECT_EQ(tlb[0].integer("ways", 0, 9).value(), 2);
  EXPECT_EQ(tlb[1].integer("ways", 0, 9).value(), 4);
}

TEST(Document, AnHeirReplacesAFigureWhole) {
  Document parent = Document::parse(std::string("cost = ") + kFigure, "parent.toml").value();
  Document child = parsed("cost = { low = 1, typical = 1, high = 1 }");
  child.inherit(std::move(parent));
  EXPECT_EQ(error_of(child.root().figure("cost", Dimension::time)), "a.toml:1:8: missing key 'cost.unit'");
}

TEST(Document, MalformedTextIsAnErrorWithItsPlace) {
  EXPECT_EQ(parse_error("a = 1\na = 2\n"),
            "a.toml:2:5: not valid TOML: Error while parsing key-value pair: cannot redefine existing integer 'a'");
  EXPECT_EQ(parse_error("a = \n").substr(0, 30), "a.toml:1:5: not valid TOML: Er");
  EXPECT_EQ(parse_error("[\n").substr(0, 27), "a.toml:1:2: not valid TOML:");
  EXPECT_EQ(parse_error(std::string_view("a = 1\nb\0c = 2", 13)), "a.toml:2:2: a NUL byte: this is not a text file");
  EXPECT_EQ(parse_error("a = 'x\xff'"), "a.toml:1:7: byte 0xff is not valid UTF-8");
  EXPECT_EQ(parse_error("a = '\xed\xa0\x80'"), "a.toml:1:6: byte 0xed is not valid UTF-8");
  EXPECT_EQ(parse_error("\x1f\x8b\x08gz"), "a.toml:1:2: byte 0x8b is not valid UTF-8");
}

TEST(Document, DeepNestingIsAnErrorAndNotAStackOverflow) {
  std::string dotted = "a";
  for (int i = 0; i < 1000000; ++i) dotted += ".a";
  EXPECT_EQ(parse_error("\n" + dotted + " = 1\n"), "a.toml:2: nested more than 32 deep");
  EXPECT_EQ(parse_error("a = " + std::string(1000000, '[')), "a.toml:1: nested more than 32 deep");
  EXPECT_EQ(parse_error("b = [\"\"\"x\"\"\"\", {" + dotted + " = 1}]"), "a.toml:1: nested more than 32 deep");
  EXPECT_EQ(parse_error("a = '...................................... [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[' # [[["),
            "no error");
}

TEST(Document, AnEmptyFileMissesItsFirstKey) {
  Document document = parsed("");
  EXPECT_EQ(error_of(document.root().text("name")), "a.toml:1:1: missing key 'name'");
}

class LoadingFiles : public testing::Test {
 protected:
  const TemporaryFolder folder_;
};

TEST_F(LoadingFiles, AMissingFileAndADirectoryAreClearErrors) {
  EXPECT_EQ(error_of(Document::load(folder_.file("none.toml"))),
            folder_.file("none.toml") + ": cannot read: No such file or directory");
  EXPECT_EQ(error_of(Document::load(folder_.path().string())),
            folder_.path().string() + ": cannot read: this is a directory");
}

TEST_F(LoadingFiles, AnEndlessFileIsRefused) {
  EXPECT_EQ(error_of(Document::load("/dev/zero")), "/dev/zero: larger than 4 MiB: this is not a file a person wrote");
}

TEST_F(LoadingFiles, AFileNamesItselfInErrors) {
  const std::string path = folder_.file("m.toml", "a = 1\n");
  Document document = Document::load(path).value();
  EXPECT_EQ(error_of(document.root().text("a")), path + ":1:5: 'a' is a whole number, text is wanted");
}

}  // namespace
}  // namespace tollgate::config
