// Small drawn machines for tests, built by hand so that tests of hw need no machine file.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "hw/machine.h"

namespace tollgate::hw::test {

using Sizes = std::initializer_list<PageSize>;
inline constexpr Sizes kOnly4K{PageSize::k4K};
inline constexpr Sizes kOnly2M{PageSize::k2M};
inline constexpr Sizes kOnly1G{PageSize::k1G};
inline constexpr Sizes k4KAnd2M{PageSize::k4K, PageSize::k2M};
inline constexpr Sizes kAllSizes{PageSize::k4K, PageSize::k2M, PageSize::k1G};

class MachineBuilder {
 public:
  explicit MachineBuilder(std::string name) {
    machine_.name = std::move(name);
    machine_.features = {true, true, true, true};
    figure(FigureId::walk_near_lines, 64);
    figure(FigureId::psc_pde_entries, 4);
    figure(FigureId::psc_pdpte_entries, 2);
    figure(FigureId::psc_pml4e_entries, 2);
  }
  MachineBuilder& array(int level, Side side, Sizes sizes, int sets, int ways,
                        Replacement replacement = Replacement::lru) {
    DrawnMachine::Array array{
        "array" + std::to_string(machine_.tlb.size()), level, side, {}, sets, ways, replacement, false};
    for (PageSize size : sizes) array.holds[std::size_t(size)] = true;
    machine_.tlb.push_back(array);
    return *this;
  }
  /// The array last added is private to each hardware thread.
  MachineBuilder& per_thread() {
    machine_.tlb.back().per_thread = true;
    return *this;
  }
  MachineBuilder& threads(int count) {
    machine_.topology.cpus = machine_.topology.threads_per_core = count;
    return *this;
  }
  MachineBuilder& figure(FigureId id, double value) {
    machine_.values[std::size_t(id)] = value;
    return *this;
  }
  MachineBuilder& fractured_instruction_side() { return figure(FigureId::itlb_fractures_large_pages, 1); }
  operator DrawnMachine() const { return machine_; }  // NOLINT: the builder stands for the machine it built

 private:
  DrawnMachine machine_;
};

/// The geometry of a Skylake client core: published sizes, with the second level shared by 4K and 2M pages.
inline DrawnMachine skylake_like() {
  return MachineBuilder("skylake-like")
      .array(1, Side::instruction, kOnly4K, 16, 8)
      .array(1, Side::instruction, kOnly2M, 1, 8)
      .per_thread()
      .array(1, Side::data, kOnly4K, 16, 4)
      .array(1, Side::data, kOnly2M, 8, 4)
      .array(1, Side::data, kOnly1G, 1, 4)
      .array(2, Side::both, k4KAnd2M, 128, 12)
      .array(2, Side::both, kOnly1G, 4, 4)
      .figure(FigureId::walk_near_lines, 1024)
      .figure(FigureId::psc_pde_entries, 32)
      .figure(FigureId::psc_pdpte_entries, 4)
      .figure(FigureId::psc_pml4e_entries, 4);
}

/// One small array a side and a small second level: enough to displace entries after a few pages.
inline DrawnMachine small_machine() {
  return MachineBuilder("small")
      .array(1, Side::instruction, kOnly4K, 2, 2)
      .array(1, Side::instruction, kOnly2M, 1, 2)
      .array(1, Side::data, kOnly4K, 2, 2)
      .array(1, Side::data, kOnly2M, 1, 2)
      .array(1, Side::data, kOnly1G, 1, 1)
      .array(2, Side::both, k4KAnd2M, 2, 4);
}

}  // namespace tollgate::hw::test
