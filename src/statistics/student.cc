#include "statistics/student.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "base/check.h"

namespace tollgate::statistics {

double student_quantile(double probability, double degrees) {
  CHECK(probability > 0 && probability < 1, "a quantile lies strictly between 0 and 1");
  CHECK(degrees > 0, "Student's t needs a degree of freedom");
  return boost::math::quantile(boost::math::students_t(degrees), probability);
}

double student_at_most(double t, double degrees) {
  CHECK(degrees > 0 && !std::isnan(t), "Student's t needs a number and a degree of freedom");
  if (std::isinf(t)) return t > 0 ? 1 : 0;
  return boost::math::cdf(boost::math::students_t(degrees), t);
}

}  // namespace tollgate::statistics
