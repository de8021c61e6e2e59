// What holds of the analysis of any runs whatever.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <cmath>

#include "evidence/analysis.h"
#include "evidence/noise_floor.h"

namespace tollgate::evidence {
namespace {

const MetricInfo kWall{"wall_s", "s", Better::lower};

rc::Gen<double> value() {
  return rc::gen::oneOf(rc::gen::map(rc::gen::inRange(1, 2000), [](int x) { return 1 + x / 1000.0; }),
                        rc::gen::map(rc::gen::inRange(8, 12), [](int x) { return double(x); }));
}
/// Now and then zero, below zero, tiny or huge.
rc::Gen<double> odd_value() {
  return rc::gen::weightedOneOf<double>(
      {{20, value()}, {1, rc::gen::element(0.0, -1.0, 5e-324, 1e-300, 1e300, 1.7e308, -0.0)}});
}

Series random_series(const std::string& variant, const rc::Gen<double>& values) {
  Series series;
  series.metric = kWall;
  series.variant = variant;
  const auto count = *rc::gen::inRange(1, 25);
  for (int i = 0; i < count; ++i) {
    Sample& sample = series.samples.emplace_back();
    sample.value = *values;
    sample.run = std::uint32_t(*rc::gen::inRange(0, 25));
    if (*rc::gen::inRange(0, 10)) sample.block = std::uint32_t(*rc::gen::inRange(0, 20));
    if (*rc::gen::inRange(0, 4)) sample.position = std::uint32_t(*rc::gen::inRange(0, 50));
    sample.boot = *rc::gen::element<std::string>("", "x", "y", "z");
  }
  return series;
}

Measurement random_measurement(const rc::Gen<double>& values) {
  Measurement measurement;
  measurement.variants = {"a", "b", "c"};
  measurement.terms.primary = kWall.name;
  measurement.terms.order = *rc::gen::element(Order::unknown, Order::in_sequence, Order::random_blocks, Order::abba);
  if (*rc::gen::arbitrary<bool>()) measurement.terms.margin_percent = 5;
  for (const auto& variant : measurement.variants) measurement.series.push_back(random_series(variant, values));
  return measurement;
}

/// Runs as they are made: one number each, in blocks.
Measurement session(const std::vector<double>& a, const std::vector<double>& b, Order order) {
  Measurement measurement;
  measurement.variants = {"a", "b"};
  measurement.terms.order = order;
  for (const auto& [variant, values] : {std::pair{"a", a}, {"b", b}}) {
    Series& series = measurement.series.emplace_back();
    series.metric = kWall;
    series.variant = variant;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      Sample& sample = series.samples.emplace_back();
      sample.value = values[i];
      sample.run = sample.block.emplace(i);
    }
  }
  return measurement;
}
RealEstimate estimate_of(const Measurement& measurement) {
  return *analyse(measurement)->variants[1].metrics[0].estimate;
}
std::vector<double> times(std::vector<double> values, double factor) {
  for (double& each : values) each *= factor;
  return values;
}
bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

RC_GTEST_PROP(AnalyseAnything, GivesProbabilitiesOrderedIntervalsAndAReason, ()) {
  const auto comparison = analyse(random_measurement(odd_value()));
  RC_ASSERT(comparison.has_value());
  for (const auto& variant : comparison->variants)
    for (const auto& metric : variant.metrics) {
      if (!metric.estimate) continue;
      const auto& estimate = *metric.estimate;
      RC_ASSERT(!estimate.reason.empty());
      for (const auto& p : {estimate.p, estimate.p_holm, estimate.p_equivalence}) {
        if (!p) continue;
        const double value = *p;
        RC_ASSERT(value >= 0 && value <= 1 + 1e-12);
      }
      if (estimate.p) RC_ASSERT(*estimate.p_holm >= *estimate.p);
      if (const auto& interval = estimate.interval_percent) RC_ASSERT(interval->low <= interval->high);
      if (estimate.finding == Finding::changed) RC_ASSERT(!estimate.interval_percent->contains(0));
    }
}

RC_GTEST_PROP(AnalyseAnything, TheEstimateLiesInItsIntervalsAndTheNarrowInTheWide, ()) {
  const auto comparison = analyse(random_measurement(value()));
  for (const auto& variant : comparison->variants)
    for (const auto& metric : variant.metrics) {
      if (!metric.estimate || !metric.estimate->interval_percent) continue;
      const auto& wide = *metric.estimate->interval_percent;
      const auto& narrow = *metric.estimate->equivalence_interval_percent;
      const double slack = 1e-9;
      RC_ASSERT(wide.low <= *metric.estimate->shift_percent + slack);
      RC_ASSERT(*metric.estimate->shift_percent <= wide.high + slack);
      RC_ASSERT(wide.low <= narrow.low + slack);
      RC_ASSERT(narrow.high <= wide.high + slack);
    }
}

RC_GTEST_PROP(AnalyseAnything, AnotherUnitChangesNothing, ()) {
  const auto order = *rc::gen::element(Order::unknown, Order::random_blocks);
  const auto count = *rc::gen::inRange<std::size_t>(3, 15);
  const auto a = *rc::gen::container<std::vector<double>>(count, value());
  const auto b = *rc::gen::container<std::vector<double>>(count, value());
  const auto seconds = estimate_of(session(a, b, order));
  const auto doubled = estimate_of(session(times(a, 1024), times(b, 1024), order));
  RC_ASSERT(near(*seconds.shift_percent, *doubled.shift_percent));
  RC_ASSERT(near(seconds.interval_percent->low, doubled.interval_percent->low));
}

RC_GTEST_PROP(AnalyseAnything, ExchangingBaselineAndVariantInvertsTheRatio, ()) {
  const auto order = *rc::gen::element(Order::unknown, Order::random_blocks);
  const auto count = *rc::gen::inRange<std::size_t>(3, 15);
  const auto a = *rc::gen::container<std::vector<double>>(count, value());
  const auto b = *rc::gen::container<std::vector<double>>(count, value());
  const auto there = estimate_of(session(a, b, order)), back = estimate_of(session(b, a, order));
  RC_ASSERT(near((1 + *there.shift_percent / 100) * (1 + *back.shift_percent / 100), 1));
  RC_ASSERT(near((1 + there.interval_percent->low / 100) * (1 + back.interval_percent->high / 100), 1));
  RC_ASSERT(near(*there.p, *back.p));
  RC_ASSERT(there.finding == back.finding);
}

RC_GTEST_PROP(AnalyseAnything, UnpairedRunsMayComeInAnyOrder, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(3, 15);
  const auto a = *rc::gen::container<std::vector<double>>(count, value());
  auto b = *rc::gen::container<std::vector<double>>(count, value());
  const auto before = estimate_of(session(a, b, Order::unknown));
  std::ranges::reverse(b);
  RC_ASSERT(near(*before.p, *estimate_of(session(a, b, Order::unknown)).p));
}

RC_GTEST_PROP(AnalyseAnything, ANoiseFloorIsANumberOrAMessage, ()) {
  auto measurement = random_measurement(odd_value());
  measurement.variants.pop_back();
  measurement.series.pop_back();
  const auto floor = noise_floor_percent(measurement);
  if (floor)
    RC_ASSERT(*floor >= 0);
  else
    RC_ASSERT(!floor.error().message.empty());
}

}  // namespace
}  // namespace tollgate::evidence
