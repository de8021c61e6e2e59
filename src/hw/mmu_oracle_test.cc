// The MMU against the oracle: random operations on cores of many geometries, compared after every step in outcome,
// level, translation, miss cause, page-table fetches, peek, and everything that is cached.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "hw/mmu.h"
#include "hw/test_support/machines.h"
#include "hw/test_support/oracle_mmu.h"
#include "hw/test_support/page_tables.h"

namespace tollgate::hw {
namespace {

using evidence::FlushCause;
using test::Held;
using test::MachineBuilder;
using test::OracleMmu;

struct Setting {
  DrawnMachine machine;
  bool pcid;
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.machine.name; }

/// Places that collide: same sets, pieces of the same large pages, both halves, the last page of the address space.
const std::vector<Vpn>& places() {
  static const std::vector<Vpn> vpns = [] {
    std::vector<Vpn> list;
    for (Vpn base : {Vpn{0x1000}, Vpn{0x40000}, kKernelHalf, kKernelHalf + 0x80000})
      for (Vpn offset : {0, 1, 2, 3, 4, 6, 8, 511, 512, 513, 1024}) list.push_back(base + offset);
    list.push_back(kVpnMask);
    list.push_back(0);
    return list;
  }();
  return vpns;
}

/// One random choice after another out of one number.
class Choices {
 public:
  explicit Choices(std::uint64_t bits) : bits_(bits) {}
  std::uint32_t below(std::uint32_t bound) {
    const auto choice = static_cast<std::uint32_t>(bits_ % bound);
    bits_ /= bound;
    return choice;
  }

 private:
  std::uint64_t bits_;
};

using Live = std::multiset<std::tuple<std::size_t, std::uint64_t, std::uint32_t, Identity>>;

class Rig {
 public:
  explicit Rig(const Setting& setting) : setting_(setting), core_(setting.machine), oracle_core_(setting.machine) {
    for (std::uint32_t thread = 0; thread < std::uint32_t(setting.machine.topology.threads_per_core); ++thread) {
      mmus_.emplace_back(setting.machine, core_, thread, setting.pcid);
      oracles_.emplace_back(oracle_core_, thread, setting.pcid);
      mmus_.back().write_cr3(roots_[0], 0, NoFlush::clear, FlushCause::mm_switch);
      oracles_.back().write_cr3(roots_[0], 0, NoFlush::clear, FlushCause::mm_switch);
    }
    std::uint64_t number = 0;
    for (Vpn vpn : places()) {
      number += 0x9e3779b9;
      edit(Choices(number), vpn, std::uint32_t(1 + number % 3));
    }
  }

  void apply(std::uint64_t step) {
    Choices choices(step);
    const std::uint32_t action = choices.below(32);
    const std::uint32_t thread = choices.below(std::uint32_t(mmus_.size()));
    const Vpn vpn = places()[choices.below(std::uint32_t(places().size()))];
    const auto cause = static_cast<FlushCause>(choices.below(evidence::kFlushCauses));
    if (action < 20)
      reference(thread, vpn, static_cast<Reference>(choices.below(3)));
    else if (action < 24)
      edit(choices, vpn, choices.below(4));
    else if (action < 27)
      write_cr3(thread, choices, cause);
    else
      invalidate(thread, choices, vpn, cause);
    compare();
  }

 private:
  void reference(std::uint32_t thread, Vpn vpn, Reference reference) {
    const TlbHit before = mmus_[thread].peek(reference, vpn);
    const auto expected_before = oracles_[thread].peek(reference, vpn);
    RC_ASSERT(before.level == expected_before.first);
    if (before.level > 0) RC_ASSERT(same(before.entry->translation, expected_before.second->translation));
    compare();  // peek changed nothing
    const Access access = mmus_[thread].access(reference, vpn);
    const auto expected = oracles_[thread].access(reference, vpn);
    RC_ASSERT(access.outcome == expected.outcome);
    RC_ASSERT(int(access.fetches_near) == expected.near);
    RC_ASSERT(int(access.fetches_far) == expected.far);
    RC_ASSERT(access.cause == expected.cause);
    RC_ASSERT((access.translation != nullptr) == expected.used.has_value());
    if (access.translation != nullptr) RC_ASSERT(same(*access.translation, *expected.used));
  }
  static bool same(const Translation& a, const Translation& b) {
    return a.mapping.version == b.mapping.version && a.mapping.first == b.mapping.first && a.identity == b.identity;
  }

  void edit(Choices choices, Vpn vpn, std::uint32_t kind) {
    test::TestTables& tables = vpn >= kKernelHalf ? kernel_ : user_[choices.below(2)];
    Mapping like{0, PageSize::k4K, choices.below(2) == 1, vpn >= kKernelHalf && choices.below(2) == 1};
    if (kind == 0) return tables.unmap(vpn);
    if (kind == 1) return tables.set_writable(vpn, like);
    const std::uint32_t size = choices.below(8);
    like.size = size == 0 ? PageSize::k1G : size < 4 ? PageSize::k2M : PageSize::k4K;
    like.frame = choices.below(64);
    tables.map(vpn, like);
  }
  void write_cr3(std::uint32_t thread, Choices& choices, FlushCause cause) {
    const test::TestRoot& root = roots_[choices.below(3)];
    const std::uint32_t pcid = setting_.pcid ? choices.below(3) : 0;
    const NoFlush no_flush = choices.below(3) > 0 ? NoFlush::set : NoFlush::clear;
    mmus_[thread].write_cr3(root, pcid, no_flush, cause);
    oracles_[thread].write_cr3(root, pcid, no_flush, cause);
  }
  void invalidate(std::uint32_t thread, Choices& choices, Vpn vpn, FlushCause cause) {
    Mmu& mmu = mmus_[thread];
    OracleMmu& oracle = oracles_[thread];
    const std::uint32_t pcid = setting_.pcid ? choices.below(3) : 0;
    const auto globals = static_cast<Mmu::Globals>(choices.below(2));
    switch (choices.below(9)) {
      case 0:
        mmu.invpcid_single(pcid, cause), oracle.invpcid_single(pcid, cause);
        break;
      case 1:
        mmu.invpcid_all(cause), oracle.invpcid_all(cause);
        break;
      case 2:
        mmu.invpcid_all_nonglobal(cause), oracle.invpcid_all_nonglobal(cause);
        break;
      case 3:
        mmu.toggle_pge(cause), oracle.invpcid_all(cause);
        break;
      case 4:
        mmu.invpcid_address(pcid, vpn, cause), oracle.invpcid_address(pcid, vpn, cause);
        break;
      case 5:
        broadcast(pcid, vpn, globals, cause);
        break;
      default:
        mmu.invlpg(vpn, cause), oracle.invlpg(vpn, cause);
        break;
    }
  }
  /// The hardware's broadcast reaches every thread.
  void broadcast(std::uint32_t pcid, Vpn vpn, Mmu::Globals globals, FlushCause cause) {
    for (Mmu& mmu : mmus_) mmu.broadcast_address(pcid, vpn, globals, cause);
    for (OracleMmu& oracle : oracles_) oracle.broadcast_address(pcid, vpn, globals, cause);
  }

  void compare() const {
    Live live;
    for (std::size_t i = 0; i < core_.tlb().arrays(); ++i)
      core_.tlb().array(i).for_each([&](const TlbArray::Entry& e) {
        live.emplace(i, e.key.bits(), e.translation.mapping.version, e.translation.identity);
      });
    Live expected;
    for (std::size_t i = 0; i < oracle_core_.arrays.size(); ++i)
      oracle_core_.arrays[i].for_each([&](const Held& e) {
        const TlbKey key(e.page << pages_shift(e.held_as), e.held_as, make_tag(e.pcid, e.thread), e.global);
        expected.emplace(i, key.bits(), e.translation.mapping.version, e.translation.identity);
      });
    RC_ASSERT(live == expected);
  }

  Setting setting_;
  test::TestTables user_[2]{test::TestTables(10), test::TestTables(11)};
  test::TestTables kernel_{12};
  // Two views of the first space, as under page-table isolation, and another space.
  test::TestRoot roots_[3]{{1, user_[0], kernel_}, {2, user_[0], kernel_}, {3, user_[1], kernel_}};
  Core core_;
  std::vector<Mmu> mmus_;
  test::OracleCore oracle_core_;
  std::vector<OracleMmu> oracles_;
};

class MmuAgainstOracle : public ::testing::TestWithParam<Setting> {};

TEST_P(MmuAgainstOracle, AgreesAfterEveryStep) {
  rc::detail::checkGTest([] {
    const auto steps = *rc::gen::resize(400, rc::gen::container<std::vector<std::uint64_t>>(
                                                 rc::gen::resize(100, rc::gen::inRange<std::uint64_t>(0, 1ull << 50))));
    Rig rig(GetParam());
    for (std::uint64_t step : steps) rig.apply(step);
  });
}

std::vector<DrawnMachine> machines() {
  using test::k4KAnd2M, test::kAllSizes, test::kOnly1G, test::kOnly2M, test::kOnly4K;
  const Side instruction = Side::instruction;
  const Side data = Side::data;
  const Side both = Side::both;
  return {
      test::small_machine(),
      MachineBuilder("fractured")
          .array(1, instruction, kOnly4K, 2, 4)
          .array(1, instruction, kOnly2M, 1, 2)
          .array(1, data, k4KAnd2M, 2, 2)
          .array(2, both, k4KAnd2M, 2, 4)
          .fractured_instruction_side(),
      MachineBuilder("unified-first-level")
          .array(1, both, kOnly4K, 2, 3)
          .array(1, both, kOnly2M, 1, 2)
          .array(2, both, kAllSizes, 4, 3),
      MachineBuilder("fully-associative")
          .array(1, instruction, kAllSizes, 1, 6)
          .array(1, data, kAllSizes, 1, 6)
          .array(2, data, k4KAnd2M, 3, 4)
          .array(2, instruction, kOnly4K, 2, 2),
      MachineBuilder("no-second-level")
          .array(1, instruction, kOnly4K, 2, 2)
          .array(1, data, kOnly4K, 2, 2)
          .array(1, data, kOnly1G, 1, 1),
      MachineBuilder("split-second-level")
          .array(1, instruction, kOnly4K, 1, 4)
          .array(1, data, kOnly4K, 1, 4)
          .array(2, both, kOnly4K, 4, 2)
          .array(2, both, kOnly2M, 1, 2)
          .array(2, both, kOnly1G, 1, 1),
      MachineBuilder("fifo")
          .array(1, both, kAllSizes, 1, 3, Replacement::fifo)
          .array(2, both, kAllSizes, 2, 4, Replacement::fifo),
      MachineBuilder("tree")
          .array(1, instruction, k4KAnd2M, 1, 4, Replacement::plru)
          .array(1, data, k4KAnd2M, 2, 4, Replacement::plru)
          .array(2, both, kAllSizes, 2, 8, Replacement::plru),
      MachineBuilder("two-threads")
          .threads(2)
          .array(1, instruction, kOnly4K, 2, 3)
          .array(1, instruction, kOnly2M, 1, 2)
          .per_thread()
          .array(1, data, kAllSizes, 1, 6)
          .array(2, both, k4KAnd2M, 2, 5),
      MachineBuilder("two-threads-fractured")
          .threads(2)
          .array(1, both, kOnly4K, 2, 4)
          .array(2, both, k4KAnd2M, 1, 6)
          .fractured_instruction_side(),
      MachineBuilder("bare-walker")
          .array(1, both, kAllSizes, 1, 2)
          .figure(FigureId::psc_pde_entries, 0)
          .figure(FigureId::psc_pdpte_entries, 1)
          .figure(FigureId::psc_pml4e_entries, 0)
          .figure(FigureId::walk_near_lines, 8),
      test::skylake_like(),
  };
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const auto& machine : machines())
    for (bool pcid : {false, true}) all.push_back({machine, pcid});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Machines, MmuAgainstOracle, ::testing::ValuesIn(settings()), [](const auto& setting) {
  std::string name = setting.param.machine.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name + (setting.param.pcid ? "_pcid" : "_nopcid");
});

}  // namespace
}  // namespace tollgate::hw
