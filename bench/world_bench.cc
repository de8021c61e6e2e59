// The timed world: what an event costs as the number of simulated CPUs grows, and a whole question.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <thread>

#include "base/check.h"
#include "lab/compare.h"
#include "lab/test_support/shipped_data.h"

namespace tollgate::lab {
namespace {

/// Simulates one run of a variant ("" for the first) again and again; an item is a microsecond of one simulated CPU.
void simulate_runs(benchmark::State& state, const QuestionRequest& request, std::string_view variant = "") {
  const auto question = load_question(request, test::find_shipped, nullptr);
  CHECK(question, "a question of the project loads");
  const auto& variants = question->experiment.variants;
  const auto found = std::ranges::find(variants, variant, &VariantSpec::name);
  const VariantSpec& chosen = found == variants.end() ? variants.front() : *found;
  const hw::DrawnMachine machine = hw::typical_machine(question->machine);
  for (auto _ : state) benchmark::DoNotOptimize(simulate(*question, chosen, machine, 1, 0, 0));
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

/// Two vCPUs a CPU, the merged allocator with 16 bits. The claim is that the cost grows with CPUs times simulated time; a small
/// machine, whose TLBs fit the host's caches, is cheaper by a factor of two or so.
void guests(benchmark::State& state) {
  simulate_runs(state,
                {"vmid-16bit",
                 {},
                 {},
                 {setting("workload.cpus", state.range(0)), setting("workload.program.vms", state.range(0)),
                  "workload.program.loads_per_exit=0.1", "run.warm_us=0", "run.measure_us=2000"}},
                "merged");
}
BENCHMARK(guests)->Arg(8)->Arg(32)->Arg(128)->Arg(512)->Unit(benchmark::kMillisecond);

void compare_lseek(benchmark::State& state) {
  const auto question = load_question({"pti-global-lseek", {}, {}, {}}, test::find_shipped, nullptr);
  CHECK(question, "a question of the project loads");
  CompareOptions options;
  options.threads = int(std::max(1u, std::thread::hardware_concurrency()));
  for (auto _ : state) benchmark::DoNotOptimize(compare(*question, options, {}));
}
BENCHMARK(compare_lseek)->Iterations(1)->Unit(benchmark::kSecond)->UseRealTime();

}  // namespace
}  // namespace tollgate::lab
