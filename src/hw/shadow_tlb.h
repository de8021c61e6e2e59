// ShadowTlb: a TLB of the same layout that is never flushed, keyed by whose page it is and never by hardware tag. It
// holds keys only: nobody translates by it.
#pragma once

#include <vector>

#include "hw/key_array.h"
#include "hw/tlb_layout.h"

namespace tollgate::hw {

class ShadowTlb {
 public:
  /// `layout` must outlive this.
  explicit ShadowTlb(const TlbLayout& layout);

  /// Where a page is in the first level; array -1: nowhere.
  struct FirstLevel {
    int array = -1;
    Place place = kNowhere;
    TlbKey key;
  };
  /// A reference to this page: hits, or fills both levels, as the TLB does with it.
  FirstLevel refer(Side side, Vpn vpn, Tag tag, const Mapping& mapping);
  /// The level that holds the page, at its own size or as a piece; 0: none.
  int level_of(Side side, Vpn vpn, Tag tag, const Mapping& mapping) const;

  KeyArray& array(int index) { return arrays_[std::size_t(index)]; }

 private:
  const TlbLayout& layout_;
  std::vector<KeyArray> arrays_;
};

}  // namespace tollgate::hw
