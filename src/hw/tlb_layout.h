// TlbLayout: which array of a core serves which side, level, thread and page size, and in which order they are asked.
// The TLB and the miss classifier's shadow have the same layout.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "hw/machine.h"

namespace tollgate::hw {

class TlbLayout {
 public:
  explicit TlbLayout(const DrawnMachine& machine);

  /// One look-up: pages of this size in this array.
  struct Probe {
    std::uint8_t array;
    PageSize size;
  };
  /// The look-ups of a level in order: arrays as in the machine file, small sizes first.
  std::span<const Probe> probes(Side side, int level, std::uint32_t thread) const {
    return routes_[index(side, level, thread)].probes;
  }

  struct Home {
    int array = -1;  // -1: nowhere
    PageSize held_as = PageSize::k4K;
  };
  /// Where a page of this size is kept at a level. A first level with no place for a large page keeps it as 4K pieces;
  /// a second level without one does not keep it.
  Home home(Side side, int level, std::uint32_t thread, PageSize size) const {
    return routes_[index(side, level, thread)].homes[static_cast<std::size_t>(size)];
  }

  struct Array {
    DrawnMachine::Array spec;
    int thread;  // -1: shared by the core's threads
    bool may_hold(PageSize size) const { return spec.holds[static_cast<std::size_t>(size)]; }
  };
  /// In the order of the machine file, those private to a thread once for each thread.
  const std::vector<Array>& arrays() const { return arrays_; }

  static constexpr std::uint32_t kMaxThreads = 2;

 private:
  struct Route {
    std::vector<Probe> probes;
    std::array<Home, kPageSizes> homes{};
  };
  static constexpr std::size_t index(Side side, int level, std::uint32_t thread) {
    return (static_cast<std::size_t>(side) * 2 + std::size_t(level - 1)) * std::size_t{kMaxThreads} + thread;
  }
  Route make_route(Side side, int level, std::uint32_t thread, bool fractured) const;

  std::vector<Array> arrays_;
  std::array<Route, std::size_t{2} * 2 * kMaxThreads> routes_;
};

}  // namespace tollgate::hw
