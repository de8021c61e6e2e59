#include "hw/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/test_support/temporary_folder.h"
#include "base/text.h"
#include "config/text_file.h"

namespace tollgate::hw {
namespace {

const std::string kMachines = TOLLGATE_SOURCE_DIR "/machines/";

/// The text of skylake-desktop, in which the tests below spoil one thing each.
std::string skylake() {
  static const std::string text = config::read_text_file(kMachines + "skylake-desktop.toml").value();
  return text;
}

std::string with(const std::string& old_text, const std::string& new_text) {
  std::string text = skylake();
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

/// "LINE" of the first line that contains `what`.
std::string line_of(const std::string& text, const std::string& what) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
}

std::string error_of(const Result<Machine>& machine) { return machine ? "no error" : machine.error().text(); }

std::string error_with(const std::string& old_text, const std::string& new_text) {
  return error_of(parse_machine(with(old_text, new_text), "m.toml"));
}

std::string error_set(const std::string& setting) { return error_of(parse_machine(skylake(), "m.toml", {setting})); }

/// "m.toml:LINE:COLUMN" of `what` in the shipped text.
std::string at(const std::string& what, int column) {
  return "m.toml:" + line_of(skylake(), what) + ":" + std::to_string(column);
}

TEST(Machine, ReadsFeaturesTopologyArraysAndFigures) {
  const Machine machine = load_machine(kMachines + "skylake-desktop.toml").value();
  EXPECT_EQ(machine.name, "skylake-desktop");
  EXPECT_EQ(machine.architecture, "x86_64");
  EXPECT_TRUE(machine.features.pcid);
  EXPECT_TRUE(machine.features.global_pages);
  EXPECT_FALSE(machine.features.broadcast_flush);
  EXPECT_EQ(machine.topology.cpus, 8);
  EXPECT_EQ(machine.topology.threads_per_core, 2);
  const auto l2 =
      std::find_if(machine.tlb.begin(), machine.tlb.end(), [](const auto& array) { return array.name == "l2"; });
  ASSERT_NE(l2, machine.tlb.end());
  EXPECT_EQ(l2->level, 2);
  EXPECT_EQ(l2->side, Side::both);
  EXPECT_EQ(l2->sizes, (std::vector<PageSize>{PageSize::k4K, PageSize::k2M}));
  EXPECT_EQ(l2->ways, 12);
  EXPECT_EQ(l2->entries.typical, 1536);
  EXPECT_EQ(machine.figure(FigureId::cr3_write).typical, 191);
  EXPECT_EQ(machine.figure(FigureId::cr3_write).kind, config::Knowledge::recalled);
}

TEST(Machine, WhatItDoesNotHaveHasNoPrice) {
  const Machine machine = load_machine(kMachines + "denverton-server.toml").value();
  EXPECT_FALSE(machine.has_figure(FigureId::flush_invpcid_all));
  EXPECT_EQ(typical_machine(machine).value(FigureId::flush_invpcid_all), 0);
  EXPECT_FALSE(machine.has_figure(FigureId::line_transfer_far));
  EXPECT_TRUE(machine.has_figure(FigureId::flush_pge_toggle));
}

TEST(Machine, AnUnknownKeyIsRefused) {
  const std::string line = std::to_string(std::stoi(line_of(skylake(), "[walk]")) + 1);
  EXPECT_EQ(error_with("[walk]", "[walk]\nset_up = 1"),
            "m.toml:" + line + ":1: unknown key 'set_up' in [walk] (did you mean 'setup'?)");
}

TEST(Machine, AMissingTableIsReportedWithTheLikelySlip) {
  EXPECT_EQ(error_with("[psc]", "[pcs]"),
            "m.toml:1:1: missing key 'psc' (is 'pcs' on line " + line_of(skylake(), "[psc]") + " meant?)");
}

TEST(Machine, AMissingFigureIsReportedAtItsTable) {
  EXPECT_EQ(error_with("near_lines =", "nearby ="), at("[walk]", 1) + ": missing key 'walk.near_lines'");
  EXPECT_EQ(error_with("near_lines =", "near_line ="), at("[walk]", 1) +
                                                           ": missing key 'walk.near_lines' (is 'near_line' on line " +
                                                           line_of(skylake(), "near_lines") + " meant?)");
}

TEST(Machine, ZeroWaysAreRefused) {
  EXPECT_EQ(error_with("ways = 12", "ways = 0"),
            at("ways = 12", 8) + ": 'tlb.l2.ways' is 0, it must be from 1 to 65536");
}

TEST(Machine, WaysThatDoNotDivideTheEntriesAreRefused) {
  EXPECT_EQ(error_with("ways = 12", "ways = 10"),
            at("ways = 12", 8) + ": 'tlb.l2': 1536 entries cannot be made of sets of 10 ways");
}

TEST(Machine, WaysAreANumberOrFull) {
  EXPECT_EQ(error_with("ways = 12", "ways = \"all\""),
            at("ways = 12", 8) + ": 'tlb.l2.ways' is 'all', a whole number or \"full\" is wanted");
}

TEST(Machine, ATreeOfBitsNeedsAPowerOfTwoOfWays) {
  EXPECT_EQ(error_with("ways = 12\nreplacement = \"lru\"", "ways = 12\nreplacement = \"plru\""),
            "m.toml:" + std::to_string(std::stoi(line_of(skylake(), "ways = 12")) + 1) +
                ":15: 'tlb.l2.replacement': a tree of bits (plru) needs a power of two of ways, at most 64");
}

TEST(Machine, NegativeCostsAreRefused) {
  EXPECT_EQ(error_with("setup = { low = 10", "setup = { low = -1"),
            at("setup = {", 17) + ": 'walk.setup.low' is -1, a time is at least 0");
}

TEST(Machine, LowAboveTypicalIsRefused) {
  EXPECT_EQ(error_with("setup = { low = 10", "setup = { low = 15"),
            at("setup = {", 17) + ": 'walk.setup': low 15 is above typical 14");
}

TEST(Machine, WrongUnitsAreRefused) {
  EXPECT_EQ(error_with("high = 22, unit = \"cycles\"", "high = 22, unit = \"us\""),
            at("setup = {", 53) + ": 'walk.setup.unit' cannot be 'us': a time is written in cycles or ns");
  EXPECT_EQ(error_with("unit = \"GHz\"", "unit = \"MHz\""),
            at("reference = {", 60) + ": 'clock.reference.unit' cannot be 'MHz': a clock rate is written in GHz");
}

TEST(Machine, UnknownPageSizesAreRefused) {
  EXPECT_EQ(error_with("sizes = [\"4K\"]", "sizes = [\"8K\"]"),
            at("sizes = [\"4K\"]", 9) + ": 'tlb.l1d-4k.sizes': no page size '8K' (known: 4K, 2M, 1G)");
  EXPECT_EQ(error_with("sizes = [\"4K\"]", "sizes = []"), at("sizes = [\"4K\"]", 9) + ": 'tlb.l1d-4k.sizes' is empty");
  EXPECT_EQ(error_with("sizes = [\"4K\", \"2M\"]", "sizes = [\"4K\", \"4K\"]"),
            at("sizes = [\"4K\", \"2M\"]", 9) + ": 'tlb.l2.sizes' says '4K' twice");
}

TEST(Machine, LevelsAreOneAndTwo) {
  EXPECT_EQ(error_with("level = 2", "level = 3"), at("level = 2", 9) + ": 'tlb.l2.level' is 3, it must be from 1 to 2");
}

TEST(Machine, BothSidesNeedAFirstLevelFor4KPages) {
  EXPECT_EQ(error_with("name = \"l1i-4k\"\nlevel = 1\nside = \"instruction\"\nsizes = [\"4K\"]",
                       "name = \"l1i-4k\"\nlevel = 1\nside = \"instruction\"\nsizes = [\"1G\"]"),
            at("[[tlb]]", 1) + ": no level-1 TLB array holds 4K pages of the instruction side");
}

TEST(Machine, TwoArraysForOnePageAreRefused) {
  const std::string second =
      "m.toml:" + std::to_string(std::stoi(line_of(skylake(), "name = \"l1d-2m\"")) - 1) + ":1: ";
  EXPECT_EQ(error_with("name = \"l1d-2m\"", "name = \"l1d-4k\""), second + "two TLB arrays are called 'l1d-4k'");
  EXPECT_EQ(error_with("sizes = [\"2M\"]", "sizes = [\"2M\", \"4K\"]"),
            second + "TLB arrays 'l1d-4k' and 'l1d-2m' both hold 4K pages of the data side at level 1");
}

TEST(Machine, UnevenTopologiesAreRefused) {
  EXPECT_EQ(error_with("cpus = 8", "cpus = 7"),
            at("cpus = 8", 8) + ": 7 CPUs cannot be shared out evenly over 1 sockets with 2 threads a core");
  EXPECT_EQ(error_with("cpus = 8", "cpus = 0"),
            at("cpus = 8", 8) + ": 'topology.cpus' is 0, it must be from 1 to 1024");
}

TEST(Machine, OtherArchitecturesAreRefused) {
  EXPECT_EQ(error_with("\"x86_64\"", "\"arm64\""),
            at("architecture", 16) + ": 'architecture' cannot be 'arm64' (known: x86_64, aarch64)");
}

TEST(Machine, NamesMustServeInSettings) {
  EXPECT_EQ(error_with("name = \"l2\"", "name = \"l.2\""),
            at("name = \"l2\"", 8) + ": name 'l.2' may have a-z, 0-9, '-' and '_' only");
}

TEST(Machine, PricesOfWhatItDoesNotHaveAreRefused) {
  EXPECT_EQ(error_with("invpcid = true", "invpcid = false"),
            at("invpcid_address", 19) +
                ": 'flush.invpcid_address' prices what this machine does not have: features.invpcid is false");
  EXPECT_EQ(error_set("flush.broadcast_sync=3"),
            "--set flush.broadcast_sync=3: 'flush.broadcast_sync' prices what this machine does not have: "
            "features.broadcast_flush is false");
  EXPECT_EQ(
      error_set("line.transfer_far=300"),
      "--set line.transfer_far=300: 'line.transfer_far' prices what this machine does not have: topology.sockets is 1");
}

TEST(Machine, AGeometryNeedsAKindAndASource) {
  EXPECT_EQ(error_with("kind = \"recalled\"\nsource", "kind = \"known\"\nsource"),
            at("kind = \"recalled\"\nsource", 8) +
                ": 'tlb.l1d-4k.kind' cannot be 'known' (known: measured, published, derived, recalled)");
  EXPECT_EQ(error_with("source = \"Skylake client first-level data TLB as commonly given: 64 entries, 4-way\"",
                       "source = \"\""),
            at("source = \"Skylake client first-level data TLB as commonly given: 64", 10) +
                ": 'tlb.l1d-4k.source' is empty: say where the figure comes from");
}

TEST(Machine, SettingsChangeFiguresGeometryAndTopology) {
  const Machine machine =
      parse_machine(skylake(), "m.toml",
                    {"walk.exposed_data=0.4", "tlb.l1d-4k.entries=32", "cpus=16", "walk.setup=10..20"})
          .value();
  EXPECT_EQ(machine.figure(FigureId::walk_exposed_data).low, 0.4);
  EXPECT_EQ(machine.figure(FigureId::walk_exposed_data).source, "--set");
  EXPECT_EQ(machine.figure(FigureId::walk_setup).typical, 15);
  EXPECT_EQ(machine.tlb[0].entries.typical, 32);
  EXPECT_EQ(machine.tlb[0].entries.source, "--set");
  EXPECT_EQ(machine.topology.cpus, 16);
}

TEST(Machine, ASettingOfARangedGeometryIsTaken) {
  const Machine machine = load_machine(kMachines + "denverton-server.toml", {"tlb.l1d.entries=24"}).value();
  EXPECT_EQ(machine.tlb[0].entries.high, 24);
}

TEST(Machine, SettingsPassTheSameChecks) {
  EXPECT_EQ(error_set("tlb.l2.ways=10"),
            "--set tlb.l2.ways=10: 'tlb.l2': 1536 entries cannot be made of sets of 10 ways");
  EXPECT_EQ(error_set("walk.exposed_data=1.5"),
            "--set walk.exposed_data=1.5: 'walk.exposed_data.low' is 1.5, a ratio is at most 1");
  EXPECT_EQ(error_set("wlak.setup=3"), "--set wlak.setup=3: unknown key 'wlak' (did you mean 'walk'?)");
  EXPECT_EQ(error_set("cpus=many"), "--set topology.cpus=many: 'topology.cpus' is text, a whole number is wanted");
}

TEST(Machine, SettingsOfMachinesAreTold) {
  for (const char* setting : {"walk.setup=3", "cpus=4", "tlb.l2.ways=8", "features.pcid=false", "topology.cpus=4"})
    EXPECT_TRUE(is_machine_setting(setting)) << setting;
  for (const char* setting : {"tasks=3", "walk=3", "kernel.ceiling=33", "", "="})
    EXPECT_FALSE(is_machine_setting(setting)) << setting;
}

TEST(Machine, AMissingFileIsAClearError) {
  EXPECT_EQ(error_of(load_machine("none.toml")), "none.toml: cannot read: No such file or directory");
}

class Inheritance : public testing::Test {
 protected:
  Inheritance() {
    std::filesystem::copy_file(kMachines + "skylake-desktop.toml", folder_.file("skylake-desktop.toml"));
  }
  std::string write(const std::string& name, const std::string& text) { return folder_.file(name + ".toml", text); }
  const TemporaryFolder folder_;
};

TEST_F(Inheritance, AnHeirStatesOnlyWhatDiffers) {
  const Machine machine =
      load_machine(write("a",
                         "based_on = 'skylake-desktop'\nname = 'a'\ntitle = 'A'\n[topology]\ncpus = 4\n"
                         "[[tlb]]\nname = 'l1d-4k'\nlevel = 1\nside = 'data'\nsizes = ['4K']\nentries = 32\n"
                         "ways = 4\nreplacement = 'lru'\nkind = 'recalled'\nsource = 's'\n"))
          .value();
  EXPECT_EQ(machine.name, "a");
  EXPECT_EQ(machine.topology.cpus, 4);
  EXPECT_EQ(machine.topology.threads_per_core, 2);
  EXPECT_EQ(machine.figure(FigureId::walk_setup).typical, 14);
  EXPECT_EQ(machine.tlb.size(), 7u);
  EXPECT_EQ(machine.tlb.back().entries.typical, 32);
}

TEST_F(Inheritance, AnHeirNamesItself) {
  const std::string path = write("a", "based_on = 'skylake-desktop'\n");
  EXPECT_EQ(error_of(load_machine(path)), path + ":1:1: missing key 'name'");
}

TEST_F(Inheritance, ErrorsPointIntoTheRightFile) {
  write("b", with("setup = { low = 10", "setup = { low = -1"));
  const std::string path = write("a", "based_on = 'b'\nname = 'a'\ntitle = 'A'\n");
  EXPECT_EQ(error_of(load_machine(path)), folder_.file("b.toml") + ":" + line_of(skylake(), "setup = {") +
                                              ":17: 'walk.setup.low' is -1, a time is at least 0");
}

TEST_F(Inheritance, CirclesMissingParentsAndPathsAreRefused) {
  const std::string a = write("a", "based_on = 'b'\n");
  const std::string b = write("b", "\nbased_on = 'a'\n");
  EXPECT_EQ(error_of(load_machine(a)), b + ":2:12: based_on never ends: a -> b -> a");
  const std::string c = write("c", "based_on = 'none'\n");
  EXPECT_EQ(error_of(load_machine(c)),
            c + ":1:12: based_on 'none': " + folder_.file("none.toml") + ": cannot read: No such file or directory");
  const std::string d = write("d", "based_on = '../d'\n");
  EXPECT_EQ(error_of(load_machine(d)), d + ":1:12: based_on '../d' is not the name of a machine");
}

TEST_F(Inheritance, AnHeirMayTakeAFeatureAwayWithoutNamingItsPrices) {
  const auto machine =
      load_machine(write("a", "based_on = 'skylake-desktop'\nname = 'a'\ntitle = 'A'\n[features]\ninvpcid = false\n"));
  ASSERT_TRUE(machine) << machine.error().text();
  EXPECT_FALSE(machine->has_figure(FigureId::flush_invpcid_address));
  EXPECT_TRUE(machine->has_figure(FigureId::flush_invlpg));
}

TEST_F(Inheritance, AParentThatIsNotBesideItsHeirIsAskedFor) {
  const std::string heir = write("a", "based_on = 'milan-36'\nname = 'a'\ntitle = 'A'\n");
  EXPECT_FALSE(load_machine(heir));
  const auto find = [](const std::string& name) -> Result<std::string> { return kMachines + name + ".toml"; };
  EXPECT_TRUE(load_machine(heir, {}, find));
}

TEST_F(Inheritance, AParentCannotBeSet) {
  const std::string error =
      error_of(load_machine(write("a", "based_on = 'skylake-desktop'\nname = 'a'\ntitle = 'A'\n"), {"based_on=b"}));
  EXPECT_EQ(error.substr(0, 56), "--set based_on=b: unknown key 'based_on' (known: archite");
}

TEST_F(Inheritance, ATextThatStandsAloneHasNoParent) {
  EXPECT_EQ(error_of(parse_machine("based_on = 'x'\n" + skylake(), "m.toml")).substr(0, 38),
            "m.toml:1:1: unknown key 'based_on' (kn");
}

}  // namespace
}  // namespace tollgate::hw
