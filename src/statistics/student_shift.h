// Location shifts by Student's t: paired, and unpaired with unequal variances (Welch, "The generalization of 'Student's'
// problem", Biometrika 34 (1947); degrees of freedom by Satterthwaite 1946). Of logs, the shift is the log of a ratio of
// geometric means. Two values a series are the least.
#pragma once

#include <span>

#include "statistics/interval.h"

namespace tollgate::statistics {

/// Mean of a series and how well it is known.
struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;
  double count = 0;  // values it is the mean of; above 1

  static MeanEstimate of(std::span<const double> values);
};

class StudentShift {
 public:
  /// Of paired differences.
  static StudentShift paired(std::span<const double> differences);
  static StudentShift welch(std::span<const double> baseline, std::span<const double> variant);
  /// From means and standard errors alone. Both errors 0: any difference counts as certain.
  static StudentShift welch(const MeanEstimate& baseline, const MeanEstimate& variant);

  double estimate() const { return estimate_; }
  double standard_error() const { return standard_error_; }
  double degrees() const { return degrees_; }
  /// At `level` percent.
  Interval interval(double level) const;
  Tails tails(double shift) const;
  double least_p() const { return 0; }

 private:
  StudentShift(double estimate, double standard_error, double degrees)
      : estimate_(estimate), standard_error_(standard_error), degrees_(degrees) {}
  double estimate_, standard_error_, degrees_;
};

/// Welch and Satterthwaite's degrees of freedom of a sum of two means with these squared errors; those of the shorter series
/// where the errors are not finite.
double satterthwaite(double variance_a, double count_a, double variance_b, double count_b);

}  // namespace tollgate::statistics
