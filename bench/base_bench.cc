// The two things every simulated event pays for: a random number, and its part of the digest.
#include <benchmark/benchmark.h>

#include "base/digest.h"
#include "base/random.h"

namespace tollgate {
namespace {

void digest(benchmark::State& state) {
  Digest digest;
  std::uint64_t word = 0;
  for (auto _ : state) digest.add(word++);
  benchmark::DoNotOptimize(digest.hex());
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * sizeof word));
}
BENCHMARK(digest);

void random_stream(benchmark::State& state) {
  RandomStream stream(1);
  for (auto _ : state) benchmark::DoNotOptimize(stream.next());
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(random_stream);

void random_below(benchmark::State& state) {
  RandomStream stream(1);
  for (auto _ : state) benchmark::DoNotOptimize(stream.below(1000));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(random_below);

}  // namespace
}  // namespace tollgate
