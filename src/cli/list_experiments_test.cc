#include "cli/list_experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/question.h"

namespace tollgate::cli {
namespace {

using testing::HasSubstr;

ListDetail detail_of(const std::string& name) { return experiment_detail(name, {}).value(); }

TEST(ListExperiments, EachVariantShowsThePoliciesItRunsWith) {
  const std::string json = detail_of("pti-off-on").json;
  const auto variant = json.substr(json.find("\"name\": \"on-nopcid\""));
  EXPECT_THAT(variant.substr(0, variant.find("only_without_pcid")), HasSubstr("\"pcid\": \"off\""));
  const std::string text = render_text(detail_of("pti-off-on").document);
  EXPECT_THAT(text, testing::ContainsRegex("on-nopcid +\\| on +\\| none +\\| off "));
  EXPECT_THAT(text, HasSubstr("pcid = off: nopcid"));
}

TEST(ListExperiments, SaysWhichVariantsAreAskedOfMachinesWithoutPcidsOnly) {
  EXPECT_THAT(render_text(detail_of("pti-global-lseek").document),
              testing::ContainsRegex("entry-text .*machines without PCIDs"));
}

TEST(ListExperiments, ShowsEveryPublishedRowThatNamesTheQuestionAndNoOther) {
  const std::string text = render_text(detail_of("pti-global-compile").document);
  const std::vector<evidence::PublishedRow> rows = published_rows().value();
  int shown = 0;
  for (const evidence::PublishedRow& row : rows) {
    const bool named = row.question == "pti-global-compile";
    EXPECT_EQ(text.find("\n" + row.id + " ") != std::string::npos, named) << row.id;
    shown += named;
  }
  EXPECT_GT(shown, 0);
}

TEST(ListExperiments, ShowsTheLayoutThatExplainSweeps) {
  EXPECT_THAT(render_text(detail_of("pti-global-lseek").document),
              HasSubstr("kernel.path.lseek.text_large_pages = 2, 3,"));
  EXPECT_THAT(detail_of("pti-off-on").json, HasSubstr("\"layout\": null"));
}

TEST(ListExperiments, TellsAWindowFromARunToCompletion) {
  EXPECT_THAT(render_text(detail_of("pti-off-on").document),
              HasSubstr("runs for 100 us, and is then measured for 600 us."));
  EXPECT_THAT(render_text(detail_of("pti-global-compile").document), HasSubstr("runs until its programs have exited"));
}

TEST(ListExperiments, SuggestsTheNameThatWasMeant) {
  EXPECT_EQ(experiment_detail("pti-of-on", {}).error().text(),
            "unknown experiment 'pti-of-on' (did you mean 'pti-off-on'?)");
}

}  // namespace
}  // namespace tollgate::cli
