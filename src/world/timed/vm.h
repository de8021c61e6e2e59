// Vm and Vcpu: a virtual machine as its host sees it: an mm of the host that lends the memory, a context of the VMID
// allocator, and vCPUs that are tasks of the host; and the page tables of the guest's processes.
#pragma once

#include <memory>
#include <vector>

#include "base/cycles.h"
#include "base/id.h"
#include "hw/translation.h"

namespace tollgate::world {

using VmId = Id<struct VmTag>;

/// What the processes of a guest touch. Every process has the same addresses; kernel pages are global.
struct GuestLayout {
  hw::Vpn kernel_pages = 0;
  hw::Vpn user_pages = 0;  // of a process
  std::uint32_t processes = 1;
  hw::PageSize backing = hw::PageSize::k4K;  // the host's mappings behind the guest's memory
};

inline constexpr std::uint32_t kMostGuestProcesses = 64;
inline constexpr hw::Vpn kGuestUser = 0x400;
inline constexpr hw::Vpn kGuestKernel = hw::kKernelHalf + 0x80000;

/// The page tables of one process of one guest: 4K pages, of which the guest kernel's are shared by all its processes.
class GuestRoot final : public hw::TwoStageRoot {
 public:
  GuestRoot(VmId vm, std::uint32_t process, const GuestLayout& layout) : vm_(vm), process_(process), layout_(&layout) {}

  const hw::Mapping* find(hw::Vpn vpn) const override;
  hw::Identity identity() const override { return kFirstIdentity + vm_.value * kNamesAVm + 1 + process_; }
  hw::Identity global_identity() const override { return kFirstIdentity + vm_.value * kNamesAVm; }
  std::uint32_t table_identity(hw::Vpn vpn) const override {
    return vpn < hw::kKernelHalf ? identity() : global_identity();
  }
  hw::Vpn table_frame(hw::Vpn vpn, int level) const override;
  std::uint32_t stage2_identity() const override { return kFirstIdentity + vm_.value * kNamesAVm + kNamesAVm - 1; }
  hw::PageSize stage2_size() const override { return layout_->backing; }

 private:
  // Above the names of the host's roots, and below 2^22.
  static constexpr std::uint32_t kFirstIdentity = hw::kFirstGuestSpace;
  static constexpr std::uint32_t kNamesAVm = 2 * kMostGuestProcesses;

  VmId vm_;
  std::uint32_t process_;
  const GuestLayout* layout_;
  mutable hw::Mapping mapping_;
};
/// Of one world: each has names for its identities.
inline constexpr std::uint32_t kMostVms = (hw::kMaxSpace - hw::kFirstGuestSpace) / (2 * kMostGuestProcesses);

struct Vm {
  MmId mm;
  GuestLayout layout;
  std::vector<std::unique_ptr<GuestRoot>> processes;
};

/// What KVM knows of a vCPU beside its task.
struct Vcpu {
  VmId vm;
  std::uint32_t process = 0;    // that the guest runs, or will
  Cycles waits_since{-1};       // when its WFI began; -1: it does not wait
  std::int64_t poll_limit = 0;  // ns that it polls before it blocks, as they have adapted
};

}  // namespace tollgate::world
