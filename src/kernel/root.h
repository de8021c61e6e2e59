// MmRoots: the page-table roots of one mm, as the walker sees them: the kernel's view and, under PTI, the user's.
#pragma once

#include "kernel/address_space.h"
#include "kernel/layout.h"

namespace tollgate::kernel {

class Root final : public hw::PageTableRoot {
 public:
  /// Without a user half: `space` is nullptr (init_mm).
  Root(const KernelMap& kernel, const AddressSpace* space, MmId mm, View view)
      : kernel_(&kernel), space_(space), mm_(mm), view_(view) {}

  const hw::Mapping* find(hw::Vpn vpn) const override {
    if (vpn < hw::kKernelHalf) return space_ == nullptr ? nullptr : space_->find(vpn);
    return kernel_->find(vpn, view_, kernel_mapping_) ? &kernel_mapping_ : nullptr;
  }
  hw::Identity identity() const override { return 1 + 2 * mm_.value + static_cast<std::uint32_t>(view_); }
  std::uint32_t table_identity(hw::Vpn vpn) const override {
    return vpn < hw::kKernelHalf ? 2 + mm_.value : static_cast<std::uint32_t>(view_);
  }

 private:
  const KernelMap* kernel_;
  const AddressSpace* space_;
  MmId mm_;
  View view_;
  mutable hw::Mapping kernel_mapping_;
};

}  // namespace tollgate::kernel
