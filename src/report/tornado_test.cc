#include "report/tornado.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tollgate::report {
namespace {

using ::testing::ElementsAre;

TEST(Tornado, DrawsAllBarsOnOneScale) {
  EXPECT_THAT(tornado({{0.0, 10.0}, {8.0, 2.0}, {5.0, 6.0}}, 5.0, 11),
              ElementsAre("L====|====H", "..H==|==L..", ".....LH...."));
}

TEST(Tornado, EndsThatMeetAreAnX) {
  EXPECT_THAT(tornado({{1.0, 1.0}, {0.0, 2.0}}, std::nullopt, 5), ElementsAre("..X..", "L===H"));
}

TEST(Tornado, WithoutAnyRangeEverythingIsInTheMiddle) {
  EXPECT_THAT(tornado({{3.0, 3.0}}, 3.0, 5), ElementsAre("..X.."));
}

TEST(Tornado, EndsThatAreMissingOrNotFiniteAreLeftOut) {
  EXPECT_THAT(tornado({{std::nullopt, 2.0}, {std::nan(""), std::nullopt}}, 0.0, 5), ElementsAre("|...H", "|...."));
  EXPECT_THAT(tornado({{std::nullopt, std::nullopt}}, std::nullopt, 3), ElementsAre("..."));
}

}  // namespace
}  // namespace tollgate::report
