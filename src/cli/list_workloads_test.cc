#include "cli/list_workloads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/document.h"
#include "workload/workload.h"

namespace tollgate::cli {
namespace {

using testing::HasSubstr;

std::string text_of(const std::string& name) { return render_text(workload_detail(name, {}).value().document); }

TEST(ListWorkloads, ShowsEveryFigureOfTheKindWithItsMeaningAndSource) {
  const auto workload = workload::read_workload(TOLLGATE_SOURCE_DIR "/workloads/tlb-flush2.toml", {}).value();
  const std::string text = text_of("tlb-flush2");
  for (const auto& need : workload.kind->figures) {
    EXPECT_THAT(text, HasSubstr("program." + std::string(need.name)));
    EXPECT_THAT(text, HasSubstr(workload.figures.at(std::string(need.name)).source));
    EXPECT_THAT(text, HasSubstr(need.meaning));
  }
  EXPECT_THAT(text, HasSubstr("base_cpi.kernel"));
  EXPECT_THAT(text, HasSubstr("Runs on 36 CPUs"));
}

TEST(ListWorkloads, ShowsTheSizeOfARecording) {
  EXPECT_THAT(text_of("compile"), HasSubstr("77,428,636"));
  const std::string json = workload_detail("compile", {}).value().json;
  EXPECT_THAT(json, HasSubstr("\"references\": 104273810"));
  EXPECT_THAT(json, HasSubstr("\"system_calls\": 0"));
}

TEST(ListWorkloads, SaysThatReplayHasNoRecordingOfItsOwn) {
  EXPECT_THAT(text_of("replay"), HasSubstr("--workload trace:FILE"));
  EXPECT_THAT(workload_detail("replay", {}).value().json, HasSubstr("\"recording\": null"));
}

TEST(ListWorkloads, ShowsTheEffectOfASetting) {
  EXPECT_THAT(workload_detail("lseek1", {"program.user_instructions=7"}).value().json, HasSubstr("\"typical\": 7"));
}

TEST(ListWorkloads, RefusesASettingOfNoFigure) {
  EXPECT_EQ(workload_detail("lseek1", {"program.user_instruction=7"}).error().text(),
            "--set program.user_instruction=7: unknown key 'user_instruction' in [program] (did you mean "
            "'user_instructions'?)");
}

}  // namespace
}  // namespace tollgate::cli
