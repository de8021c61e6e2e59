// PriceList: a drawn machine's prices in 1/65536 cycle, so that fractions of a cycle are kept and never rounded away.
#pragma once

#include <array>
#include <cstdint>

#include "hw/machine.h"

namespace tollgate::world {

/// An amount of time in 1/65536 cycle.
using FineCycles = std::uint64_t;
inline constexpr int kFineBits = 16;

/// Rounds to the nearest 1/65536 cycle. `cycles` >= 0.
constexpr FineCycles to_fine(double cycles) { return static_cast<FineCycles>(cycles * 65536.0 + 0.5); }

class PriceList {
 public:
  PriceList(const hw::DrawnMachine& machine, double user_cycles, double kernel_cycles)
      : user_cpi(to_fine(user_cycles)), kernel_cpi(to_fine(kernel_cycles)) {
    for (std::size_t i = 0; i < hw::kFigureCount; ++i) fine_[i] = to_fine(machine.values[i]);
  }
  FineCycles operator[](hw::FigureId id) const { return fine_[static_cast<std::size_t>(id)]; }

  /// What a walk or a second-level hit costs the core: its latency times the share that is not hidden.
  FineCycles exposed(FineCycles latency, hw::Side side) const {
    const FineCycles share = (*this)[side == hw::Side::instruction ? hw::FigureId::walk_exposed_instruction
                                                                   : hw::FigureId::walk_exposed_data];
    return latency * share >> kFineBits;
  }

  FineCycles user_cpi;
  FineCycles kernel_cpi;

 private:
  std::array<FineCycles, hw::kFigureCount> fine_{};
};

}  // namespace tollgate::world
