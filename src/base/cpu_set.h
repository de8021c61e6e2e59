// CpuSet: a set of CPUs, up to 1,024, as the kernel's cpumask. Iterates in ascending order.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/id.h"

namespace tollgate {

inline constexpr std::uint32_t kMaxCpus = 1024;

class CpuSet {
 public:
  void add(CpuId cpu) { words_[cpu.value / 64] |= std::uint64_t{1} << cpu.value % 64; }
  void remove(CpuId cpu) { words_[cpu.value / 64] &= ~(std::uint64_t{1} << cpu.value % 64); }
  bool contains(CpuId cpu) const { return words_[cpu.value / 64] >> cpu.value % 64 & 1; }
  bool empty() const { return *this == CpuSet{}; }
  std::uint32_t size() const {
    std::uint32_t count = 0;
    for (std::uint64_t word : words_) count += std::uint32_t(std::popcount(word));
    return count;
  }
  template <typename Visitor>
  void for_each(Visitor visit) const {
    for (std::uint32_t index = 0; index < words_.size(); ++index)
      for (std::uint64_t word = words_[index]; word != 0; word &= word - 1)
        visit(CpuId(index * 64 + std::uint32_t(std::countr_zero(word))));
  }
  bool operator==(const CpuSet&) const = default;

 private:
  std::array<std::uint64_t, kMaxCpus / 64> words_{};
};

}  // namespace tollgate
