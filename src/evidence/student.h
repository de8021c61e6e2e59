// Quantiles of Student's t distribution, from Boost.Math behind one wall: its headers take seconds to compile.
#pragma once

namespace tollgate::evidence {

/// The t with P(T <= t) = `probability`, 0 < probability < 1, for `degrees` >= 1 degrees of freedom.
double student_quantile(double probability, int degrees);

}  // namespace tollgate::evidence
