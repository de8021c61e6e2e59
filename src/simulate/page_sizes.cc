#include "simulate/page_sizes.h"

#include <fmt/core.h>

#include <bit>

namespace tollgate::simulate {

void PageSizes::note(std::span<const trace::Record> records) {
  for (const trace::Record& record : records)
    if (!record.is_event()) used_[record.page >> 9][record.page >> 6 & 7] |= std::uint64_t{1} << (record.page & 63);
}

void PageSizes::settle() {
  for (const auto& [range, bits] : used_) {
    std::uint32_t pages = 0;
    for (const std::uint64_t word : bits) pages += std::uint32_t(std::popcount(word));
    if (pages >= dense_) large_.emplace(range, true);
  }
  ranges_ = used_.size();
  used_ = {};
}

std::string PageSizes::text() const {
  if (dense_ == 0) return fmt::format("all memory in {} pages", hw::to_text(size_));
  return fmt::format("2M pages where at least {} of 512 aligned 4K pages are used ({} of {} ranges), else 4K", dense_,
                     large_.size(), ranges_);
}

}  // namespace tollgate::simulate
