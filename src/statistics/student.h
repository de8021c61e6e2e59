// Student's t distribution, from Boost.Math behind one wall: its headers take seconds to compile.
#pragma once

namespace tollgate::statistics {

/// The t with P(T <= t) = `probability`, 0 < probability < 1, for `degrees` > 0 degrees of freedom, whole or not.
double student_quantile(double probability, double degrees);

/// P(T <= t); t may be infinite.
double student_at_most(double t, double degrees);

}  // namespace tollgate::statistics
