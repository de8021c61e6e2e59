// TLBs on a trace: the recorded compiler run, straight from its file, and a random walk over 64 MiB in memory, where nothing
// collapses. Items are references before collapsing.
#include <benchmark/benchmark.h>

#include <vector>

#include "base/random.h"
#include "simulate/simulator.h"
#include "trace/reader.h"

namespace tollgate::simulate {
namespace {

constexpr const char* kRecording = TOLLGATE_SOURCE_DIR "/workloads/recordings/compile.tgt";

/// A Skylake client's geometry with tags, global entries and walk caches.
Setup tagged(WhyMissed why, Geometry l1d = {64, 4}, Geometry l2 = {1536, 12}) {
  Setup setup = *geometry_setup({l1d, {128, 8}, l2}, hw::Replacement::lru);
  setup.tags = Tags::pcid;
  setup.globals = Globals::kernel;
  setup.walk_caches = {32, 4, 4};
  setup.why = why;
  return setup;
}

void run_file(benchmark::State& state, std::vector<Setup> setups, std::vector<CurveRequest> curves = {}) {
  auto reader = trace::TraceReader::open(kRecording);
  if (!reader) return state.SkipWithError(reader.error().text().c_str());
  std::uint64_t references = 0, walks = 0;
  for (auto _ : state) {
    reader->rewind();
    Simulator simulator(setups, PageSizes::all(hw::PageSize::k4K), curves);
    for (auto batch = reader->next_batch(); batch && !batch->empty(); batch = reader->next_batch())
      if (!simulator.take(*batch)) return state.SkipWithError("it failed");
    for (const Counts& counts : simulator.results().at(0).counts.at(0)) walks += counts.walks;
    references += reader->totals().references();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(references));
  state.counters["walks"] = benchmark::Counter(static_cast<double>(walks), benchmark::Counter::kAvgIterations);
}

void simulate_file(benchmark::State& state) { run_file(state, {tagged(WhyMissed::skip)}); }
BENCHMARK(simulate_file)->Unit(benchmark::kMillisecond);

void simulate_file_causes(benchmark::State& state) { run_file(state, {tagged(WhyMissed::count)}); }
BENCHMARK(simulate_file_causes)->Unit(benchmark::kMillisecond);

void simulate_file_four(benchmark::State& state) {
  run_file(state, {tagged(WhyMissed::skip), tagged(WhyMissed::skip, {32, 4}),
                   tagged(WhyMissed::skip, {64, 4}, {2048, 8}), tagged(WhyMissed::skip, {96, 6}, {1024, 8})});
}
BENCHMARK(simulate_file_four)->Unit(benchmark::kMillisecond);

/// Every size of L1 D from 16 to 256 entries and of L2 from 512 to 4,096.
void simulate_file_curves(benchmark::State& state) {
  run_file(state, {tagged(WhyMissed::skip)}, {{Curve::Level::l1d, 16, 16}, {Curve::Level::l2, 128, 32}});
}
BENCHMARK(simulate_file_curves)->Unit(benchmark::kMillisecond);

void run_random(benchmark::State& state, WhyMissed why, Instructions instructions) {
  constexpr std::uint64_t kPages = 16384;
  RandomStream random(1);
  std::vector<trace::Record> walk(1 << 20);
  for (trace::Record& record : walk)
    record = {.page = 0x7f000 + random.below(kPages), .reads = 1, .kind = trace::Kind::data};
  Setup setup = tagged(why);
  setup.instructions = instructions;
  Simulator simulator({setup}, PageSizes::all(hw::PageSize::k4K));
  for (auto _ : state)
    if (!simulator.take(walk)) return state.SkipWithError("it failed");
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * walk.size()));
}

void simulate_random(benchmark::State& state) { run_random(state, WhyMissed::skip, widest_instructions()); }
BENCHMARK(simulate_random)->Unit(benchmark::kMillisecond);
void simulate_random_avx2(benchmark::State& state) { run_random(state, WhyMissed::skip, Instructions::avx2); }
BENCHMARK(simulate_random_avx2)->Unit(benchmark::kMillisecond);
void simulate_random_plain(benchmark::State& state) { run_random(state, WhyMissed::skip, Instructions::plain); }
BENCHMARK(simulate_random_plain)->Unit(benchmark::kMillisecond);
void simulate_random_causes(benchmark::State& state) { run_random(state, WhyMissed::count, widest_instructions()); }
BENCHMARK(simulate_random_causes)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tollgate::simulate
