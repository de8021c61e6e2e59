// ./dev bench: runs the Google benchmarks, then reports the catalogue's figures beside the baseline.
//
// Options besides Google Benchmark's own (--benchmark_filter=...): --baseline=FILE, --update, which rewrites that file.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "bench/report.h"

namespace tollgate::bench {
namespace {

/// Prints as Google Benchmark does, and keeps the fastest repetition of each benchmark: noise only ever adds time.
class Collector : public benchmark::ConsoleReporter {
 public:
  Collector() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const auto& run : runs) {
      if (run.run_type == Run::RT_Iteration && !run.error_occurred) keep(run);
    }
  }
  const Measurements& measurements() const { return measurements_; }

 private:
  void keep(const Run& run) {
    Measured measured;
    measured.seconds = run.real_accumulated_time / double(std::max<std::int64_t>(1, run.iterations));
    const auto counter = [&](const char* name) {
      const auto found = run.counters.find(name);
      return found == run.counters.end() ? 0.0 : found->second.value;
    };
    measured.bytes_per_second = counter("bytes_per_second");
    measured.items_per_second = counter("items_per_second");
    auto [at, added] = measurements_.try_emplace(run.run_name.function_name + suffix(run), measured);
    if (!added && measured.seconds < at->second.seconds) at->second = measured;
  }
  static std::string suffix(const Run& run) { return run.run_name.args.empty() ? "" : "/" + run.run_name.args; }

  Measurements measurements_;
};

/// Takes `--name` or `--name=value` out of the arguments; its value, or nothing.
std::optional<std::string> take(std::vector<char*>& arguments, std::string_view name) {
  for (auto at = arguments.begin(); at != arguments.end(); ++at) {
    const std::string_view word = *at;
    if (word != name && !(word.starts_with(name) && word.substr(name.size()).starts_with('='))) continue;
    arguments.erase(at);
    return std::string(word.substr(std::min(word.size(), name.size() + 1)));
  }
  return std::nullopt;
}

int run(std::vector<char*> arguments) {
  const std::string path = take(arguments, "--baseline").value_or("bench/baseline.json");
  const bool update = take(arguments, "--update").has_value();
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);

  const auto baseline = read_baseline(path);
  if (!baseline) {
    fmt::print(stderr, "{}\n", baseline.error().text());
    return 2;
  }
  Values now;
  for (const auto& figure : catalogue()) {
    if (const auto value = figure_value(figure, collector.measurements())) now[figure.name] = *value;
  }
  fmt::print("\n{}", report_table(catalogue(), now, *baseline));
  if (!update) return 0;
  Values kept = *baseline;
  for (const auto& [name, value] : now) kept[name] = value;
  std::ofstream file(path);
  file << baseline_json(kept);
  file.flush();
  return file ? 0 : 2;
}

}  // namespace
}  // namespace tollgate::bench

int main(int argc, char** argv) { return tollgate::bench::run({argv, argv + argc}); }
