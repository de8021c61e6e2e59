#include "audit/printed_number.h"

#include <gtest/gtest.h>

namespace tollgate::audit {
namespace {

PrintedNumber one(std::string_view text) {
  const auto numbers = numbers_in(text);
  EXPECT_EQ(numbers.size(), 1u) << text;
  return numbers.empty() ? PrintedNumber{} : numbers.front();
}

TEST(PrintedNumber, WhatPeopleAndToolsWrite) {
  struct Case {
    const char* text;
    double value, half_unit;
  };
  for (const Case& c : std::initializer_list<Case>{{"186.951", 186.951, 0.0005},
                                                   {"1,003,102", 1003102, 0.5},
                                                   {"1'234", 1234, 0.5},
                                                   {"26311,000", 26311, 0.0005},
                                                   {"1.36e+09", 1.36e9, 0.005e9},
                                                   {"527k", 527000, 500},
                                                   {"5:12.81", 312.81, 0.005},
                                                   {"-.6%", -0.6, 0.05},
                                                   {"~22%", 22, 0.5},
                                                   {"817.6n", 817.6, 0.05},
                                                   {"10.2GiB", 10.2, 0.05},
                                                   {"+03", 3, 0.5},
                                                   {"54.15s", 54.15, 0.005},
                                                   {"( +576)", 576, 0.5},
                                                   {"0.1000000000000000055", 0.1, 0.5e-19},
                                                   {"1234567890123456789012345", 1234567890123456789012345.0, 0.5},
                                                   {"123,456,789,012,345,678.5", 123456789012345678.5, 0.05}}) {
    const PrintedNumber number = one(c.text);
    EXPECT_DOUBLE_EQ(number.value, c.value) << c.text;
    EXPECT_NEAR(number.half_unit, c.half_unit, 1e-9 * c.half_unit) << c.text;
  }
}

TEST(PrintedNumber, DigitsOfAWordAreNoFigure) {
  for (const char* text : {"v6.11-rc1", "p99", "HEAD~3", "5.14-rc3", "2020-08-01", "10:11:12", "99.0th", "asi5",
                           "6.11.1", "x86_64", "Cortex-A53@1.2Ghz", "0x1f", "#126", "patch1-8"})
    EXPECT_TRUE(numbers_in(text).empty()) << text;
}

TEST(PrintedNumber, PercentAndSignAreKept) {
  const auto numbers = numbers_in("-2.05 ( -7.5%) and +8%");
  ASSERT_EQ(numbers.size(), 3u);
  EXPECT_FALSE(numbers[0].percent);
  EXPECT_TRUE(numbers[1].percent && numbers[1].signed_minus);
  EXPECT_EQ(numbers[1].decimals, 1);
  EXPECT_TRUE(numbers[2].signed_plus);
}

TEST(PrintedNumber, ACommaBeforeThePercentSignIsTheLinesDecimalPoint) {
  const auto numbers = numbers_in("write  998,2 1012,4 +1,4% 0,25 %");
  ASSERT_GE(numbers.size(), 3u);
  EXPECT_DOUBLE_EQ(numbers.front().value, 998.2);
  EXPECT_EQ(numbers.front().decimals, 1);
  EXPECT_DOUBLE_EQ(numbers[numbers.size() - 2].value, 1.4);
  EXPECT_TRUE(numbers[numbers.size() - 2].signed_plus);
  EXPECT_DOUBLE_EQ(numbers.back().value, 0.25);
  EXPECT_DOUBLE_EQ(numbers_in("1,234%").front().value, 1234);
  EXPECT_EQ(numbers_in("CPUs 0,1 and 2,3").size(), 4u);
}

TEST(PrintedNumber, AnAttributeOfHtmlIsNoFigure) { EXPECT_TRUE(numbers_in("<td width=\"40%\">").empty()); }

TEST(PrintedNumber, AnEndlessExponentIsNoFigure) { EXPECT_TRUE(numbers_in("1e999").empty()); }

}  // namespace
}  // namespace tollgate::audit
