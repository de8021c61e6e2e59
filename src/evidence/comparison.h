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

namespace tollgate::evidence {

enum class Better { higher, lower, neither };

struct MetricInfo {
  std::string name;  // "ops_per_s"
  std::string unit;  // "1/s"
  Better better = Better::higher;
};

struct Interval {
  double low = 0;
  double high = 0;
};

/// One metric of one variant. Percentages are 100 x (variant - baseline) / baseline of the means, raw sign; absent for
/// the baseline.
struct MetricSummary {
  MetricInfo info;
  std::vector<double> samples;  // one a draw, the mean of its replicates
  double mean = 0;
  double min = 0;
  double max = 0;
  std::optional<double> delta_percent;
  std::optional<Interval> interval_percent;  // 5 to 95 % of the delta over the machine draws
  std::optional<double> mc_error_percent;    // standard error of the simulation's own noise
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
  double level = 90;                    // percent, of every interval
  bool few_draws = false;               // fewer than 20 draws: intervals are Student's prediction intervals
  std::vector<VariantResult> variants;  // the baseline first
  std::vector<PublishedRow> published;
  std::vector<std::string> notes;  // what the reader must know to read the table right
  std::vector<std::string> warnings;
};

}  // namespace tollgate::evidence
