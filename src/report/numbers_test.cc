#include "report/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <cmath>
#include <limits>
#include <numeric>

namespace tollgate::report {
namespace {

using ::testing::ElementsAre;

TEST(Numbers, HaveThousandsSeparatorsAndFiveSignificantDigits) {
  EXPECT_EQ(number_text(15783951), "15,783,951");
  EXPECT_EQ(number_text(123456.7), "123,457");
  EXPECT_EQ(number_text(1234.56), "1,234.6");
  EXPECT_EQ(number_text(186.951), "186.95");
  EXPECT_EQ(number_text(-1.23456), "-1.2346");
  EXPECT_EQ(number_text(0.00123456), "0.0012346");
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(0.3), "0.3");
  EXPECT_EQ(number_text(1.00001), "1");
  EXPECT_EQ(number_text(100.25), "100.25");
}

TEST(Numbers, TooLargeTooSmallOrNotFiniteAreStillShown) {
  EXPECT_EQ(number_text(1e18), "1.0000e+18");
  EXPECT_EQ(number_text(1.5e-12), "1.5e-12");
  EXPECT_EQ(number_text(std::nan("")), "-");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "-");
  EXPECT_EQ(number_text(-0.0), "0");
}

TEST(Numbers, AColumnTakesItsDecimalsFromItsSmallestValue) {
  EXPECT_EQ(decimals_for(std::vector<double>{186.951, 187.2}), 2);
  EXPECT_EQ(decimals_for(std::vector<double>{147885.02, 14.25}), 3);
  EXPECT_EQ(decimals_for(std::vector<double>{12, 0, 3000}), 0);
  EXPECT_EQ(decimals_for(std::vector<double>{0, std::nan("")}), 0);
}

TEST(Numbers, PercentagesCarryTheirSignAndExactZeroDoesNot) {
  EXPECT_EQ(percent_text(1.714), "+1.71 %");
  EXPECT_EQ(percent_text(-13.077), "-13.08 %");
  EXPECT_EQ(percent_text(0.0), "0.00 %");
  EXPECT_EQ(percent_text(-0.0), "0.00 %");
  EXPECT_EQ(percent_text(12345.6), "+12,346 %");
  EXPECT_EQ(percent_text(std::nullopt), "-");
  EXPECT_EQ(percent_text(std::nan("")), "-");
}

TEST(Numbers, ASmallPercentageIsNeverShownAsZero) {
  EXPECT_EQ(signed_text(0.0049), "+0.0049");
  EXPECT_EQ(signed_text(-0.00034), "-0.00034");
  EXPECT_EQ(signed_text(0.000000512), "+5.1e-07");
  EXPECT_EQ(signed_text(0.09951), "+0.10");
}

TEST(Numbers, APercentageWithoutASignEndsInNoZeros) {
  EXPECT_EQ(size_text(6.4462), "6.45");
  EXPECT_EQ(size_text(0.3), "0.3");
  EXPECT_EQ(size_text(0.00341), "0.0034");
  EXPECT_EQ(size_text(0), "0");
  EXPECT_EQ(size_text(150), "150");
}

RC_GTEST_PROP(Numbers, OnlyZeroLooksLikeZero, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value) && value != 0);
  for (const auto& text : {signed_text(value), number_text(value)})
    RC_ASSERT(text.substr(0, text.find('e')).find_first_of("123456789") != std::string::npos);
}

TEST(Numbers, AnIntervalHasBothEndsAndTheSimulationsErrorBesideIt) {
  EXPECT_EQ(interval_text(evidence::Interval{-0.4, 2.9}), "-0.40 to +2.90");
  EXPECT_EQ(interval_text(evidence::Interval{-0.4, 2.9}, 0.0213), "-0.40 to +2.90, +-0.021 sim");
  EXPECT_EQ(interval_text(evidence::Interval{0, 0}, 0.0), "0.00 to 0.00, +-0.00 sim");
  EXPECT_EQ(interval_text(std::nullopt, 0.5), "-, +-0.50 sim");
  EXPECT_EQ(interval_text(std::nullopt), "-");
}

TEST(Numbers, BytesAreShownAsPeopleWriteThem) {
  EXPECT_EQ(bytes_text(0), "0");
  EXPECT_EQ(bytes_text(0.25), "<1B");
  EXPECT_EQ(bytes_text(2 << 20), "2M");
  EXPECT_EQ(bytes_text(std::nan("")), "-");
}

TEST(Numbers, AColumnThatIsAddedUpGivesTheRestToTheLargestRemainders) {
  EXPECT_THAT(signed_column(std::vector<double>{0.4, 0.4, 0.4}, 0), ElementsAre("+1", "~0", "~0", "+1"));
  EXPECT_THAT(signed_column(std::vector<double>{1.26, -0.26, 0}, 1), ElementsAre("+1.3", "-0.3", "0", "+1.0"));
  EXPECT_THAT(plain_column(std::vector<double>{1234.5, 0.25}, 1), ElementsAre("1,234.5", "0.3", "1,234.8"));
  EXPECT_THAT(signed_column(std::vector<double>{}, 1), ElementsAre("0"));
}

RC_GTEST_PROP(Numbers, RoundedColumnsAddUpAndStayWithinOneUnit, (const std::vector<int>& thousandths)) {
  std::vector<double> values;
  for (int value : thousandths) values.push_back(value % 1000000 / 1000.0);
  const auto shown = rounded_to_add_up(values, 1);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const double shown_sum = std::accumulate(shown.begin(), shown.end(), 0.0);
  RC_ASSERT(std::abs(shown_sum - std::round(sum * 10) / 10) < 1e-6);
  for (std::size_t i = 0; i < values.size(); ++i) RC_ASSERT(std::abs(shown[i] - values[i]) < 0.1 + 1e-9);
}

}  // namespace
}  // namespace tollgate::report
