#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/list_kinds.h"
#include "cli/list_machines.h"

namespace tollgate::cli {
namespace {

using testing::HasSubstr;

const ListDetail& skylake() {
  static const ListDetail detail = machine_detail("skylake-desktop", {}).value();
  return detail;
}

TEST(List, EveryKindListsItselfAndShowsEachOfItsEntries) {
  for (const ListKind& kind : list_kinds()) {
    const auto entries = kind.entries();
    ASSERT_TRUE(entries) << entries.error().text();
    EXPECT_FALSE(entries->empty()) << kind.name;
    for (const ListEntry& entry : *entries) {
      EXPECT_FALSE(entry.title.empty()) << entry.name;
      const auto detail = kind.detail(entry.name, {});
      ASSERT_TRUE(detail) << detail.error().text();
      EXPECT_THAT(detail->json, HasSubstr("\"name\": \"" + entry.name + "\""));
    }
  }
}

TEST(ListMachines, ShowsEveryFigureWithItsSource) {
  const auto machine = hw::load_machine(TOLLGATE_SOURCE_DIR "/machines/skylake-desktop.toml").value();
  const std::string text = report::render_text(skylake().document);
  for (const auto& info : hw::kFigures) {
    EXPECT_THAT(text, HasSubstr(info.name));
    EXPECT_THAT(text, HasSubstr(machine.figure(info.id).source));
  }
  for (const auto& array : machine.tlb) EXPECT_THAT(text, HasSubstr(array.entries.source));
}

TEST(ListMachines, AnArmMachineSaysHowWideItsTagsAre) {
  const std::string text = report::render_text(machine_detail("d06-4bit", {}).value().document);
  EXPECT_THAT(text, HasSubstr("ASIDs of 16 bits, VMIDs of 4."));
  EXPECT_THAT(machine_detail("d06-4bit", {}).value().json, HasSubstr("\"vmid_bits\": 4"));
}

TEST(ListMachines, SaysWhatTheMachineDoesNotHave) {
  const std::string text = report::render_text(machine_detail("denverton-server", {}).value().document);
  EXPECT_THAT(text, HasSubstr("PCID: no. INVPCID: no."));
  EXPECT_THAT(text,
              HasSubstr("flush.invpcid_all: INVPCID type 2: everything, globals too (this machine does not have it)"));
}

TEST(ListMachines, WritesFiguresAndArraysAsJson) {
  EXPECT_THAT(skylake().json, HasSubstr("\"schema\": \"tollgate.machine/1\""));
  EXPECT_THAT(skylake().json, HasSubstr("\"cr3.write\": {"));
  EXPECT_THAT(skylake().json, HasSubstr("\"ways\": 12"));
  EXPECT_THAT(skylake().json, HasSubstr("\"ways\": \"full\""));
}

TEST(ListMachines, ShowsTheEffectOfASetting) {
  const auto detail = machine_detail("skylake-desktop", {"cr3.write=300"}).value();
  EXPECT_THAT(detail.json, HasSubstr("\"typical\": 300"));
  EXPECT_THAT(detail.json, HasSubstr("\"source\": \"--set\""));
}

TEST(ListMachines, RefusesASettingOfNoMachine) {
  EXPECT_EQ(machine_detail("skylake-desktop", {"wlak.setup=1"}).error().text(),
            "--set wlak.setup=1: unknown key 'wlak' (did you mean 'walk'?)");
}

}  // namespace
}  // namespace tollgate::cli
