// What a run of `tollgate measure` costs beside a bare fork, exec and wait of the same command, and beside hyperfine's. All three
// start /bin/true without a shell; ours also reads the run's conditions and keeps it in the store.
#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "measure/conduct.h"
#include "measure/request.h"

namespace tollgate::measure {
namespace {

constexpr std::uint32_t kRuns = 100;  // of each of two variants

void fork_exec_wait(benchmark::State& state) {
  for (auto _ : state) {
    for (std::uint32_t run = 0; run < 2 * kRuns; ++run) {
      const pid_t child = fork();
      if (child == 0) {
        execl("/bin/true", "true", nullptr);
        _exit(127);
      }
      int status = 0;
      waitpid(child, &status, 0);
      if (status != 0) return state.SkipWithError("/bin/true failed");
    }
  }
  state.SetItemsProcessed(state.iterations() * 2 * kRuns);
}
BENCHMARK(fork_exec_wait)->UseRealTime()->Unit(benchmark::kMillisecond);

/// A store of its own that goes away with the benchmark.
class BenchStore {
 public:
  BenchStore() : path_(std::filesystem::temp_directory_path() / fmt::format("tollgate-bench-{}.db", getpid())) {}
  ~BenchStore() {
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path_.string() + end);
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

void measure_run(benchmark::State& state) {
  const BenchStore file;
  auto store = store::Store::open(file.path());
  const auto host = read_host({});
  Request request;
  request.variants = {{"a", "/bin/true", {}}, {"b", "/bin/true", {}}};
  request.metrics = {"wall", "user", "sys", "rss"};
  request.runs = kRuns;
  Surroundings around;
  for (char** at = environ; *at != nullptr; ++at) around.environment.emplace_back(*at);
  if (!store || !host) return state.SkipWithError("no store, or no host");
  for (auto _ : state) {
    auto session = make_session(request, *host, 0);
    session->id = *store->add(*session);
    const auto conducted = conduct(*store, *session, around);
    if (!conducted) return state.SkipWithError(conducted.error().text().c_str());
  }
  state.SetItemsProcessed(state.iterations() * 2 * kRuns);
}
BENCHMARK(measure_run)->UseRealTime()->Unit(benchmark::kMillisecond);

void hyperfine_run(benchmark::State& state) {
  const std::string command =
      fmt::format("hyperfine -N --style none --runs {} /bin/true /bin/true >/dev/null 2>&1", kRuns);
  for (auto _ : state)
    if (std::system(command.c_str()) != 0) return state.SkipWithError("hyperfine failed");
  state.SetItemsProcessed(state.iterations() * 2 * kRuns);
}
BENCHMARK(hyperfine_run)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tollgate::measure
