#include "cli/progress.h"

#include <gtest/gtest.h>

namespace tollgate::cli {
namespace {

TEST(Progress, ALineSaysHowFarAndHowLongStill) {
  EXPECT_EQ(progress_line("importing", 1050, 2500, 10), "importing   42%  1,050/2,500  ETA 14 s");
  EXPECT_EQ(progress_line("draws", 20, 20, 10), "draws  100%  20/20  ETA 0 s");
  EXPECT_EQ(progress_line("draws", 1, 1000, 10), "draws    0%  1/1,000  ETA 2 h 46 min");
}

TEST(Progress, NothingIsGuessedAtTheStartOrWithoutATotal) {
  EXPECT_EQ(progress_line("draws", 0, 20, 10), "draws    0%  0/20");
  EXPECT_EQ(progress_line("draws", 1, 20, 0.1), "draws    5%  1/20");
  EXPECT_EQ(progress_line("reading", 12345, 0, 10), "reading  12,345");
}

TEST(Progress, MoreThanTheTotalIsStillAHundredPercent) {
  EXPECT_EQ(progress_line("draws", 30, 20, 0), "draws  100%  30/20");
}

}  // namespace
}  // namespace tollgate::cli
