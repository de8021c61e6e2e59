// MissClassifier: why a page walk was needed. A shadow TLB of the same geometry sees the same fills and no flushes, keyed
// by whose page it is and never by hardware tag. Missed here and present there: refill, charged to the flush that removed
// the entry. In neither, but seen before: capacity. Never seen: cold.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>

#include "evidence/ledger.h"
#include "hw/tlb_hierarchy.h"

namespace tollgate::hw {

enum class MissKind : std::uint8_t { cold, capacity, refill };

struct MissCause {
  MissKind kind = MissKind::cold;
  evidence::FlushCause flush = evidence::FlushCause::count;  // set for a refill
};

class MissClassifier {
 public:
  MissClassifier(const DrawnMachine& machine, bool fractured_instruction_side)
      : shadow_(machine, fractured_instruction_side) {}

  /// Call for every reference that needed no walk, so that the shadow ages alike.
  void saw_hit(Side side, Vpn vpn, std::uint32_t thread, const Translation& translation);
  /// Call for every walk: classifies it, then fills the shadow.
  MissCause saw_walk(Side side, Vpn vpn, std::uint32_t thread, const Translation& translation);
  /// Call for every entry that a flush removed from the real TLB.
  void saw_removal(const TlbArray::Entry& removed, evidence::FlushCause cause);

 private:
  bool first_sight(const Translation& translation);

  TlbHierarchy shadow_;
  boost::unordered_flat_set<std::uint64_t> seen_;
};

}  // namespace tollgate::hw
