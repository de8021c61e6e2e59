// GuestTags: the numbers under which one MMU keeps the translations of each pair of VMID and ASID, and those of each VMID
// that all its ASIDs share. A VMID of 16 bits and an ASID of 16 do not fit a tag, so pairs are numbered as they come.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "hw/translation.h"

namespace tollgate::hw {

/// An ASID as the guest chose it.
using Asid = std::uint32_t;

class GuestTags {
 public:
  explicit GuestTags(std::uint32_t thread) : thread_(thread) {}

  /// The tag of translations made with this ASID in this VM; its `shared` is that of the VM's global ones.
  Tag tag_of(std::uint32_t vmid, Asid asid) {
    const std::uint32_t shared = space_of(vmid, kAllAsids);
    return make_tag(space_of(vmid, asid), thread_, shared);
  }
  /// The tag of the VM itself: of what the second stage caches.
  Tag tag_of(std::uint32_t vmid) { return make_tag(space_of(vmid, kAllAsids), thread_); }
  std::uint32_t vmid_of(Tag tag) const { return vmids_[(tag.value & kMaxSpace) - kFirstGuestSpace]; }

 private:
  static constexpr std::uint64_t kAllAsids = 1u << 16;
  std::uint32_t space_of(std::uint32_t vmid, std::uint64_t asid) {
    const auto [at, added] = spaces_.try_emplace(std::uint64_t{vmid} << 32 | asid, std::uint32_t(vmids_.size()));
    if (added) vmids_.push_back(vmid);
    CHECK(at->second < kMaxSpace - kFirstGuestSpace, "loaders bound guests and their processes");
    return kFirstGuestSpace + at->second;
  }

  std::uint32_t thread_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> spaces_;
  std::vector<std::uint32_t> vmids_;  // by number
};

}  // namespace tollgate::hw
