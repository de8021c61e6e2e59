// One page reference through the MMU of a Skylake-like core, miss causes included: in a loop that fits the first level,
// in one that needs the second, and at random over 64 MiB.
#include <benchmark/benchmark.h>

#include <vector>

#include "base/random.h"
#include "hw/staleness.h"
#include "hw/test_support/machines.h"

namespace tollgate::hw {
namespace {

constexpr Vpn kTextFirst = kKernelHalf + (Vpn{1} << 20);
constexpr Vpn kHeapFirst = 0x8000;

struct Page {
  Reference reference;
  Vpn vpn;
};

/// The working set of a short system-call loop: 7 small and 5 large pages of instructions, 15 of data.
std::vector<Page> system_call_loop() {
  std::vector<Page> loop;
  for (Vpn i = 0; i < 7; ++i) loop.push_back({Reference::fetch, 0x400 + 5 * i});
  for (Vpn i = 0; i < 5; ++i) loop.push_back({Reference::fetch, kTextFirst + 512 * i + 17 * i});
  for (Vpn i = 0; i < 15; ++i) loop.push_back({i % 3 == 0 ? Reference::write : Reference::read, kHeapFirst + 9 * i});
  for (std::size_t i = 0; i < 3; ++i) loop.push_back(loop[i]);
  // Fetches and data references alternate, as they do in a program.
  std::vector<Page> mixed;
  for (std::size_t i = 0; i < loop.size(); ++i) mixed.push_back(loop[i * 7 % loop.size()]);
  return mixed;
}

/// Page tables that cost next to nothing to look up: two flat stretches, so that the MMU is what is measured.
class FlatRoot final : public PageTableRoot {
 public:
  FlatRoot() {
    for (Vpn i = 0; i < kUserPages; ++i) user_.push_back({i, PageSize::k4K, true, false, {}, 1, i});
    for (Vpn i = 0; i < 16; ++i) kernel_.push_back({kTextFirst + 512 * i, PageSize::k2M, true, true, {}, 1, 512 * i});
  }
  const Mapping* find(Vpn vpn) const override {
    return vpn >= kTextFirst ? &kernel_[(vpn - kTextFirst) / 512] : &user_[vpn];
  }
  Identity identity() const override { return 1; }
  std::uint32_t table_identity(Vpn vpn) const override { return vpn >= kTextFirst ? 2 : 1; }

 private:
  static constexpr Vpn kUserPages = kHeapFirst + 16384;
  std::vector<Mapping> user_, kernel_;
};

class Fixture {
 public:
  Fixture() : core_(machine_), mmu_(machine_, core_, 0, true) {
    mmu_.write_cr3(root_, 1, NoFlush::clear, evidence::FlushCause::mm_switch);
  }
  Mmu& mmu() { return mmu_; }

 private:
  DrawnMachine machine_ = test::skylake_like();
  FlatRoot root_;
  Core core_;
  Mmu mmu_;
};

void mmu_loop(benchmark::State& state) {
  Fixture fixture;
  const auto loop = system_call_loop();
  std::uint64_t walks = 0;
  for (auto _ : state)
    for (const Page& page : loop) walks += fixture.mmu().access(page.reference, page.vpn).outcome == Outcome::walk;
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * loop.size()));
  state.counters["walks"] = static_cast<double>(walks);
}
BENCHMARK(mmu_loop);

void random_pages(benchmark::State& state, std::uint64_t count) {
  Fixture fixture;
  RandomStream random(1);
  std::vector<Vpn> pages(1 << 16);
  for (auto& page : pages) page = kHeapFirst + random.below(count);
  std::uint64_t walks = 0;
  std::size_t at = 0;
  for (auto _ : state)
    walks += fixture.mmu().access(Reference::read, pages[at++ % pages.size()]).outcome == Outcome::walk;
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  state.counters["walks_a_reference"] =
      benchmark::Counter(static_cast<double>(walks), benchmark::Counter::kAvgIterations);
}

/// 1,200 pages fill most of the second level: nearly every reference misses the first and hits there.
void mmu_second_level(benchmark::State& state) { random_pages(state, 1200); }
BENCHMARK(mmu_second_level);

/// 16,384 pages, 64 MiB: nearly every reference walks.
void mmu_random(benchmark::State& state) { random_pages(state, 16384); }
BENCHMARK(mmu_random);

/// The same loop with the tag flushed every time round: the price of simulating a flush and its refills.
void mmu_loop_flushed(benchmark::State& state) {
  Fixture fixture;
  const auto loop = system_call_loop();
  std::uint64_t walks = 0;
  for (auto _ : state) {
    for (const Page& page : loop) walks += fixture.mmu().access(page.reference, page.vpn).outcome == Outcome::walk;
    fixture.mmu().invpcid_single(1, evidence::FlushCause::local_shootdown);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * loop.size()));
  state.counters["walks_a_loop"] = benchmark::Counter(static_cast<double>(walks), benchmark::Counter::kAvgIterations);
}
BENCHMARK(mmu_loop_flushed);

/// The loop with every hit judged by the staleness validator, which watches the pages of announced edits.
void mmu_loop_validated(benchmark::State& state) {
  Fixture fixture;
  const auto loop = system_call_loop();
  StalenessValidator validator(Watch::announced_pages);
  validator.on_table_write({1, kHeapFirst, 4, 1}, Cycles(0));
  for (auto _ : state)
    for (const Page& page : loop) {
      const Access access = fixture.mmu().access(page.reference, page.vpn);
      validator.on_use({CpuId(0), page.reference, page.vpn, access.translation, fixture.mmu().root()}, Cycles(1));
    }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * loop.size()));
  state.counters["violations"] = static_cast<double>(validator.violation_count());
}
BENCHMARK(mmu_loop_validated);

}  // namespace
}  // namespace tollgate::hw
