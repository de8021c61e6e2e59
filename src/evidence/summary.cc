#include "evidence/summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "statistics/moments.h"
#include "statistics/quantiles.h"
#include "statistics/student.h"

namespace tollgate::evidence {
namespace {

using statistics::mean_of;
using statistics::quantiles;
using statistics::student_quantile;
using statistics::variance_of;

bool usable(double divisor) { return std::isfinite(divisor) && divisor != 0; }

std::optional<double> delta_percent(double baseline, double variant) {
  if (!usable(baseline)) return std::nullopt;
  const double delta = 100 * (variant - baseline) / baseline + 0.0;  // adding 0 turns -0 into 0
  return std::isfinite(delta) ? std::optional(delta) : std::nullopt;
}

/// Student's prediction interval for one more of these.
Interval prediction_interval(std::span<const double> values) {
  const double n = double(values.size());
  const double half = student_quantile(0.95, n - 1) * std::sqrt(variance_of(values) * (1 + 1 / n));
  return {mean_of(values) - half, mean_of(values) + half};
}

/// Spread of percentages over the draws.
Interval spread_of(std::span<const double> deltas) {
  if (deltas.size() >= kManyDraws) {
    const auto ends = quantiles(deltas, {0.05, 0.95});
    return {ends[0], ends[1]};
  }
  if (std::ranges::any_of(deltas, [](double delta) { return delta <= -100; })) return prediction_interval(deltas);
  std::vector<double> logs;
  for (double delta : deltas) logs.push_back(std::log1p(delta / 100));
  const Interval interval = prediction_interval(logs);
  return {100 * std::expm1(interval.low), 100 * std::expm1(interval.high)};
}

/// mc_error_percent; the derivation is in the header.
std::optional<double> simulation_error(const SampleMatrix& baseline, const SampleMatrix& variant, double base_mean,
                                       double variant_mean) {
  const std::size_t replicates = baseline.front().size();
  if (replicates < 2 || !usable(base_mean)) return std::nullopt;
  const double ratio = variant_mean / base_mean;
  double sum = 0;
  std::vector<double> residuals(replicates);
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    for (std::size_t r = 0; r < replicates; ++r) residuals[r] = variant[i][r] - ratio * baseline[i][r];
    sum += variance_of(residuals) / double(replicates);
  }
  const double error = 100 / std::abs(base_mean) * std::sqrt(sum) / double(baseline.size());
  return std::isfinite(error) ? std::optional(error) : std::nullopt;
}

void check_shapes(std::span<const VariantSamples> variants) {
  CHECK(!variants.empty() && !variants[0].values.empty(), "a summary needs a baseline with a draw");
  const std::size_t draws = variants[0].values.size();
  const std::size_t replicates = variants[0].values[0].size();
  CHECK(replicates >= 1, "every draw has a replicate");
  for (const auto& variant : variants) {
    CHECK(variant.values.size() == draws, "paired variants have the same draws");
    for (const auto& draw : variant.values) CHECK(draw.size() == replicates, "every draw has the same replicates");
  }
}

MetricSummary describe(const MetricInfo& info, const SampleMatrix& values) {
  MetricSummary summary{
      .info = info, .samples = {}, .delta_percent = {}, .interval_percent = {}, .mc_error_percent = {}};
  for (const auto& draw : values) summary.samples.push_back(mean_of(draw));
  summary.mean = mean_of(summary.samples);
  const auto [low, high] = std::minmax_element(summary.samples.begin(), summary.samples.end());
  summary.min = *low;
  summary.max = *high;
  return summary;
}

/// Why the delta or the interval of `variant` is missing, or looks odd; "" when all is well.
std::string complaint(const MetricSummary& base, const MetricSummary& variant, std::string_view name) {
  const std::string_view metric = base.info.name;
  if (!variant.delta_percent)
    return usable(base.mean) ? fmt::format("{} of '{}' is not a finite number: no delta", metric, name)
                             : fmt::format("{}: the baseline's mean is {}: no delta for '{}'", metric, base.mean, name);
  if (variant.samples.size() < 2)
    return "one draw of the machine's figures gives no interval: take two at least, better 20";
  if (!variant.interval_percent)
    return fmt::format("{}: a draw of the baseline or of '{}' is zero or not finite: no interval", metric, name);
  const Interval& interval = *variant.interval_percent;
  const double slack = 1e-9 * (1 + std::abs(*variant.delta_percent));  // rounding of the two formulas
  if (*variant.delta_percent < interval.low - slack || *variant.delta_percent > interval.high + slack)
    return fmt::format("{} of '{}': the delta of the means lies outside the interval of the draws: few draws carry it",
                       metric, name);
  return "";
}

}  // namespace

DeltaEstimate delta_of_samples(std::span<const double> baseline, std::span<const double> variant) {
  CHECK(!baseline.empty() && baseline.size() == variant.size(), "paired variants have the same draws");
  DeltaEstimate estimate{delta_percent(mean_of(baseline), mean_of(variant)), std::nullopt};
  if (!estimate.delta_percent || baseline.size() < 2) return estimate;
  std::vector<double> deltas;
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    const auto delta = delta_percent(baseline[i], variant[i]);
    if (!delta) return estimate;
    deltas.push_back(*delta);
  }
  const Interval interval = spread_of(deltas);
  if (std::isfinite(interval.low) && std::isfinite(interval.high)) estimate.interval_percent = interval;
  return estimate;
}

Summaries summarize(const MetricInfo& info, std::span<const VariantSamples> variants) {
  check_shapes(variants);
  Summaries out;
  out.few_draws = variants[0].values.size() < kManyDraws;
  for (const auto& variant : variants) {
    out.variants.push_back(describe(info, variant.values));
    if (out.variants.size() == 1) continue;
    const MetricSummary& base = out.variants.front();
    MetricSummary& summary = out.variants.back();
    const DeltaEstimate estimate = delta_of_samples(base.samples, summary.samples);
    summary.delta_percent = estimate.delta_percent;
    summary.interval_percent = estimate.interval_percent;
    if (summary.delta_percent)
      summary.mc_error_percent = simulation_error(variants[0].values, variant.values, base.mean, summary.mean);
    if (const std::string text = complaint(base, summary, variant.name); !text.empty())
      append_unique(out.warnings, std::span(&text, 1));
  }
  return out;
}

void append_unique(std::vector<std::string>& into, std::span<const std::string> more) {
  for (const auto& text : more)
    if (std::find(into.begin(), into.end(), text) == into.end()) into.push_back(text);
}

}  // namespace tollgate::evidence
