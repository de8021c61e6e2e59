// hackbench (rt-tests) and perf bench (tools/perf/bench). Every "Time:" of hackbench and every "# Running" of perf bench is a run.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "import/catalogue.h"
#include "import/collector.h"
#include "import/text_lines.h"

namespace tollgate::import {
namespace {

using evidence::Better;
using evidence::MetricInfo;

// --- hackbench: Running in process mode with 2 groups ... / Each sender will pass ... / Time: 0.318

bool is_hackbench_begin(std::string_view text) {
  return (text.starts_with("Running in ") && text.find(" mode with ") != std::string_view::npos) ||
         (text.starts_with("Running with ") && text.find(" tasks") != std::string_view::npos);
}

bool recognises_hackbench(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) { return is_hackbench_begin(line.text); }) &&
         std::ranges::any_of(source.lines(), [](const Line& line) { return line.text.starts_with("Time:"); });
}

Result<evidence::Measurement> read_hackbench(const Source& source) {
  Collector collector(source);
  std::set<std::string> setups;
  std::string setup;
  std::uint32_t run = 0;
  for (const Line& line : source.lines()) {
    const std::string_view text = trim(line.text);
    if (is_hackbench_begin(text)) setup = text;
    if (text.starts_with("Each sender ")) setup.append("; ").append(text);
    const auto time = after(text, "Time:");
    if (!time) continue;
    TRY(collector.sample(source.stem(), elapsed_metric(), TRY(collector.number(trim(*time), line.number)),
                         line.number));
    collector.condition(source.stem(), run++, "hackbench", setup);
    setups.insert(setup);
    if (setups.size() > 1)
      return fail_at(line.number, fmt::format("mixes runs that were set up otherwise: '{}' and '{}'; import them apart",
                                              *setups.begin(), *setups.rbegin()));
  }
  return std::move(collector).finish();
}

// --- perf bench: # Running 'sched/pipe' benchmark: / Total time: 0.066 [sec] / 33.19 usecs/op / 30128 ops/sec

constexpr std::string_view kPerfBench = "# Running '";

bool recognises_perf_bench(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) {
    return line.text.starts_with(kPerfBench) && line.text.find("' benchmark:") != std::string_view::npos;
  });
}

Result<void> take_perf_bench_line(const Line& line, const std::string& prefix, const std::string& variant,
                                  Collector& collector) {
  const auto words = words_of(line.text);
  const auto sample = [&](MetricInfo metric, std::string_view text) -> Result<void> {
    metric.name = prefix + metric.name;
    return collector.sample(variant, metric, TRY(collector.number(text, line.number)), line.number);
  };
  if (words.size() == 4 && words[0] == "Total" && words[1] == "time:" && words[3] == "[sec]")
    return sample(elapsed_metric(), words[2]);
  if (words.size() != 2) return {};
  if (words[1] == "usecs/op") return sample({"us_per_op", "us", Better::lower}, words[0]);
  if (words[1] == "ops/sec") return sample({"ops_per_s", "1/s", Better::higher}, words[0]);
  return {};
}

Result<evidence::Measurement> read_perf_bench(const Source& source) {
  std::set<std::string> suites;
  const auto suite_of = [](std::string_view text) -> std::string {
    const auto rest = after(text, kPerfBench);
    return rest ? std::string(rest->substr(0, rest->find('\''))) : "";
  };
  for (const Line& line : source.lines())
    if (auto suite = suite_of(line.text); !suite.empty()) suites.insert(std::move(suite));
  Collector collector(source);
  std::string suite;
  for (const Line& line : source.lines()) {
    if (auto begun = suite_of(line.text); !begun.empty()) suite = std::move(begun);
    if (!suite.empty()) TRY(take_perf_bench_line(line, suites.size() > 1 ? suite + "." : "", source.stem(), collector));
  }
  return std::move(collector).finish();
}

}  // namespace

Importer hackbench() { return {"hackbench", "hackbench", recognises_hackbench, read_hackbench}; }
Importer perf_bench() { return {"perf bench", "perf bench sched pipe", recognises_perf_bench, read_perf_bench}; }

}  // namespace tollgate::import
