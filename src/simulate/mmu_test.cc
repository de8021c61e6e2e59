// The simulator beside hw's Mmu, which knows nothing of it: on the same references, switches and flushes both must count
// the same walks, for the same causes, with the same page-table entries read.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>

#include "hw/mmu.h"
#include "hw/test_support/machines.h"
#include "simulate/simulator.h"

namespace tollgate::simulate {
namespace {

using evidence::FlushCause;
using trace::Kind;
using trace::Record;

constexpr std::uint64_t kKernelPages = 0xfffff80000000;

/// An address space where everything is mapped in 4K pages, the kernel's half globally.
class EverythingMapped final : public hw::PageTableRoot {
 public:
  EverythingMapped(hw::Identity identity, Globals globals) : identity_(identity), globals_(globals) {}
  const hw::Mapping* find(hw::Vpn vpn) const override {
    found_ = {.first = vpn, .writable = true, .global = globals_ == Globals::kernel && (vpn & hw::kKernelHalf) != 0};
    return &found_;
  }
  hw::Identity identity() const override { return identity_; }
  std::uint32_t table_identity(hw::Vpn) const override { return identity_; }

 private:
  hw::Identity identity_;
  Globals globals_;
  mutable hw::Mapping found_;
};

/// The Mmu, executing a trace's records.
class Executed {
 public:
  Executed(const hw::DrawnMachine& machine, Tags tags, Globals globals)
      : tags_(tags), globals_(globals), core_(machine), mmu_(machine, core_, 0, tags == Tags::pcid) {
    mmu_.write_cr3(root(1), pcid(1), hw::NoFlush::clear, FlushCause::mm_switch);
  }

  void take(const Record& record) {
    if (record.kind == Kind::mm_switch) {
      space_ = hw::Identity(record.page) + 2;
      mmu_.write_cr3(root(space_), pcid(space_), record.value != 0 ? hw::NoFlush::set : hw::NoFlush::clear,
                     FlushCause::mm_switch);
    } else if (record.kind == Kind::flush && record.value == 0) {
      mmu_.invpcid_all(FlushCause::local_shootdown);
    } else if (record.kind == Kind::flush) {
      for (std::uint64_t i = 0; i < record.value; ++i)
        mmu_.invlpg((record.page + i) & hw::kVpnMask, FlushCause::local_shootdown);
    } else {
      refer(record);
    }
  }
  const Counts& fetches() const { return counts_[1]; }
  const Counts& accesses() const { return counts_[0]; }

 private:
  std::uint32_t pcid(hw::Identity space) const { return tags_ == Tags::pcid ? space : 0; }
  const EverythingMapped& root(hw::Identity space) {
    auto& known = roots_[space];
    if (!known) known = std::make_unique<EverythingMapped>(space, globals_);
    return *known;
  }
  void refer(const Record& record) {
    const bool fetch = record.kind == Kind::fetch;
    const auto access = mmu_.access(fetch ? hw::Reference::fetch : hw::Reference::read, record.page & hw::kVpnMask);
    Counts& counts = counts_[fetch];
    ++counts.lookups;
    counts.l1_misses += access.outcome != hw::Outcome::l1_hit;
    if (access.outcome != hw::Outcome::walk) return;
    ++counts.walks;
    counts.table_fetches += access.fetches_near + access.fetches_far;
    counts.walk_causes.cold += access.cause.kind == hw::MissKind::cold;
    counts.walk_causes.capacity += access.cause.kind == hw::MissKind::capacity;
    const bool refill = access.cause.kind == hw::MissKind::refill;
    counts.walk_causes.refill_mm_switch += refill && access.cause.flush == FlushCause::mm_switch;
    counts.walk_causes.refill_flush += refill && access.cause.flush == FlushCause::local_shootdown;
  }

  Tags tags_;
  Globals globals_;
  std::map<hw::Identity, std::unique_ptr<EverythingMapped>> roots_;
  hw::Core core_;
  hw::Mmu mmu_;
  hw::Identity space_ = 1;
  std::array<Counts, 2> counts_{};
};

rc::Gen<std::vector<Record>> records_in_spaces() {
  const auto one = rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(0, 100), rc::gen::inRange<std::uint64_t>(0, 30), rc::gen::inRange(0, 4)),
      [](const auto& drawn) {
        const auto [what, page, more] = drawn;
        if (what < 3) return Record{.page = page % 3, .value = std::uint64_t(more > 0), .kind = Kind::mm_switch};
        if (what < 4) return Record{.kind = Kind::flush};
        // The pages of some spread over several page-table pages, so that walk caches matter.
        const std::uint64_t at = more == 0 ? kKernelPages + page : page % 5 == 0 ? page << 18 : page << 7;
        if (what < 8) return Record{.page = at, .value = 1u + page % 3, .kind = Kind::flush};
        if (what < 50) return Record{.page = at, .instructions = 1, .kind = Kind::fetch};
        return Record{.page = at, .reads = 1, .kind = Kind::data};
      });
  return rc::gen::scale(20.0, rc::gen::container<std::vector<Record>>(one));
}

Counts comparable(const SideCounts& counts, std::size_t side) {
  Counts sum = counts[side];
  sum += counts[side + kKernelBit];
  sum.l1_causes = {};
  sum.walk_cache_hits = {};
  return sum;
}

RC_GTEST_PROP(SimulatorAndMmu, CountTheSameWalksForTheSameCauses, ()) {
  auto records = *records_in_spaces();
  Setup setup;
  setup.tags = *rc::gen::element(Tags::none, Tags::pcid);
  setup.globals = *rc::gen::element(Globals::none, Globals::kernel);
  setup.machine = *rc::gen::element(0, 1) == 0 ? hw::test::small_machine() : hw::test::skylake_like();
  setup.walk_caches = {std::size_t(setup.machine.value(hw::FigureId::psc_pde_entries)),
                       std::size_t(setup.machine.value(hw::FigureId::psc_pdpte_entries)),
                       std::size_t(setup.machine.value(hw::FigureId::psc_pml4e_entries))};
  // Batches of one route take a way of their own.
  if (*rc::gen::arbitrary<bool>()) std::erase_if(records, [](const Record& each) { return each.kind == Kind::fetch; });
  // Without global entries the Mmu knows a kernel page of each space apart, and the simulator knows it as one page.
  if (setup.globals == Globals::none)
    std::erase_if(records, [](const Record& each) { return each.page >= kKernelPages; });
  Simulator simulator({setup}, PageSizes::all(hw::PageSize::k4K));
  Executed executed(setup.machine, setup.tags, setup.globals);
  RC_ASSERT(simulator.take(records).has_value());
  for (const Record& record : records) executed.take(record);
  const auto results = simulator.results();
  if (results.empty()) return;
  RC_ASSERT(comparable(results[0].counts[0], 0) == executed.accesses());
  RC_ASSERT(comparable(results[0].counts[0], 1) == executed.fetches());
}

}  // namespace
}  // namespace tollgate::simulate
