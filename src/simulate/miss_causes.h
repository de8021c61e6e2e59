// MissCauses: why references missed. A shadow of the same geometry sees the same references and no flushes, keyed by whose
// page it is; it is made when the first flush comes, since until then it would hold what the TLB holds.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "simulate/bank.h"
#include "simulate/counts.h"

namespace tollgate::simulate {

class MissCauses {
 public:
  /// `layout` must outlive this.
  MissCauses(const hw::TlbLayout& layout, Instructions instructions) : layout_(layout), instructions_(instructions) {}

  /// Call before the first flush or switch, while everything held is of `space`.
  void begin_shadow(const Bank& l1, const Bank& l2, std::uint32_t space);
  bool has_shadow() const { return l1_ != nullptr; }
  /// Classifies what of a batch missed in the first level, and which of these missed in the second; all must be in order.
  void refer(const Batch& batch, std::span<const std::uint16_t> all, std::span<const std::uint16_t> missed_l1,
             std::span<const std::uint16_t> missed_l2, SideCounts& counts);
  /// A flush removed the entry of a page from an array.
  void removed_l1(PageWord identity, hw::Side side, Removal why);
  void removed_l2(PageWord identity, Removal why);

 private:
  struct Page {
    bool walked = false;
    Removal removed = Removal::none;  // from any array, since the last walk
    std::array<bool, 2> seen{};       // by the first level of a side
    std::array<Removal, 2> removed_l1{};
  };
  enum class Shadow : std::uint8_t { absent, present };
  static void count(Causes& causes, bool seen, Removal removed, Shadow shadow);

  const hw::TlbLayout& layout_;
  Instructions instructions_;
  boost::unordered_flat_map<PageWord, Page> pages_;  // by identity
  std::unique_ptr<Bank> l1_, l2_;
  std::array<std::uint16_t, kBatch> shadow_missed_l1_;
  std::array<std::uint16_t, kBatch> shadow_missed_l2_;
  std::bitset<kBatch> absent_l1_, absent_;
};

}  // namespace tollgate::simulate
