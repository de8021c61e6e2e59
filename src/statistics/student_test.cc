#include "statistics/student.h"

#include <gtest/gtest.h>

namespace tollgate::statistics {
namespace {

// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2 "Critical Values of the Student's t Distribution",
// https://www.itl.nist.gov/div898/handbook/eda/section3/eda3672.htm: columns 0.95 and 0.975, three decimals.
TEST(Student, QuantilesMatchTheTableOfTheNistHandbook) {
  struct Row {
    int degrees;
    double t95, t975;
  };
  for (Row row : {Row{1, 6.314, 12.706}, Row{2, 2.920, 4.303}, Row{3, 2.353, 3.182}, Row{4, 2.132, 2.776},
                  Row{5, 2.015, 2.571}, Row{9, 1.833, 2.262}, Row{10, 1.812, 2.228}, Row{18, 1.734, 2.101},
                  Row{19, 1.729, 2.093}, Row{20, 1.725, 2.086}, Row{30, 1.697, 2.042}, Row{100, 1.660, 1.984}}) {
    EXPECT_NEAR(student_quantile(0.95, row.degrees), row.t95, 0.00051) << row.degrees;
    EXPECT_NEAR(student_quantile(0.975, row.degrees), row.t975, 0.00051) << row.degrees;
  }
}

TEST(Student, OneDegreeIsTheCauchyDistributionWhoseQuantileIsATangent) {
  EXPECT_NEAR(student_quantile(0.75, 1), 1.0, 1e-12);
  EXPECT_NEAR(student_quantile(0.95, 1), 6.313751514675043, 1e-9);  // tan(0.45 pi)
}

TEST(Student, QuantilesAreSymmetricAboutZero) {
  EXPECT_NEAR(student_quantile(0.05, 7), -student_quantile(0.95, 7), 1e-12);
  EXPECT_EQ(student_quantile(0.5, 7), 0.0);
}

}  // namespace
}  // namespace tollgate::statistics
