#include "cli/list_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/document.h"

namespace tollgate::cli {
namespace {

using testing::HasSubstr;

TEST(ListMetrics, ShowsUnitDirectionAndTheQuestionsThatReportIt) {
  const ListDetail detail = metric_detail("elapsed_s", {}).value();
  EXPECT_THAT(render_text(detail.document), HasSubstr("Unit: s. Better: lower."));
  EXPECT_THAT(detail.json, HasSubstr("pti-global-compile"));
  EXPECT_THAT(detail.json, testing::Not(HasSubstr("pti-off-on")));
}

TEST(ListMetrics, SuggestsTheNameThatWasMeant) {
  EXPECT_EQ(metric_detail("elapsed", {}).error().text(), "unknown metric 'elapsed' (did you mean 'elapsed_s'?)");
}

}  // namespace
}  // namespace tollgate::cli
