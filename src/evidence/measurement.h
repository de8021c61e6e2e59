// Measurement: samples of real runs, ours or imported, before any statistics. The one shape that `measure` fills, the store
// keeps, importers produce and the analysis reads. Nothing in it is an estimate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/metric.h"

namespace tollgate::evidence {

enum class Origin : std::uint8_t { predicted, measured, observed, published };

/// How the runs of a session followed each other.
enum class Order : std::uint8_t {
  unknown,        // imported; nothing may be paired
  in_sequence,    // all runs of one variant, then all of the next
  random_blocks,  // blocks of one run a variant, each in a random order: paired
  abba,           // blocks in a fixed order and its reverse in turns: paired, blind to a disturbance of that period
};

/// One value of one run.
struct Sample {
  double value = 0;                       // in the unit of its series
  std::uint32_t run = 0;                  // of its variant, from 0
  std::optional<std::uint32_t> position;  // in the order in which the session's runs were made, from 0
  std::optional<std::uint32_t> block;     // runs of one block were scheduled together, and only they may be paired
  std::string boot;                       // id of the boot it ran in; empty: not known
  std::optional<double> start;            // seconds since 1970
};

/// What is known of a series whose samples were not kept. Units as the series'.
struct SummaryOnly {
  std::optional<std::uint64_t> count;
  std::optional<double> mean;
  std::optional<double> median;
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> deviation;       // standard deviation of the samples
  std::optional<double> standard_error;  // of the mean: what perf stat prints after +-
};

/// One metric of one variant: samples, or a summary where the source has no more.
struct Series {
  MetricInfo metric;
  std::string variant;
  Origin origin = Origin::measured;
  std::vector<Sample> samples;  // in the order of their runs
  std::optional<SummaryOnly> summary;
  std::string source;  // file or file:line, or the command line
  double half_step =
      0;             // half a unit of the last digit printed of a sample, or of the summary's mean; 0: all are there
  double floor = 0;  // a sample no greater than this is only known to be no greater; 0: there is none
};

/// A condition a run was made under: "governor" was "performance".
struct Condition {
  std::string variant;
  std::uint32_t run = 0;
  std::string name;
  std::string value;
};

/// What was fixed before the first run.
struct Terms {
  std::string primary;                   // name of the metric that decides; empty: the first series'
  std::optional<double> margin_percent;  // differences inside +- this count as none
  double level = 95;                     // percent, of intervals
  Order order = Order::unknown;
  std::uint64_t seed = 0;             // of the order
  std::uint32_t runs = 0;             // planned, a variant
  std::vector<std::string> compared;  // names of conditions in which the variants are meant to differ: "kernel release"
};

struct Measurement {
  std::string title;
  std::string machine;                // CPU model of the host; empty: not known
  std::vector<std::string> variants;  // the baseline first
  Terms terms;
  std::vector<Series> series;                 // the primary metric's first, then any order
  std::vector<Condition> conditions;          // everything about every run that may explain a difference
  std::optional<double> noise_floor_percent;  // of the primary metric, from runs of the baseline against itself
  std::string unfinished;      // why no finding may be made yet: "5 of 6 planned runs were made"; empty: all were
  std::uint32_t left_out = 0;  // comparisons that were planned and are not asked for; Holm's correction counts them
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

}  // namespace tollgate::evidence
