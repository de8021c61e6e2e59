// Summaries: from paired simulated samples to the delta, its interval and the simulation's own error.
//
// A sample matrix holds value[draw][replicate]. A draw is one set of machine figures; replicates repeat it with other
// random streams. Draw i, replicate r of every variant share machine figures and streams, so differences are paired.
//
// delta_percent: 100 (V - B) / B, V and B the means over all draws and replicates.
//
// interval_percent: spread over draws of d[i] = 100 (v[i] - b[i]) / b[i], v[i] and b[i] means over the replicates.
//   20 draws or more: the 5 and 95 % quantiles of d. Fewer: Student's 90 % prediction interval for one more draw,
//   mean(l) +- t(0.95, n - 1) s(l) sqrt(1 + 1/n) of l[i] = log(v[i] / b[i]), turned back into percentages, so that it cannot
//   pass -100 %; of d itself where a sample is not above zero. It says what we do not know about the machine, so it does not shrink
//   with more draws, and it is no confidence interval of the mean. It is centred on the middle of d, not on
//   delta_percent: the two part where draws with a large baseline have another delta than the rest. It contains the
//   simulation's noise too.
//
// mc_error_percent: standard error of delta_percent from simulation noise alone. Let v[i][r] = mu[i] + e[i][r] and
//   b[i][r] = nu[i] + f[i][r], the noise independent between draws and between replicates, but not between e and f of
//   one replicate. To first order the noise moves delta by (100 / B) mean(e - q f), with q = V / B. The residuals
//   z[i][r] = v[i][r] - q b[i][r] carry that noise and, within a draw, nothing else. With D draws, R replicates and
//   s2[i] the variance of z within draw i (divisor R - 1), its standard error is
//       mc_error = (100 / |B|) sqrt(sum of s2[i] / R) / D.
//   It has D (R - 1) degrees of freedom and falls as 1 / sqrt(D R).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evidence/comparison.h"

namespace tollgate::evidence {

/// From this many draws on, intervals are quantiles of the draws.
inline constexpr std::size_t kManyDraws = 20;

/// value[draw][replicate].
using SampleMatrix = std::vector<std::vector<double>>;

struct VariantSamples {
  std::string name;
  SampleMatrix values;
};

struct Summaries {
  std::vector<MetricSummary> variants;  // in the order given
  std::vector<std::string> warnings;    // what could not be computed, and why
  bool few_draws = false;               // fewer than kManyDraws
};

/// Summarises one metric of all variants, the baseline first. Matrices must have one shape, with a draw and a
/// replicate at the least; with a single replicate there is no mc_error. Zero or not finite values cost the delta,
/// with a warning.
Summaries summarize(const MetricInfo& info, std::span<const VariantSamples> variants);

struct DeltaEstimate {
  std::optional<double> delta_percent;
  std::optional<Interval> interval_percent;
};

/// Delta and interval of samples (one a draw, paired) against those of another variant, as above.
DeltaEstimate delta_of_samples(std::span<const double> baseline, std::span<const double> variant);

/// Adds the texts that `into` does not hold yet.
void append_unique(std::vector<std::string>& into, std::span<const std::string> more);

}  // namespace tollgate::evidence
