#include "world/timed/vm.h"

namespace tollgate::world {

namespace {

// Intermediate addresses of a guest: its tables, its kernel and its processes lie apart, each process in a stretch of its own.
constexpr hw::Vpn kTables = 0x40000;
constexpr hw::Vpn kKernelMemory = 0x50000;
constexpr hw::Vpn kUserMemory = 0x80000;
constexpr hw::Vpn kStretch = 0x1000;
constexpr hw::Vpn kTablesAProcess = 16;

}  // namespace

const hw::Mapping* GuestRoot::find(hw::Vpn vpn) const {
  const bool kernel = vpn >= hw::kKernelHalf;
  const hw::Vpn page = vpn - (kernel ? kGuestKernel : kGuestUser);
  if (page >= (kernel ? layout_->kernel_pages : layout_->user_pages)) return nullptr;
  mapping_ = {};
  mapping_.first = vpn;
  mapping_.writable = true;
  mapping_.global = kernel;
  mapping_.kind = evidence::MemoryKind::own;
  mapping_.frame = kernel ? kKernelMemory + page : kUserMemory + process_ * kStretch + page;
  return &mapping_;
}

hw::Vpn GuestRoot::table_frame(hw::Vpn vpn, int level) const {
  const bool kernel = vpn >= hw::kKernelHalf;
  const hw::Vpn page = vpn - (kernel ? kGuestKernel : kGuestUser);
  const hw::Vpn table = hw::Vpn(level) * 4 + (page >> (9 * (level + 1))) % 4;
  return kTables + (kernel ? 0 : 1 + process_) * kTablesAProcess + table;
}

}  // namespace tollgate::world
