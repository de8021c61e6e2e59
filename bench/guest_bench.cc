// Guests on a growing machine: what a microsecond of one simulated CPU costs at 8, 32, 128 and 512 CPUs, two vCPUs a CPU, the
// merged allocator with 16 bits. The claim is that the cost grows with CPUs times simulated time; a small machine, whose TLBs fit
// the host's caches, is cheaper by a factor of two or so.
#include <benchmark/benchmark.h>

#include "base/check.h"
#include "kernel/era.h"
#include "workload/workload.h"

namespace tollgate::workload {
namespace {

constexpr double kSimulatedUs = 2000;

void guests(benchmark::State& state) {
  const auto cpus = int(state.range(0));
  const auto file = [](const char* path) { return std::string(TOLLGATE_SOURCE_DIR "/") + path; };
  const auto machine = hw::load_machine(file("machines/d06.toml"));
  const auto era = kernel::load_era(file("kernels/linux-5.14-arm64.toml"));
  const auto workload = read_workload(file("workloads/hackbench-vms-128x2.toml"),
                                      {"program.vms=" + std::to_string(cpus), "program.loads_per_exit=0.1"});
  CHECK(machine && era && workload, "the files that come with the program are good");
  const hw::DrawnMachine typical = hw::typical_machine(*machine);
  const DrawnWorkload drawn = draw_workload(*workload, 1, 0, 0);
  const auto cycles = std::int64_t(kSimulatedUs * typical.value(hw::FigureId::clock_ghz) * 1e3);
  for (auto _ : state) {
    world::WorldSetup setup;
    setup.machine = &typical;
    setup.era = &*era;
    setup.cpus = cpus;
    setup.layout_seed = 1;
    world::World world(setup);
    workload->kind->start(world, *workload, drawn);
    world.run_window(Cycles(0), Cycles(cycles));
    benchmark::DoNotOptimize(world.events());
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t(cpus * kSimulatedUs));  // microseconds of a CPU
}
BENCHMARK(guests)->Arg(8)->Arg(32)->Arg(128)->Arg(512)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tollgate::workload
