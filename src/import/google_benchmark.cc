// Google Benchmark --benchmark_format=json (google/benchmark, src/json_reporter.cc). A repetition is a sample; with
// --benchmark_report_aggregates_only mean, median and stddev are all there is. Times are kept in nanoseconds.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "import/catalogue.h"
#include "import/collector.h"

namespace tollgate::import {
namespace {

using evidence::Better;
using evidence::MetricInfo;
using evidence::SummaryOnly;

bool recognises(const Source& source) {
  return source.json() && source.json()->has("context") && source.json()->has("benchmarks");
}

Result<double> nanoseconds_of(const JsonValue& benchmark) {
  const std::string unit = TRY(benchmark.optional_text_at("time_unit")).value_or("ns");
  for (const auto& [name, factor] : {std::pair{"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}})
    if (unit == name) return factor;
  return fail_at(benchmark.line, fmt::format("time_unit '{}' is none of ns, us, ms, s", unit));
}

/// What is taken of a row of results: key, metric, whether it is in time_unit.
struct Taken {
  std::string key;
  MetricInfo metric;
  bool time = false;
};
const std::vector<Taken>& taken() {
  static const std::vector<Taken> kTaken = {
      {"real_time", {"real_ns", "ns", Better::lower}, true},
      {"cpu_time", {"cpu_ns", "ns", Better::lower}, true},
      {"bytes_per_second", {"bytes_per_s", "B/s", Better::higher}, false},
      {"items_per_second", {"items_per_s", "1/s", Better::higher}, false},
  };
  return kTaken;
}

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source), collector_(source) {}

  Result<evidence::Measurement> read() {
    const auto& benchmarks = *TRY(source_.json()->array_at("benchmarks"));
    take_context(*source_.json()->find("context"));
    for (const JsonValue& benchmark : benchmarks) TRY(take(benchmark));
    for (const auto& [name, summary] : summaries_)
      if (!has_samples(name)) TRY(collector_.summary(source_.stem(), metrics_.at(name), summary.first, summary.second));
    return std::move(collector_).finish();
  }

 private:
  bool has_samples(const std::string& metric) const { return collector_.runs(source_.stem(), metric) > 0; }

  void take_context(const JsonValue& context) {
    const auto is_true = [](const JsonValue* value) { return value != nullptr && value->flag; };
    if (is_true(context.find("cpu_scaling_enabled")))
      collector_.warn("CPU frequency scaling was on: the benchmark itself warned of noise");
    const JsonValue* build = context.find("library_build_type");
    if (build != nullptr && build->text == "debug")
      collector_.note("the benchmark library was a debug build, which says nothing of the code it timed");
  }

  Result<void> take(const JsonValue& benchmark) {
    const std::string name = TRY(benchmark.text_at("name"));
    for (const auto& [key, what] : {std::pair{"error_occurred", "ended with an error"}, {"skipped", "was skipped"}}) {
      const JsonValue* flag = benchmark.find(key);
      if (flag == nullptr || !flag->flag) continue;
      collector_.warn_at(benchmark.line, fmt::format("'{}' {} and is left out", name, what));
      return {};
    }
    const std::string type = TRY(benchmark.optional_text_at("run_type")).value_or("iteration");
    const std::string run = TRY(benchmark.optional_text_at("run_name")).value_or(name);
    const bool aggregate = type == "aggregate";
    const std::string statistic = aggregate ? TRY(benchmark.text_at("aggregate_name")) : "";
    if (aggregate && statistic != "mean" && statistic != "median" && statistic != "stddev") return {};
    const double unit = TRY(nanoseconds_of(benchmark));
    for (const Taken& one : taken()) {
      const auto value = TRY(benchmark.optional_number_at(one.key));
      if (!value) continue;
      MetricInfo metric = one.metric;
      metric.name = run + " " + metric.name;
      const double number = one.time ? *value * unit : *value;
      if (aggregate)
        TRY(add_statistic(metric, statistic, number, benchmark));
      else
        TRY(collector_.sample(source_.stem(), metric, number, benchmark.line));
    }
    return {};
  }

  Result<void> add_statistic(const MetricInfo& metric, const std::string& statistic, double value,
                             const JsonValue& benchmark) {
    metrics_[metric.name] = metric;
    auto& [summary, line] = summaries_[metric.name];
    line = benchmark.line;
    if (statistic == "mean") summary.mean = value;
    if (statistic == "median") summary.median = value;
    if (statistic == "stddev") summary.deviation = value;
    if (const auto repetitions = TRY(benchmark.optional_number_at("repetitions")); repetitions && *repetitions >= 1)
      summary.count = static_cast<std::uint64_t>(std::min(*repetitions, 1e9));
    return {};
  }

  const Source& source_;
  Collector collector_;
  std::map<std::string, MetricInfo> metrics_;
  std::map<std::string, std::pair<SummaryOnly, unsigned>> summaries_;  // with the line
};

Result<evidence::Measurement> read(const Source& source) { return Reader(source).read(); }

}  // namespace

Importer google_benchmark() { return {"Google Benchmark JSON", "BENCHMARK --benchmark_format=json", recognises, read}; }

}  // namespace tollgate::import
