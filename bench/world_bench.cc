// The timed world: what an event costs as the number of simulated CPUs grows, and a whole question.
#include <benchmark/benchmark.h>

#include <thread>

#include "base/check.h"
#include "lab/compare.h"

namespace tollgate::lab {
namespace {

const DataFinder kFind = [](const std::string& kind, const std::string& name) -> Result<std::string> {
  return std::string(TOLLGATE_SOURCE_DIR) + "/" + kind + "/" + name + ".toml";
};

/// Simulates one run again and again; an item is a microsecond of one simulated CPU.
void simulate_runs(benchmark::State& state, const QuestionRequest& request) {
  const auto question = load_question(request, kFind, nullptr);
  CHECK(question, "a question of the project loads");
  const hw::DrawnMachine machine = hw::typical_machine(question->machine);
  for (auto _ : state)
    benchmark::DoNotOptimize(simulate(*question, question->experiment.variants.front(), machine, 1, 0, 0));
  const double us = question->experiment.warm_us + question->experiment.measure_us;
  state.SetItemsProcessed(state.iterations() * std::int64_t(us * question->cpus));
}

std::string setting(const char* key, std::int64_t value) { return std::string(key) + "=" + std::to_string(value); }

void simulate_lseek(benchmark::State& state) {
  simulate_runs(
      state,
      {"pti-global-lseek", "milan-server", {}, {setting("workload.cpus", state.range(0)), "run.measure_us=200"}});
}
BENCHMARK(simulate_lseek)->Arg(8)->Arg(128)->Unit(benchmark::kMillisecond);

/// Every operation interrupts all other CPUs.
void simulate_dontneed(benchmark::State& state) {
  simulate_runs(state, {"dontneed-shootdown",
                        "milan-server",
                        {},
                        {setting("workload.cpus", state.range(0)), setting("workload.program.threads", state.range(0)),
                         "run.measure_us=1000"}});
}
BENCHMARK(simulate_dontneed)->Arg(8)->Arg(128)->Unit(benchmark::kMillisecond);

void compare_lseek(benchmark::State& state) {
  const auto question = load_question({"pti-global-lseek", {}, {}, {}}, kFind, nullptr);
  CHECK(question, "a question of the project loads");
  CompareOptions options;
  options.threads = int(std::max(1u, std::thread::hardware_concurrency()));
  for (auto _ : state) benchmark::DoNotOptimize(compare(*question, options, {}));
}
BENCHMARK(compare_lseek)->Iterations(1)->Unit(benchmark::kSecond)->UseRealTime();

}  // namespace
}  // namespace tollgate::lab
