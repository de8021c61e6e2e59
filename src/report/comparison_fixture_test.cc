#include "report/comparison_fixture.h"

#include <gtest/gtest.h>

#include "evidence/analysis.h"
#include "evidence/summary.h"

namespace tollgate::report {
namespace {

using evidence::Account;
using evidence::Better;
using evidence::Comparison;
using evidence::Event;
using evidence::MemoryKind;
using evidence::PublishedRow;
using evidence::PublishedUse;
using evidence::VariantResult;
using evidence::VariantSamples;

/// Draw i's machine has the value first + step i; replicates lie `noise` to either side, more so in every third draw.
evidence::SampleMatrix samples(std::size_t draws, double first, double step, double noise) {
  evidence::SampleMatrix values;
  for (std::size_t i = 0; i < draws; ++i) {
    const double middle = first + step * double(i);
    const double swing = i % 3 == 0 ? 2 * noise : noise;
    values.push_back({middle - swing, middle + swing});
  }
  return values;
}

void add_metric(Comparison& comparison, const evidence::MetricInfo& info, const std::vector<VariantSamples>& variants) {
  const auto summaries = evidence::summarize(info, variants);
  comparison.few_draws = summaries.few_draws;
  evidence::append_unique(comparison.warnings, summaries.warnings);
  if (comparison.variants.empty()) comparison.variants.resize(variants.size());
  for (std::size_t i = 0; i < variants.size(); ++i) {
    comparison.variants[i].name = variants[i].name;
    comparison.variants[i].metrics.push_back(summaries.variants[i]);
  }
}

void set(VariantResult& variant, std::initializer_list<std::pair<Account, double>> cycles) {
  for (auto [account, amount] : cycles) variant.ledger[static_cast<std::size_t>(account)] = amount;
}
void set(VariantResult& variant, std::initializer_list<std::pair<Event, double>> counts) {
  for (auto [event, count] : counts) variant.events[static_cast<std::size_t>(event)] = count;
}
void expose(VariantResult& variant, MemoryKind kind, double mapped, double cached) {
  variant.exposure.mapped_bytes[static_cast<std::size_t>(kind)] = mapped;
  variant.exposure.cached_bytes[static_cast<std::size_t>(kind)] = cached;
}

void fill_variant(VariantResult& variant, double operations, double walks, double work, double text_bytes) {
  set(variant, {{Account::user_work, 40 * operations},
                {Account::kernel_work, work * operations},
                {Account::entry_exit, 180 * operations},
                {Account::cr3_write, 372.5 * operations},
                {Account::walk_capacity, walks * operations},
                {Account::stlb_hit, 21 * operations}});
  set(variant,
      {{Event::operations, operations}, {Event::walks_cold, 120}, {Event::walks_capacity, walks / 9 * operations}});
  for (std::size_t i = 0; i < evidence::kAccounts; ++i)
    variant.ledger_per_operation[i] = variant.ledger[i] / operations;
  for (std::size_t i = 0; i < evidence::kEvents; ++i) variant.events_per_operation[i] = variant.events[i] / operations;
  expose(variant, MemoryKind::own, 1 << 20, 64 << 10);
  expose(variant, MemoryKind::entry_area, 160 << 10, 20 << 10);
  if (text_bytes > 0) expose(variant, MemoryKind::kernel_text, text_bytes, text_bytes / 8);
}

PublishedRow published(std::string id, std::string variant, double delta, PublishedUse use, std::string note) {
  PublishedRow row;
  row.id = std::move(id);
  row.question = "pti-global-lseek";
  row.variant = std::move(variant);
  row.metric = "ops_per_s";
  row.delta_percent = delta;
  row.source = "an invented report";
  row.use = use;
  row.note = std::move(note);
  return row;
}

/// One run a block; block i of `values`.
evidence::Series run_in_blocks(const evidence::MetricInfo& metric, const std::string& variant,
                               const std::vector<double>& values) {
  evidence::Series series;
  series.metric = metric;
  series.variant = variant;
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    evidence::Sample& sample = series.samples.emplace_back();
    sample.value = values[i];
    sample.run = sample.block.emplace(i);
    const bool first = (i % 3 == 0) == (variant == "on");
    sample.position = 2 * i + (first ? 0 : 1);
  }
  return series;
}

}  // namespace

Comparison example_real_comparison() {
  evidence::Measurement measurement;
  measurement.title = "make -j8, mitigations off and on";
  measurement.machine = "Example CPU 3000";
  measurement.variants = {"off", "on"};
  measurement.terms = {.primary = "wall_s",
                       .margin_percent = 1,
                       .order = evidence::Order::random_blocks,
                       .seed = 7,
                       .runs = 10,
                       .compared = {}};
  measurement.noise_floor_percent = 0.3;
  const evidence::MetricInfo wall{"wall_s", "s", Better::lower}, faults{"page_faults", "faults", Better::neither};
  measurement.series = {
      run_in_blocks(wall, "off", {34.81, 34.95, 34.84, 35.02, 34.98, 35.12, 35.11, 35.27, 35.21, 35.32}),
      run_in_blocks(wall, "on", {37.42, 37.59, 37.49, 37.65, 42.31, 37.78, 37.71, 37.84, 37.97, 37.86}),
      run_in_blocks(faults, "off", {50120, 50119, 50133, 50125, 50118, 50127, 50121, 50130, 50124, 50122}),
      run_in_blocks(faults, "on", {50122, 50118, 50131, 50127, 50119, 50126, 50120, 50133, 50125, 50121})};
  for (std::uint32_t run = 0; run < 10; ++run) {
    measurement.conditions.push_back({"off", run, "governor", "performance"});
    measurement.conditions.push_back({"on", run, "governor", "powersave"});
  }
  measurement.notes = {"Every figure of this example is invented."};
  return *evidence::analyse(measurement);
}

Comparison example_comparison() {
  Comparison comparison;
  comparison.experiment = "pti-global-lseek";
  comparison.title = "PTI: do global pages for the kernel's entry area pay in a loop of lseek?";
  comparison.machine = "skylake-desktop";
  comparison.workload = "lseek1";
  comparison.seed = 1;
  comparison.digest = "00112233445566778899aabbccddeeff";
  add_metric(comparison, {"ops_per_s", "1/s", Better::higher},
             {{"none", samples(20, 15000000, 40000, 4000)},
              {"entry", samples(20, 15150000, 42000, 5000)},
              {"entry-text", samples(20, 15000000, 40000, 4000)}});
  add_metric(comparison, {"walks_per_op", "walks", Better::lower},
             {{"none", samples(20, 2.0, 0.01, 0.001)},
              {"entry", samples(20, 1.25, 0.01, 0.001)},
              {"entry-text", samples(20, 1.99993, 0.01, 0.001)}});
  fill_variant(comparison.variants[0], 1000, 18, 400, 0);
  fill_variant(comparison.variants[1], 1011, 11.25, 395.5, 0);
  fill_variant(comparison.variants[2], 1000, 17.995, 400, 2 << 20);
  comparison.variants[2].exposure.stale_entries = 12;
  comparison.variants[2].exposure.stale_mean_us = 1.5;
  comparison.variants[2].exposure.stale_max_us = 9.25;
  comparison.published = {published("first", "entry", 1.71, PublishedUse::validate, "number of tasks not stated"),
                          published("second", "entry-text", 0.6, PublishedUse::validate, ""),
                          published("third", "entry", 0.3, PublishedUse::noise, "within its own spread")};
  comparison.notes = {
      "Every figure of this example is invented: it shows the form of an answer and says nothing about PTI."};
  return comparison;
}

Comparison equal_comparison(std::size_t draws) {
  Comparison comparison;
  comparison.experiment = "nothing";
  comparison.machine = "none";
  comparison.workload = "idle";
  comparison.digest = "0";
  add_metric(comparison, {"time_s", "s", Better::lower},
             {{"a", samples(draws, 2, 0, 0)}, {"b", samples(draws, 2, 0, 0)}});
  return comparison;
}

Explanation example_explanation() {
  Explanation explanation;
  explanation.comparison = example_comparison();
  explanation.sensitivity = {
      {"entry", "walk.fetch_near", 5, 7, 11, "cycles", "published", "an invented manual, table 3", -40.5, 0.71, 1.1,
       1.45},
      {"entry", "walk.exposed_data", 0.3, 0.6, 1, "", "recalled", "nobody measured it", -210, 0.52, 1.1, 1.83},
      {"entry", "cr3.write", 150, 186, 250, "cycles", "measured", "an invented paper", 0, 1.1, 1.1, 1.1}};
  explanation.layout = {{"entry", "kernel.text_pages", "6", 0, 0, 0.02},
                        {"entry", "kernel.text_pages", "8", 0.01, 0, 0.05},
                        {"entry", "kernel.text_pages", "10", 2.4, 1.9, 3.1},
                        {"entry", "kernel.text_pages", "12", 2.6, 2, 3.3}};
  explanation.missing = {"how many tasks ran: with two on a core they share the TLB"};
  return explanation;
}

Validation example_validation() {
  const Comparison comparison = example_comparison();
  auto elsewhere = published("fifth", "entry", -3, PublishedUse::sign, "");
  elsewhere.question = "";
  std::vector<ValidationRow> rows;
  for (const auto& row : {published("first", "entry", 1.71, PublishedUse::validate, ""),
                          published("second", "entry", 1.1, PublishedUse::validate, "same direction, same size"),
                          published("third", "entry", 0.3, PublishedUse::noise, ""),
                          published("fourth", "entry", 3, PublishedUse::sign, "")})
    rows.push_back(validation_row(row, &comparison));
  rows.push_back(validation_row(elsewhere, nullptr));
  return {std::move(rows), 1, 20};
}

TEST(ComparisonFixture, HasTwentyDrawsAndNoWarnings) {
  const auto comparison = example_comparison();
  EXPECT_FALSE(comparison.few_draws);
  EXPECT_TRUE(comparison.warnings.empty());
  EXPECT_EQ(comparison.variants[1].metrics[0].samples.size(), 20u);
}

}  // namespace tollgate::report
