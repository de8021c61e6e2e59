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
//     and of mem: # function 'default' (...) / 12.682630 GB/sec

constexpr std::string_view kPerfBench = "# Running '";
constexpr std::string_view kFunction = "# function '";

/// "sched/pipe" of "# Running 'sched/pipe' benchmark:".
std::optional<std::string> quoted_after(std::string_view text, std::string_view begin) {
  const auto rest = after(text, begin);
  const std::size_t end = rest ? rest->find('\'') : std::string_view::npos;
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(rest->substr(0, end));
}

bool recognises_perf_bench(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) {
    return quoted_after(line.text, kPerfBench) && line.text.find("' benchmark:") != std::string_view::npos;
  });
}

class PerfBenchReader {
 public:
  explicit PerfBenchReader(const Source& source) : source_(source), collector_(source) {
    for (const Line& line : source.lines())
      if (auto suite = quoted_after(line.text, kPerfBench)) suites_.insert(std::move(*suite));
  }

  Result<evidence::Measurement> read() {
    for (const Line& line : source_.lines()) TRY(take(line));
    end_suite();
    return std::move(collector_).finish();
  }

 private:
  Result<void> take(const Line& line) {
    if (auto begun = quoted_after(line.text, kPerfBench)) {
      end_suite();
      suite_ = std::move(*begun);
      function_.clear();
      begun_ = line.number;
      taken_ = 0;
    }
    if (auto function = quoted_after(line.text, kFunction)) function_ = *function + ".";
    if (suite_.empty()) return {};
    const auto words = words_of(line.text);
    if (words.size() == 4 && words[0] == "Total" && words[1] == "time:" && words[3] == "[sec]")
      return sample(elapsed_metric(), words[2], line.number);
    if (words.size() != 2) return {};
    if (words[1] == "usecs/op") return sample({"us_per_op", "us", Better::lower}, words[0], line.number);
    if (words[1] == "ops/sec") return sample({"ops_per_s", "1/s", Better::higher}, words[0], line.number);
    if (words[1] == "GB/sec") return sample({"gb_per_s", "GiB/s", Better::higher}, words[0], line.number);  // K is 1024
    return {};
  }

  Result<void> sample(MetricInfo metric, std::string_view text, unsigned line) {
    ++taken_;
    metric.name = (suites_.size() > 1 ? suite_ + "." : "") + function_ + metric.name;
    return collector_.sample(source_.stem(), metric, TRY(collector_.number(text, line)), line);
  }

  void end_suite() {
    if (!suite_.empty() && taken_ == 0)
      collector_.warn_at(begun_,
                         fmt::format("nothing is taken of '{}': it prints no total, no time of an operation and "
                                     "no rate, or it did not end",
                                     suite_));
  }

  const Source& source_;
  Collector collector_;
  std::set<std::string> suites_;
  std::string suite_;
  std::string function_;  // "default." of the mem suites
  unsigned begun_ = 0;
  unsigned taken_ = 0;
};

Result<evidence::Measurement> read_perf_bench(const Source& source) { return PerfBenchReader(source).read(); }

}  // namespace

Importer hackbench() { return {"hackbench", "hackbench", recognises_hackbench, read_hackbench}; }
Importer perf_bench() { return {"perf bench", "perf bench sched pipe", recognises_perf_bench, read_perf_bench}; }

}  // namespace tollgate::import
