// Rig: one core with its MMUs, two user address spaces and a kernel half, for tests that say what happens step by step.
#pragma once

#include <deque>

#include "hw/mmu.h"
#include "hw/test_support/page_tables.h"

namespace tollgate::hw::test {

struct Rig {
  explicit Rig(const DrawnMachine& drawn) : machine(drawn), core(drawn) {
    for (std::uint32_t thread = 0; thread < std::uint32_t(drawn.topology.threads_per_core); ++thread) {
      mmus.emplace_back(machine, core, thread, true);
      mmus.back().write_cr3(a, 1, NoFlush::clear, evidence::FlushCause::mm_switch);
    }
  }
  void map(Vpn vpn, PageSize size = PageSize::k4K, std::string_view rights = "rw") {
    (vpn < kKernelHalf ? tables_a : kernel)
        .map(vpn, {0, size, rights.find('w') != rights.npos, rights.find('g') != rights.npos});
  }
  Access read(Vpn vpn) { return mmu().access(Reference::read, vpn); }
  Access write(Vpn vpn) { return mmu().access(Reference::write, vpn); }
  Access fetch(Vpn vpn) { return mmu().access(Reference::fetch, vpn); }
  Mmu& mmu(std::size_t thread = 0) { return mmus[thread]; }

  DrawnMachine machine;
  TestTables tables_a{10}, tables_b{11}, kernel{12};
  TestRoot a{1, tables_a, kernel}, b{2, tables_b, kernel};
  Core core;
  std::deque<Mmu> mmus;
};

}  // namespace tollgate::hw::test
