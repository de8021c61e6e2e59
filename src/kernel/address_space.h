// AddressSpace: the user half of an mm. Areas say what may be touched; pages say what is present. Every edit that takes
// something away returns a FlushDebt.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <optional>
#include <vector>

#include "base/id.h"
#include "kernel/flush_debt.h"

namespace tollgate::kernel {

/// Hands out page frames. Freed frames come back only through a settled debt. Only a writable page owns its frame; a
/// write-protected one may be shared with the page cache or a forked mm, so its frame is not reused.
class FrameAllocator {
 public:
  std::uint64_t take();
  void give_back(const std::vector<std::uint64_t>& frames) { free_.insert(free_.end(), frames.begin(), frames.end()); }

 private:
  std::uint64_t next_ = 0x100000;
  std::vector<std::uint64_t> free_;
};

/// A range of user addresses and how a fault in it is served.
struct Area {
  hw::Vpn first = 0;
  hw::Vpn pages = 0;
  bool writable = true;
  bool file_backed = false;  // shared with the page cache until written
  int fault_around = 1;      // aligned pages mapped by one fault, 1 for anonymous memory
  bool contains(hw::Vpn vpn) const { return vpn - first < pages; }
};

class AddressSpace {
 public:
  AddressSpace(MmId mm, FrameAllocator& frames) : mm_(mm), frames_(&frames) {}

  MmId mm() const { return mm_; }
  /// Adds an area; areas do not overlap.
  void add_area(const Area& area);
  const Area* area_of(hw::Vpn vpn) const;
  /// The present page at `vpn`, or nullptr.
  const hw::Mapping* find(hw::Vpn vpn) const;
  /// Every page written from now on has this version or a later one.
  std::uint32_t next_version() const { return next_version_; }
  std::size_t present_pages() const { return pages_.size(); }

  /// Serves a fault on a page that is not present: maps it, and its neighbours where the area faults around. Needs no
  /// flush. Returns how many pages became present; 0 when no area holds `vpn`.
  int populate(hw::Vpn vpn);
  /// Serves a write fault on a page present but write-protected: gives the mm its own writable frame. Owes nothing where
  /// another thread has meanwhile served the same fault or taken the page away.
  FlushDebt make_writable(hw::Vpn vpn);
  /// Takes present pages of [first, first + pages) away. Owes a flush from the first to the last that was present.
  FlushDebt unmap(hw::Vpn first, hw::Vpn pages);
  /// Removes the area that starts at `first` with its pages.
  FlushDebt remove_area(hw::Vpn first);
  /// Everything, at exit: the debt covers the whole user half.
  FlushDebt clear();
  /// fork: the child shares every page, and both sides lose write access. The debt is the parent's.
  FlushDebt share_with(AddressSpace& child);

 private:
  hw::Mapping& put(hw::Vpn vpn, bool writable, evidence::MemoryKind kind, std::uint64_t frame);

  MmId mm_;
  FrameAllocator* frames_;
  std::uint32_t next_version_ = 1;
  std::vector<Area> areas_;  // by address
  boost::unordered_flat_map<hw::Vpn, hw::Mapping> pages_;
};

}  // namespace tollgate::kernel
