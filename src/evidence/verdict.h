// Verdicts: what the model predicts for a published row, and whether the row bears it out. Only rows of use `validate`
// and `sign` are scored as hits; all others are shown beside their prediction and say why they do not count.
#pragma once

#include <optional>
#include <string_view>

#include "evidence/comparison.h"

namespace tollgate::evidence {

enum class Verdict : std::uint8_t {
  hit,  // the published delta lies in the interval; for use `sign`: the signs agree
  miss,
  calibrate,         // a machine figure was taken from this row, and it agrees: which proves nothing
  calibrate_missed,  // a machine figure was taken from this row, and still the delta lies outside: as good as a miss
  context,           // shown for orientation: not the same experiment
  noise,             // the published effect is within its own noise
  not_modelled,      // no question asks for it, whatever its use
  not_predicted,     // the question has no such variant, metric, delta or interval
  other_setting,     // the comparison ran on another machine or workload than the row's, or with settings changed
};

/// The word a report prints.
std::string_view to_text(Verdict verdict);
std::string_view to_text(PublishedUse use);
std::string_view to_text(Better better);

struct Prediction {
  std::optional<double> delta_percent;
  std::optional<Interval> interval_percent;
};

/// What `comparison` predicts for `row`: variant against the row's own baseline. Empty when a name is not in it.
Prediction predict(const PublishedRow& row, const Comparison& comparison);

/// Without regard to where the prediction came from.
Verdict judge(const PublishedRow& row, const Prediction& prediction);

/// As above, and `other_setting` when the row names another machine or workload than `comparison` ran on.
Verdict judge(const PublishedRow& row, const Comparison& comparison);

/// The metric called `name`, or nullptr.
const MetricSummary* find_metric(const VariantResult& variant, std::string_view name);

}  // namespace tollgate::evidence
