// SmallCpuSet: a set of at most eight CPUs in one byte, for states that are copied and stored by the million.
#pragma once

#include <bit>
#include <cstdint>

namespace tollgate::explored {

struct SmallCpuSet {
  std::uint8_t bits = 0;

  static SmallCpuSet first(std::uint32_t count) { return {std::uint8_t((1u << count) - 1)}; }
  void add(std::uint32_t cpu) { bits = std::uint8_t(bits | 1u << cpu); }
  void remove(std::uint32_t cpu) { bits = std::uint8_t(bits & ~(1u << cpu)); }
  bool contains(std::uint32_t cpu) const { return bits >> cpu & 1; }
  bool empty() const { return bits == 0; }
  int size() const { return std::popcount(bits); }
  bool operator==(const SmallCpuSet&) const = default;
};

}  // namespace tollgate::explored
