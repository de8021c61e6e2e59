#include "cli/list_policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/policy.h"
#include "report/document.h"
#include "report/json_writer.h"

namespace tollgate::cli {
namespace {

using testing::HasSubstr;

TEST(ListPolicies, ShowsEveryValueWithItsMeaningAndTheKernelEra) {
  for (const auto& info : kernel::policy_catalogue()) {
    const ListDetail detail = policy_detail(std::string(info.key), {}).value();
    const std::string text = render_text(detail.document);
    EXPECT_THAT(detail.json, HasSubstr(report::json_quoted(info.era)));
    for (const auto& [value, meaning] : info.choices) {
      EXPECT_THAT(text, testing::ContainsRegex("\n" + std::string(value) + " +\\| "));
      EXPECT_THAT(text, HasSubstr(meaning));
    }
  }
}

TEST(ListPolicies, SaysWhatAVariantHasThatDoesNotSetIt) {
  EXPECT_THAT(policy_detail("flush_ceiling", {}).value().json, HasSubstr("\"default\": \"33\""));
  EXPECT_THAT(policy_detail("pti", {}).value().json, HasSubstr("\"default\": \"off\""));
}

TEST(ListPolicies, SuggestsTheNameThatWasMeant) {
  EXPECT_EQ(policy_detail("global_page", {}).error().text(),
            "unknown policy 'global_page' (did you mean 'global_pages'?)");
}

}  // namespace
}  // namespace tollgate::cli
