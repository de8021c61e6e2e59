#include "evidence/verdict.h"

#include <algorithm>

#include "base/check.h"
#include "evidence/summary.h"

namespace tollgate::evidence {
namespace {

const VariantResult* find_variant(const Comparison& comparison, std::string_view name) {
  const auto found = std::ranges::find(comparison.variants, name, &VariantResult::name);
  return found == comparison.variants.end() ? nullptr : &*found;
}

const VariantResult* baseline_of(const PublishedRow& row, const Comparison& comparison) {
  if (!row.baseline.empty()) return find_variant(comparison, row.baseline);
  return comparison.variants.empty() ? nullptr : &comparison.variants.front();
}

int sign_of(double value) { return (value > 0) - (value < 0); }

Verdict score(const PublishedRow& row, const Prediction& prediction) {
  if (!prediction.delta_percent) return Verdict::not_predicted;
  if (row.use == PublishedUse::sign)
    return sign_of(row.delta_percent) == sign_of(*prediction.delta_percent) ? Verdict::hit : Verdict::miss;
  if (!prediction.interval_percent) return Verdict::not_predicted;
  const Interval& interval = *prediction.interval_percent;
  return interval.low <= row.delta_percent && row.delta_percent <= interval.high ? Verdict::hit : Verdict::miss;
}

}  // namespace

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::hit:
      return "hit";
    case Verdict::miss:
      return "miss";
    case Verdict::calibrate:
      return "calibration";
    case Verdict::calibrate_missed:
      return "calibration, missed";
    case Verdict::context:
      return "context";
    case Verdict::noise:
      return "noise";
    case Verdict::not_modelled:
      return "not modelled";
    case Verdict::not_predicted:
      return "not predicted";
    case Verdict::other_setting:
      return "other setting";
  }
  CHECK(false, "a verdict without a word");
}

std::string_view to_text(PublishedUse use) {
  switch (use) {
    case PublishedUse::calibrate:
      return "calibrate";
    case PublishedUse::validate:
      return "validate";
    case PublishedUse::sign:
      return "sign";
    case PublishedUse::context:
      return "context";
    case PublishedUse::noise:
      return "noise";
  }
  CHECK(false, "a use without a word");
}

std::string_view to_text(Better better) {
  switch (better) {
    case Better::higher:
      return "higher";
    case Better::lower:
      return "lower";
    case Better::neither:
      return "neither";
  }
  CHECK(false, "a direction without a word");
}

const MetricSummary* find_metric(const VariantResult& variant, std::string_view name) {
  for (const auto& metric : variant.metrics)
    if (metric.info.name == name) return &metric;
  return nullptr;
}

Prediction predict(const PublishedRow& row, const Comparison& comparison) {
  const VariantResult* baseline = baseline_of(row, comparison);
  const VariantResult* variant = find_variant(comparison, row.variant);
  if (!baseline || !variant || baseline == variant) return {};
  const MetricSummary* base_metric = find_metric(*baseline, row.metric);
  const MetricSummary* metric = find_metric(*variant, row.metric);
  if (!base_metric || !metric) return {};
  if (baseline == &comparison.variants.front()) return {metric->delta_percent, metric->interval_percent};
  if (base_metric->samples.empty() || base_metric->samples.size() != metric->samples.size()) return {};
  const DeltaEstimate estimate = delta_of_samples(base_metric->samples, metric->samples);
  return {estimate.delta_percent, estimate.interval_percent};
}

Verdict judge(const PublishedRow& row, const Prediction& prediction) {
  if (row.question.empty()) return Verdict::not_modelled;
  switch (row.use) {
    case PublishedUse::calibrate:
      return score(row, prediction) == Verdict::miss ? Verdict::calibrate_missed : Verdict::calibrate;
    case PublishedUse::context:
      return Verdict::context;
    case PublishedUse::noise:
      return Verdict::noise;
    case PublishedUse::validate:
    case PublishedUse::sign:
      break;
  }
  return score(row, prediction);
}

Verdict judge(const PublishedRow& row, const Comparison& comparison) {
  const bool elsewhere = !comparison.settings.empty() || (!row.machine.empty() && row.machine != comparison.machine) ||
                         (!row.workload.empty() && row.workload != comparison.workload);
  return elsewhere ? Verdict::other_setting : judge(row, predict(row, comparison));
}

}  // namespace tollgate::evidence
