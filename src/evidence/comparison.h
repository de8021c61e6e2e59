// Comparison: the answer to one question, whoever asked and however it was made. Reports read this and nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/events.h"
#include "evidence/exposure.h"
#include "evidence/ledger.h"
#include "evidence/measurement.h"
#include "evidence/metric.h"
#include "statistics/interval.h"

namespace tollgate::evidence {

using statistics::Interval;

/// What real runs show of one metric: a change; that there is none larger than the margin; neither.
enum class Finding : std::uint8_t { changed, equivalent, inconclusive };

/// How baseline and variant were set against each other.
enum class Design : std::uint8_t { paired, unpaired };

/// Runs in groups that were repeated as a whole, such as boots: the group is what counts as one value.
struct Levels {
  std::string group;                        // "boot", "build", "block", or "run" with several values
  std::optional<double> share_between;      // of the variance of the logs, mean of both variants; absent: one run each
  std::optional<double> effective_samples;  // independent runs that the runs of both variants are worth
};

/// The estimate of one metric of one variant over real runs. The shift is 100 x (ratio - 1), the ratio being that of the
/// centres of the two series: docs/statistics.md. Absent: too few values for it.
struct RealEstimate {
  std::string method;  // "Hodges-Lehmann, exact signed-rank interval"
  Design design = Design::unpaired;
  std::uint64_t baseline_values = 0;  // that entered: pairs, groups or runs
  std::uint64_t variant_values = 0;
  std::optional<double> shift_percent;
  std::optional<Interval> interval_percent;              // of the shift, at Comparison::level
  std::optional<double> equivalence_level;               // percent, of the next
  std::optional<Interval> equivalence_interval_percent;  // inside the margin: equivalent
  std::optional<double> p;                               // two-sided, against no shift
  std::optional<double> p_holm;                          // corrected for all comparisons of the session
  std::optional<double> p_equivalence;                   // the larger of the two one-sided tests; needs a margin
  std::optional<Levels> levels;
  Finding finding = Finding::inconclusive;
  std::string reason;
};

/// What real runs were made under.
struct Session {
  Terms terms;
  std::vector<Origin> origins;  // of the series, each once
  std::optional<double> noise_floor_percent;
  std::uint32_t comparisons = 0;  // that Holm's correction is for: those shown, and planned ones that were left out
};

/// One metric of one variant. Percentages are 100 x (variant - baseline) / baseline of the means, raw sign; absent for
/// the baseline.
struct MetricSummary {
  MetricInfo info;
  std::vector<double> samples;  // simulated: one a draw, the mean of its replicates; real: one a run
  double mean = 0;
  double min = 0;
  double max = 0;
  std::optional<double> delta_percent;
  // Simulated: 5 to 95 % of the delta over the machine draws. Real: Fieller's confidence interval of the delta.
  std::optional<Interval> interval_percent;
  std::optional<double> mc_error_percent;           // standard error of the simulation's own noise
  std::optional<RealEstimate> estimate = {};        // real runs only; absent for the baseline
  std::vector<std::uint32_t> outliers = {};         // indices of samples far from the rest; they count like all others
  std::optional<std::uint64_t> printed_count = {};  // samples behind a summary whose samples were not kept
};

struct VariantResult {
  std::string name;
  std::vector<MetricSummary> metrics;  // the primary one first
  // Means over all runs: cycles and counts a run, and the means of their ratios to the operations of the run. The ratios are
  // 0 where no operations are counted.
  std::array<double, kAccounts> ledger{};
  std::array<double, kEvents> events{};
  std::array<double, kAccounts> ledger_per_operation{};
  std::array<double, kEvents> events_per_operation{};
  Exposure exposure;
};

enum class PublishedUse { calibrate, validate, sign, context, noise };

/// One published result, as a file under published/ tells it, tied to the question that predicts it.
struct PublishedRow {
  std::string id;
  std::string question;  // "" when no question models it
  std::string workload;  // workload and machine of the question; "" for the question's own
  std::string machine;
  std::string baseline;  // the variant it is measured against; "" for the question's baseline
  std::string variant;
  std::string metric;
  std::optional<double> base_value;
  std::optional<double> variant_value;
  double delta_percent = 0;
  std::string source;
  PublishedUse use = PublishedUse::context;
  std::string note;
  std::string measured;  // what was measured, where, and against what, in words
};

struct Comparison {
  std::string experiment;
  std::string title;
  std::string machine;
  std::string workload;
  std::uint64_t seed = 0;
  std::vector<std::string> settings;  // KEY=VALUE that changed the question, its machine or its workload
  std::string digest;
  double level = 90;                    // percent, of every interval that does not state its own
  bool few_draws = false;               // fewer than 20 draws: intervals are Student's prediction intervals
  std::vector<VariantResult> variants;  // the baseline first
  std::vector<PublishedRow> published;
  std::optional<Session> session = {};  // real runs only: they have no ledger, events, exposure
  std::vector<std::string> notes;       // what the reader must know to read the table right
  std::vector<std::string> warnings;
};

}  // namespace tollgate::evidence
