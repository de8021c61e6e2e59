#include "import/number.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tollgate::import {
namespace {

double value_of(std::string_view text, Comma comma = Comma::decimals) {
  const auto number = read_number(text, 1, comma);
  return number ? number->value : std::nan("");
}

TEST(Number, ACommaIsWhatTheToolMeansByIt) {
  EXPECT_DOUBLE_EQ(value_of("1,003,102", Comma::groups), 1003102);
  EXPECT_DOUBLE_EQ(value_of("1,234", Comma::groups), 1234);
  EXPECT_DOUBLE_EQ(value_of("26,311.50", Comma::groups), 26311.5);
  EXPECT_DOUBLE_EQ(value_of("1,234", Comma::decimals), 1.234);
  EXPECT_DOUBLE_EQ(value_of("26311,000", Comma::decimals), 26311);
  EXPECT_DOUBLE_EQ(value_of("1.234", Comma::decimals_points), 1234);
  EXPECT_DOUBLE_EQ(value_of("4.000.000.123", Comma::decimals_points), 4000000123);
  EXPECT_DOUBLE_EQ(value_of("26.311,5", Comma::decimals_points), 26311.5);
}

TEST(Number, OtherLocalesGroupByOtherSigns) {
  EXPECT_DOUBLE_EQ(value_of("1'234'567"), 1234567);
  EXPECT_DOUBLE_EQ(value_of("1\xe2\x80\xaf"
                            "234"),
                   1234);
  EXPECT_FALSE(read_number("1'234", 1, Comma::decimals)->remark.empty());
  EXPECT_FALSE(read_number("26311,000", 1, Comma::decimals)->remark.empty());
  EXPECT_TRUE(read_number("1,234", 1, Comma::groups)->remark.empty());
}

TEST(Number, WhatIsPrintedForPeopleKeepsWhatItLeavesOpen) {
  const auto number = read_number("527k", 1, Comma::decimals);
  ASSERT_TRUE(number.has_value());
  EXPECT_DOUBLE_EQ(number->value, 527000);
  EXPECT_DOUBLE_EQ(number->half_unit, 500);
  EXPECT_EQ(number->remark, "'527k' was read as 527000, which its digits leave open by +-500");
  EXPECT_DOUBLE_EQ(read_number("0.318", 1, Comma::decimals)->half_unit, 0.0005);
  EXPECT_DOUBLE_EQ(read_number("318", 1, Comma::decimals)->half_unit, 0);
}

TEST(Number, NoGuesses) {
  for (const char* text : {"", "-", "nan", "inf", "1e999", "1,23,4", "1'23", "1,234,56", "0,123,456", "1.2.3", "12x",
                           "12 3", "0x10", "1:02", "0.", "0,"})
    for (const Comma comma : {Comma::decimals, Comma::groups})
      EXPECT_FALSE(read_number(text, 7, comma).has_value()) << text;
  EXPECT_EQ(read_number("abc", 7, Comma::decimals).error().place.line, 7u);
}

TEST(Clock, ReadsWhatTimePrints) {
  const auto seconds = [](std::string_view text) {
    const auto clock = read_clock(text, 1);
    return clock ? clock->value : std::nan("");
  };
  EXPECT_DOUBLE_EQ(seconds("0:00.05"), 0.05);
  EXPECT_DOUBLE_EQ(seconds("5:12.81"), 312.81);
  EXPECT_DOUBLE_EQ(seconds("1:02:03"), 3723);
  EXPECT_DOUBLE_EQ(seconds("0m0.052s"), 0.052);
  EXPECT_DOUBLE_EQ(seconds("12m03,5s"), 723.5);
  EXPECT_DOUBLE_EQ(seconds("0.074"), 0.074);
  EXPECT_DOUBLE_EQ(read_clock("0:00.05", 1)->half_unit, 0.005);
  for (const char* text :
       {"", ":", "1:", "1:2", "1:60", "1:61.5", "1.5:02", "1:02:03:04", "m", "1h5s", "-1:02", "0m-1s", "0m0", "0m0.05"})
    EXPECT_FALSE(read_clock(text, 1).has_value()) << text;
}

TEST(Clock, SaysWhatItAssumedOfTheMinutesToo) {
  const auto time = read_clock("1'234m0.5s", 1);
  ASSERT_TRUE(time.has_value());
  EXPECT_EQ(time->remark, "'1'234' was read as 1234");
}

}  // namespace
}  // namespace tollgate::import
