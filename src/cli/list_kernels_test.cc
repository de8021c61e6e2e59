#include "cli/list_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/document.h"

namespace tollgate::cli {
namespace {

using testing::HasSubstr;

TEST(ListKernels, WritesTheStepsOfASequenceAsTheFileHasThem) {
  EXPECT_THAT(
      render_text(kernel_detail("linux-4.16", {}).value().document),
      HasSubstr(
          "fetch trampoline 5, write entry_stack, read tss, load kernel root, fetch trampoline 3, read percpu, fetch "
          "entry_text 22, write task_stack"));
  EXPECT_THAT(kernel_detail("linux-4.16", {}).value().json, HasSubstr("\"load user root\""));
}

TEST(ListKernels, ShowsEachPathWithItsFigureItsPagesAndItsSource) {
  const std::string text = render_text(kernel_detail("linux-4.16", {}).value().document);
  EXPECT_THAT(text, testing::ContainsRegex("path\\.lseek\\.instructions +\\| +290 +\\| +320 +\\| +350 .*Debian 6\\.1"));
  EXPECT_THAT(text, testing::ContainsRegex("lseek +\\| +12 +\\| +4 +\\| +6 .*recorded page footprint of one lseek"));
}

TEST(ListKernels, ShowsTheEffectOfASetting) {
  EXPECT_THAT(kernel_detail("linux-4.16", {"tick.hz=1000"}).value().json, HasSubstr("\"hz\": 1000"));
}

TEST(ListKernels, SuggestsTheNameThatWasMeant) {
  EXPECT_EQ(kernel_detail("linux-4.61", {}).error().text(), "unknown kernel 'linux-4.61' (did you mean 'linux-4.16'?)");
}

}  // namespace
}  // namespace tollgate::cli
