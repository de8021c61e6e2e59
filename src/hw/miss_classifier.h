// MissClassifier: why a page walk was needed. A shadow TLB of the same geometry sees the same references and no
// flushes, keyed by whose page it is and never by hardware tag. Missed here and present there, and a flush was the last
// thing that happened to the page's translation: refill, charged to that flush. Else capacity if the page was ever
// filled, else cold.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include <vector>

#include "evidence/ledger.h"
#include "hw/shadow_tlb.h"
#include "hw/tlb_array.h"

namespace tollgate::hw {

enum class MissKind : std::uint8_t { cold, capacity, refill };

struct MissCause {
  MissKind kind = MissKind::cold;
  evidence::FlushCause flush = evidence::FlushCause::count;  // set for a refill
  bool operator==(const MissCause&) const = default;
};

class MissClassifier {
 public:
  /// `layout` must outlive this.
  explicit MissClassifier(const TlbLayout& layout) : shadow_(layout) {}

  /// Call for every reference that needed no walk, so that the shadow ages alike. Returns where the shadow has the page
  /// now: while it stays there, marking that place used says the same.
  ShadowTlb::FirstLevel saw_hit(Side side, Vpn vpn, std::uint32_t thread, const Translation& translation);
  struct Classified {
    MissCause cause;
    PageHandle page;  // none: never filled
  };
  /// Why the TLB does not hold this translation now.
  Classified classify(Side side, Vpn vpn, std::uint32_t thread, const Translation& translation) const;
  /// Call for every walk that fills the TLB, with what `classify` said of its page, and then saw_hit. The handle is for
  /// the TLB's entries.
  PageHandle saw_fill(std::uint32_t thread, const Translation& translation, PageHandle known);
  /// Call for every entry that a flush removed from the real TLB.
  void saw_removal(const TlbArray::Entry& removed, evidence::FlushCause cause) {
    removed_by_[removed.page.value] = cause;
  }
  KeyArray& shadow_array(int index) { return shadow_.array(index); }

 private:
  static constexpr evidence::FlushCause kNotRemoved = evidence::FlushCause::count;

  ShadowTlb shadow_;
  boost::unordered_flat_map<std::uint64_t, PageHandle> pages_;  // by the bits of the page's name
  std::vector<evidence::FlushCause> removed_by_;                // by handle: the flush that took it away, if one did
};

}  // namespace tollgate::hw
