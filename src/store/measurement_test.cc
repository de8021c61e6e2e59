#include "store/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/test_support/sessions.h"

namespace tollgate::store {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::vector<store::Run> small_runs(std::uint32_t count) {
  std::vector<store::Run> runs;
  for (std::uint32_t i = 0; i < count; ++i) {
    runs.push_back(small_run(0, i, 1.0 + i, 100));
    runs.push_back(small_run(1, i, 2.0 + i, 50));
  }
  return runs;
}

TEST(MeasurementOf, HoldsEverySampleThePrimaryMetricFirst) {
  const auto measurement = measurement_of(small_session(3), small_runs(3));
  ASSERT_EQ(measurement.series.size(), 4U);
  EXPECT_EQ(measurement.series[0].metric.name, "rate");
  EXPECT_EQ(measurement.series[2].metric.name, "wall");
  EXPECT_EQ(measurement.series[3].variant, "on");
  ASSERT_EQ(measurement.series[3].samples.size(), 3U);
  const auto& sample = measurement.series[3].samples[1];
  EXPECT_EQ(sample.value, 3.0);
  EXPECT_EQ(sample.run, 1U);
  EXPECT_EQ(sample.position, 3U);
  EXPECT_EQ(sample.block, 1U);
  EXPECT_EQ(sample.boot, "boot-1");
  EXPECT_EQ(measurement.terms.margin_percent, 1.5);
  EXPECT_EQ(measurement.conditions.size(), 12U);
  EXPECT_TRUE(measurement.warnings.empty());
}

TEST(MeasurementOf, StepsAreThoseOfWhatTheCommandsPrinted) {
  Session session = small_session(2);
  const std::vector<store::Run> runs{small_run(0, 0, 0.5, 0.011), small_run(1, 0, 0.5, 0.012),
                                     small_run(0, 1, 0.5, 0.01), small_run(1, 1, 0.5, 0.013)};
  const auto measurement = measurement_of(session, runs);
  EXPECT_DOUBLE_EQ(measurement.series[0].half_step, 0.0005);
  EXPECT_DOUBLE_EQ(measurement.series[1].half_step, 0.0005);
  EXPECT_EQ(measurement.series[2].half_step, 0) << "the clock's";
  EXPECT_THAT(measurement.warnings, Contains(HasSubstr("rate of 'off', 'on' were printed in steps of 0.001 op/s")));
  EXPECT_THAT(noise_of(session, {}).series[0].half_step, 0);
}

TEST(MeasurementOf, MemoryIsNotSeenBelowTheGreatestFloorOfTheRuns) {
  Session session = small_session(2);
  session.metrics[0].spec = "rss";
  auto runs = small_runs(2);
  runs[0].conditions[std::string(kMemoryFloor)] = "1.5";
  runs[2].conditions[std::string(kMemoryFloor)] = "2";
  const auto measurement = measurement_of(session, runs);
  EXPECT_EQ(measurement.series[2].floor, 2);
  EXPECT_EQ(measurement.series[3].floor, 0);
  EXPECT_EQ(measurement.series[0].floor, 0) << "of the other metric";
  EXPECT_THAT(measurement.warnings, Contains(HasSubstr("wall of 'off': 2 of 2 runs are no larger than")));
  for (const auto& condition : measurement.conditions) EXPECT_NE(condition.name, kMemoryFloor);
}

TEST(MeasurementOf, LeavesOutWarmupsAndNoise) {
  auto runs = small_runs(3);
  for (const RunKind kind : {RunKind::warmup, RunKind::noise}) {
    store::Run other = small_run(0, 7, 1e6, 1e6);
    other.kind = kind;
    runs.push_back(other);
  }
  const auto measurement = measurement_of(small_session(3), runs);
  EXPECT_EQ(measurement.series[0].samples.size(), 3U);
  const auto noise = noise_of(small_session(3), runs);
  EXPECT_EQ(noise.variants, (std::vector<std::string>{"off", "off again"}));
  ASSERT_EQ(noise.series[0].samples.size(), 1U);
  EXPECT_EQ(noise.series[0].samples[0].value, 1e6);
}

TEST(MeasurementOf, WhatThePlanOfBootsNamesIsComparedTheRestMayConfound) {
  Session session = small_session(1);
  session.boots = 3;
  session.variants[0].boot = BootMatch{"6.1.*", {}, {"pti=on"}};
  session.variants[1].boot = BootMatch{"6.2.*", {"pti=on"}, {}};
  auto runs = small_runs(1);
  runs[0].conditions = {{std::string(kCommandLine), "BOOT_IMAGE=/vmlinuz-6.1 quiet"}};
  runs[1].conditions = {{std::string(kCommandLine), "BOOT_IMAGE=/vmlinuz-6.2 pti=on quiet mitigations=off"}};
  const auto measurement = measurement_of(session, runs);
  EXPECT_THAT(measurement.terms.compared, testing::ElementsAre("kernel"));
  ASSERT_EQ(measurement.conditions.size(), 2U);
  EXPECT_EQ(measurement.conditions[0].name, "rest of the kernel command line");
  EXPECT_EQ(measurement.conditions[0].value, "quiet");
  EXPECT_EQ(measurement.conditions[1].value, "quiet mitigations=off");
}

TEST(MeasurementOf, WarnsOfWhatTheReaderMustKnow) {
  auto runs = small_runs(3);
  runs.pop_back();
  runs[0].exit_status = 7;
  runs[1].boot = "boot-2";
  runs[2].conditions[std::string(kRemark)] = "perf:cycles shared its counter";
  const auto measurement = measurement_of(small_session(3), runs);
  EXPECT_EQ(measurement.unfinished, "5 of 6 planned runs were made");
  EXPECT_THAT(measurement.warnings, Contains("5 of 6 planned runs were made"));
  EXPECT_THAT(measurement.warnings, Contains("1 of 3 runs of 'off' failed (exit status 7) and are counted"));
  EXPECT_THAT(measurement.warnings, Contains(HasSubstr("its runs are of 2 boots")));
  EXPECT_THAT(measurement.warnings, Contains("perf:cycles shared its counter (1 runs)"));
  for (const auto& condition : measurement.conditions) EXPECT_NE(condition.name, kRemark);
}

TEST(MeasurementOf, WarnsOfAnOddNumberOfAbbaBlocks) {
  Session session = small_session(3);
  session.terms.order = evidence::Order::abba;
  EXPECT_THAT(measurement_of(session, small_runs(3)).warnings, Contains(HasSubstr("an odd number of blocks (3)")));
  session.terms.runs = 4;
  EXPECT_TRUE(measurement_of(session, small_runs(4)).warnings.empty());
}

TEST(MeasurementOf, TellsOfThePauseBetweenTwoGoes) {
  auto runs = small_runs(3);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].conditions[std::string(kGo)] = i < 2 ? "1" : "2";
    runs[i].start = i < 2 ? 1000.0 + double(i) : 1601.0 + double(i);
  }
  const auto measurement = measurement_of(small_session(3), runs);
  EXPECT_THAT(measurement.notes, testing::ElementsAre("made in 2 goes, with a pause of 10 min"));
  for (const auto& condition : measurement.conditions) EXPECT_NE(condition.name, kGo);
}

TEST(MeasurementOf, ABlockThatARebootCutIsNoPairUnlessVariantsAreBoots) {
  auto runs = small_runs(4);
  for (std::size_t i = 5; i < runs.size(); ++i) runs[i].boot = "boot-2";
  Session session = small_session(4);
  const auto measurement = measurement_of(session, runs);
  const auto& samples = measurement.series[1].samples;
  EXPECT_EQ(samples[1].block, 1U);
  EXPECT_EQ(samples[2].block, std::nullopt);
  EXPECT_EQ(samples[3].block, 3U);
  session.boots = 4;
  EXPECT_EQ(measurement_of(session, runs).series[1].samples[2].block, 2U);
}

}  // namespace
}  // namespace tollgate::store
