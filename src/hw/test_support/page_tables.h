// TestTables: page tables as a plain map, with a version counter; several roots may share one half of them.
#pragma once

#include <map>

#include "hw/translation.h"

namespace tollgate::hw::test {

/// One half's page tables. Every write of an entry gets the next version, across all tables of the process.
class TestTables {
 public:
  explicit TestTables(std::uint32_t identity) : identity_(identity) {}

  std::uint32_t identity() const { return identity_; }
  const Mapping* find(Vpn vpn) const {
    const auto after = pages_.upper_bound(vpn);
    if (after == pages_.begin()) return nullptr;
    const Mapping& mapping = std::prev(after)->second;
    return mapping.covers(vpn) ? &mapping : nullptr;
  }
  /// Maps the page of this size around `vpn`; whatever was mapped there before is gone.
  const Mapping& map(Vpn vpn, Mapping like) {
    like.first = first_of(vpn, like.size);
    std::erase_if(pages_,
                  [&](const auto& page) { return like.covers(page.second.first) || page.second.covers(like.first); });
    return map_new(vpn, like);
  }
  /// The same where nothing else is mapped there.
  const Mapping& map_new(Vpn vpn, Mapping like) {
    like.first = first_of(vpn, like.size);
    like.version = next_version();
    return pages_[like.first] = like;
  }
  void unmap(Vpn vpn) {
    std::erase_if(pages_, [&](const auto& page) { return page.second.covers(vpn); });
  }
  void set_writable(Vpn vpn, Mapping like) {
    if (find(vpn) == nullptr) return;
    Mapping& mapping = pages_.at(find(vpn)->first);
    mapping.writable = like.writable;
    mapping.version = next_version();
  }

 private:
  static Vpn first_of(Vpn vpn, PageSize size) { return vpn >> pages_shift(size) << pages_shift(size); }
  static std::uint32_t next_version() {
    static std::uint32_t version = 0;
    return ++version;
  }
  std::uint32_t identity_;
  std::map<Vpn, Mapping> pages_;
};

/// A root over a user half of its own and a kernel half that others may share.
class TestRoot final : public PageTableRoot {
 public:
  TestRoot(Identity identity, const TestTables& user, const TestTables& kernel)
      : identity_(identity), user_(user), kernel_(kernel) {}

  const Mapping* find(Vpn vpn) const override { return half(vpn).find(vpn); }
  Identity identity() const override { return identity_; }
  std::uint32_t table_identity(Vpn vpn) const override { return half(vpn).identity(); }

 private:
  const TestTables& half(Vpn vpn) const { return vpn < kKernelHalf ? user_ : kernel_; }

  Identity identity_;
  const TestTables& user_;
  const TestTables& kernel_;
};

}  // namespace tollgate::hw::test
