#include "evidence/student.h"

#include <boost/math/distributions/students_t.hpp>

#include "base/check.h"

namespace tollgate::evidence {

double student_quantile(double probability, int degrees) {
  CHECK(probability > 0 && probability < 1, "a quantile lies strictly between 0 and 1");
  CHECK(degrees >= 1, "Student's t needs a degree of freedom");
  return boost::math::quantile(boost::math::students_t(degrees), probability);
}

}  // namespace tollgate::evidence
