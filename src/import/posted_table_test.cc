// What `tollgate table` writes, read by the auditor: random measurements in every style, and none has a figure that the
// auditor calls wrong or doubtful. That the auditor sees the figures at all is part of the property.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "audit/audit.h"
#include "base/random.h"
#include "evidence/analysis.h"
#include "report/post_table.h"

namespace tollgate::report {
namespace {

using evidence::Better;
using evidence::Measurement;
using Random = RandomStream;

constexpr std::array kStyles{TableStyle::box, TableStyle::perf_stat, TableStyle::before_after, TableStyle::markdown};

double between(Random& random, double low, double high) { return low + (high - low) * random.unit(); }

evidence::MetricInfo random_metric(Random& random) {
  static const std::vector<evidence::MetricInfo> kMetrics = {{"elapsed_s", "s", Better::lower},
                                                             {"ops_per_s", "1/s", Better::higher},
                                                             {"page-faults", "count", Better::neither},
                                                             {"max_rss_bytes", "B", Better::lower},
                                                             {"read.iops", "1/s", Better::higher},
                                                             {"purge_vmap_node.mean_us", "us", Better::lower},
                                                             {"sys_s", "s", Better::lower},
                                                             {"Encode-8 ns/op", "ns/op", Better::lower}};
  return kMetrics[random.below(kMetrics.size())];
}

std::vector<std::string> random_names(Random& random) {
  static const std::vector<std::vector<std::string>> kNames = {
      {"off", "on"},
      {"v6.11", "v6.11-patched"},
      {"gzip -1 data", "gzip -6 data"},
      {"before", "after"},
      {"nopti", "pti", "pti2"},
      {"make -j8", "make -j16", "make"},
      {"base", "x86 4-bit"},
      {"a.json", "b.json"},
      {"seq 1 100 | sort -n", "seq 1 100 | sort -R"},
      {"perf bench sched messaging -g 20 -l 1000 -p -t # 5.14-rc3 nopti", "on"}};
  return kNames[random.below(kNames.size())];
}

evidence::Series random_series(Random& random, const evidence::MetricInfo& metric, const std::string& variant,
                               double level) {
  evidence::Series series;
  series.metric = metric;
  series.variant = variant;
  const std::uint64_t runs = 1 + random.below(12);
  const double spread = between(random, 0, 0.1), centre = level * between(random, 0.5, 1.6);
  if (random.below(4) == 0) {
    evidence::SummaryOnly summary;
    if (random.below(3) > 0) summary.count = runs;
    summary.mean = centre;
    if (random.below(2) == 0) summary.standard_error = centre * spread;
    series.summary = summary;
    return series;
  }
  for (std::uint32_t run = 0; run < runs; ++run) {
    double value = centre * (1 + spread * between(random, -1, 1));
    if (metric.unit == "count") value = std::round(value);
    evidence::Sample sample;
    sample.value = value;
    sample.run = run;
    series.samples.push_back(std::move(sample));
  }
  return series;
}

Measurement random_measurement(Random& random) {
  Measurement measurement;
  measurement.title = "t";
  measurement.variants = random_names(random);
  const std::uint64_t metrics = 1 + random.below(2);
  for (std::uint64_t i = 0; i < metrics; ++i) {
    const auto metric = random_metric(random);
    if (i == 1 && metric.name == measurement.terms.primary) break;
    if (i == 0) measurement.terms.primary = metric.name;
    const double level = std::pow(10, between(random, metric.unit == "s" ? -7 : 0, 8));
    for (const auto& variant : measurement.variants)
      measurement.series.push_back(random_series(random, metric, variant, level));
  }
  if (random.below(2) == 0) measurement.terms.margin_percent = 1;
  return measurement;
}

std::size_t wrong_or_doubtful(const audit::Audited& audited) {
  std::size_t bad = 0;
  for (const auto& finding : audited.findings) bad += finding.severity != audit::Severity::reporting;
  return bad;
}

TEST(PostedTable, TheAuditorFindsNothingWrongInIt) {
  Random random(7);
  std::size_t figures = 0, deltas = 0;
  for (int i = 0; i < 600; ++i) {
    const Measurement measurement = random_measurement(random);
    const auto comparison = evidence::analyse(measurement);
    ASSERT_TRUE(comparison.has_value()) << comparison.error().text();
    for (const TableStyle style : kStyles) {
      const std::string text = post_table(measurement, *comparison, style);
      const auto audited = audit::audit_text("t", text);
      ASSERT_EQ(wrong_or_doubtful(audited), 0u) << text << audited.findings.front().message << " " << i;
      figures += audited.figures.size();
      for (const auto& variant : comparison->variants)
        for (const auto& metric : variant.metrics) deltas += metric.delta_percent.has_value();
      for (const auto& finding : audited.findings)
        EXPECT_TRUE(finding.kind == "not-significant") << text << finding.message;
    }
  }
  fmt::print("{} deltas posted, {} figures recomputed\n", deltas, figures);
  EXPECT_GT(figures, deltas * 95 / 100);
}

TEST(PostedTable, ThePrintedDifferenceIsThatOfThePrintedFigures) {
  Measurement measurement;
  measurement.variants = {"off", "on"};
  measurement.terms.primary = "elapsed_s";
  for (const auto& [variant, mean] : {std::pair{"off", 1.00004}, {"on", 1.10006}}) {  // 0.10002 apart
    evidence::Series& series = measurement.series.emplace_back();
    series.metric = {"elapsed_s", "s", Better::lower};
    series.variant = variant;
    series.summary.emplace().mean = mean;
  }
  const auto comparison = evidence::analyse(measurement);
  ASSERT_TRUE(comparison);
  const std::string text = report::post_table(measurement, *comparison, TableStyle::perf_stat);
  EXPECT_NE(text.find("1.0000 seconds"), std::string::npos) << text;
  EXPECT_NE(text.find("1.1001 seconds"), std::string::npos) << text;
  EXPECT_NE(text.find("+0.1001 seconds"), std::string::npos) << text;
}

TEST(PostedTable, ACorruptedDeltaIsFound) {
  Random random(8);
  std::size_t spoiled = 0, found = 0;
  for (int i = 0; i < 200; ++i) {
    const Measurement measurement = random_measurement(random);
    const auto comparison = evidence::analyse(measurement);
    ASSERT_TRUE(comparison.has_value());
    std::string text = post_table(measurement, *comparison, TableStyle::box);
    const std::size_t percent = text.find('%');
    if (percent == std::string::npos || comparison->variants[1].metrics.empty()) continue;
    // Where one variant has a min and a max and the other has not, the auditor does not dare to pair their figures.
    const auto& metric = comparison->variants[1].metrics[0];
    if (std::isfinite(metric.min) != std::isfinite(comparison->variants[0].metrics[0].min)) continue;
    const auto& delta = metric.delta_percent;
    if (!delta || std::fabs(*delta) < 10 || std::fabs(*delta) >= 100) continue;
    char& digit = text[percent - 5];  // the tens
    digit = static_cast<char>('1' + (digit - '1' + 3) % 9);
    ++spoiled;
    found += wrong_or_doubtful(audit::audit_text("t", text)) > 0;
  }
  EXPECT_GT(spoiled, 50u);
  EXPECT_EQ(found, spoiled);
}

}  // namespace
}  // namespace tollgate::report
