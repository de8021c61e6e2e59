#include "kernel/address_space.h"

#include <algorithm>

namespace tollgate::kernel {

std::uint64_t FrameAllocator::take() {
  if (free_.empty()) return next_++;
  const std::uint64_t frame = free_.back();
  free_.pop_back();
  return frame;
}

void AddressSpace::add_area(const Area& area) {
  const auto at = std::lower_bound(areas_.begin(), areas_.end(), area,
                                   [](const Area& a, const Area& b) { return a.first < b.first; });
  areas_.insert(at, area);
}

const Area* AddressSpace::area_of(hw::Vpn vpn) const {
  auto at = std::upper_bound(areas_.begin(), areas_.end(), vpn, [](hw::Vpn v, const Area& a) { return v < a.first; });
  if (at == areas_.begin()) return nullptr;
  --at;
  return at->contains(vpn) ? &*at : nullptr;
}

const hw::Mapping* AddressSpace::find(hw::Vpn vpn) const {
  const auto at = pages_.find(vpn);
  return at == pages_.end() ? nullptr : &at->second;
}

hw::Mapping& AddressSpace::put(hw::Vpn vpn, bool writable, evidence::MemoryKind kind, std::uint64_t frame) {
  hw::Mapping& page = pages_[vpn];
  page = {vpn, hw::PageSize::k4K, writable, false, kind, next_version_++, frame};
  return page;
}

int AddressSpace::populate(hw::Vpn vpn) {
  const Area* area = area_of(vpn);
  if (area == nullptr) return 0;
  const auto around = std::uint64_t(area->fault_around);
  const hw::Vpn start = std::max(area->first, vpn / around * around);
  const hw::Vpn end = std::min(area->first + area->pages, vpn / around * around + around);
  int mapped = 0;
  for (hw::Vpn page = start; page < end; ++page) {
    if (find(page) != nullptr) continue;
    put(page, area->writable && !area->file_backed, evidence::MemoryKind::own, frames_->take());
    ++mapped;
  }
  return mapped;
}

FlushDebt AddressSpace::make_writable(hw::Vpn vpn) {
  const hw::Mapping* page = find(vpn);
  if (page == nullptr || page->writable) return FlushDebt({mm_, vpn, 0, hw::PageSize::k4K, {}});
  put(vpn, true, evidence::MemoryKind::own, frames_->take());
  return FlushDebt({mm_, vpn, 1, hw::PageSize::k4K, {}});
}

FlushDebt AddressSpace::unmap(hw::Vpn first, hw::Vpn pages) {
  FlushDebtState debt{mm_, first, 0, hw::PageSize::k4K, {}};
  for (hw::Vpn vpn = first; vpn < first + pages; ++vpn) {
    const auto at = pages_.find(vpn);
    if (at == pages_.end()) continue;
    if (at->second.writable) debt.frames.push_back(at->second.frame);
    if (debt.pages == 0) debt.first = vpn;
    debt.pages = vpn + 1 - debt.first;
    pages_.erase(at);
  }
  return FlushDebt(std::move(debt));
}

FlushDebt AddressSpace::remove_area(hw::Vpn first) {
  const auto at = std::find_if(areas_.begin(), areas_.end(), [&](const Area& area) { return area.first == first; });
  CHECK(at != areas_.end(), "no area starts here");
  const hw::Vpn pages = at->pages;
  areas_.erase(at);
  return unmap(first, pages);
}

FlushDebt AddressSpace::clear() {
  FlushDebtState debt{mm_, 0, pages_.empty() ? 0 : hw::kKernelHalf, hw::PageSize::k4K, {}};
  for (const auto& [vpn, page] : pages_)
    if (page.writable) debt.frames.push_back(page.frame);
  std::sort(debt.frames.begin(), debt.frames.end());  // the table's order is nobody's business
  pages_.clear();
  areas_.clear();
  return FlushDebt(std::move(debt));
}

FlushDebt AddressSpace::share_with(AddressSpace& child) {
  child.areas_ = areas_;
  FlushDebtState debt{mm_, 0, 0, hw::PageSize::k4K, {}};
  for (auto& [vpn, page] : pages_) {
    if (page.writable) {
      page.writable = false;
      page.version = next_version_++;
      debt.pages = hw::kKernelHalf;
    }
    child.pages_[vpn] = page;
  }
  child.next_version_ = next_version_;
  return FlushDebt(std::move(debt));
}

}  // namespace tollgate::kernel
