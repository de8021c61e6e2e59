// PageSizes: in what sizes the memory of a trace is mapped. A trace of addresses does not say, so the user does.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "hw/machine.h"
#include "trace/record.h"

namespace tollgate::simulate {

class PageSizes {
 public:
  /// All memory in pages of one size.
  static PageSizes all(hw::PageSize size) { return PageSizes(size, 0); }
  /// 2M where of the 512 aligned 4K pages at least `dense` are used in the whole trace, else 4K. First note() all of it.
  static PageSizes dense(std::uint32_t dense) { return PageSizes(hw::PageSize::k4K, dense); }

  bool may_be(hw::PageSize size) const { return dense_ == 0 ? size == size_ : size != hw::PageSize::k1G; }
  bool needs_notes() const { return dense_ != 0; }
  void note(std::span<const trace::Record> records);
  /// After the last note().
  void settle();

  hw::PageSize of(std::uint64_t page) const {
    return dense_ == 0 ? size_ : large_.contains(page >> 9) ? hw::PageSize::k2M : hw::PageSize::k4K;
  }
  /// "all memory in 4K pages", "2M pages where at least 256 of 512 aligned 4K pages are used (3 of 70 ranges), else 4K".
  std::string text() const;

 private:
  PageSizes(hw::PageSize size, std::uint32_t dense) : size_(size), dense_(dense) {}

  hw::PageSize size_;
  std::uint32_t dense_;  // 0: one size
  std::uint64_t ranges_ = 0;
  boost::unordered_flat_map<std::uint64_t, std::array<std::uint64_t, 8>> used_;  // by 2M range: a bit a 4K page
  boost::unordered_flat_map<std::uint64_t, bool> large_;                         // the 2M ranges that are one page
};

}  // namespace tollgate::simulate
