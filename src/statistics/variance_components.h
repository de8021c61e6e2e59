// How much of the variance lies between groups (boots, builds) and how much within them: the one-way random-effects model
// by the method of moments. Searle, Casella and McCulloch, "Variance Components" (1992), 3.6; for benchmarks: Kalibera and
// Jones, "Rigorous benchmarking in reasonable time", ISMM 2013. With k groups of n[i] values, N in all, and MSB, MSW the
// mean squares between and within: within = MSW, between = max(0, (MSB - MSW) / n0), n0 = (N - sum n[i]^2 / N) / (k - 1).
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace tollgate::statistics {

struct VarianceComponents {
  double within = 0;
  double between = 0;
  double share_between = 0;    // of the two together; 0 where both are 0
  double effective_count = 0;  // independent values that the N are worth for their mean: N / (1 + (n* - 1) share), with
                               // n* = sum n[i]^2 / N; Kish, "Survey Sampling" (1965), 5.4
};

/// Nothing with fewer than two groups, or where no group has two values.
std::optional<VarianceComponents> variance_components(std::span<const std::vector<double>> groups);

}  // namespace tollgate::statistics
