#include "hw/tlb_hierarchy.h"

#include "base/check.h"

namespace tollgate::hw {
namespace {

/// The key under which a translation is found: at its own size, or at 4K for a piece of a large page.
TlbKey key_for(Vpn vpn, PageSize size, Tag tag, const Mapping& mapping) {
  return mapping.global ? TlbKey::global(vpn, size, tag) : TlbKey::tagged(vpn, size, tag);
}

}  // namespace

TlbHierarchy::TlbHierarchy(const DrawnMachine& machine, bool fractured_instruction_side)
    : fractured_instruction_side_(fractured_instruction_side) {
  const int threads = machine.topology.threads_per_core;
  CHECK(threads <= kMaxThreads, "the loader admits at most two threads a core");
  for (const auto& spec : machine.tlb) {
    const int copies = spec.per_thread ? threads : 1;
    for (int copy = 0; copy < copies; ++copy)
      arrays_.push_back({spec.holds, spec.side, spec.level, spec.per_thread ? copy : -1, false,
                         TlbArray(spec.sets, spec.ways, spec.replacement)});
  }
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    for (Side side : {Side::instruction, Side::data})
      for (int thread = 0; thread < kMaxThreads; ++thread)
        if ((arrays_[i].side == side || arrays_[i].side == Side::both) &&
            (arrays_[i].thread < 0 || arrays_[i].thread == thread))
          routes_[std::size_t(side)][arrays_[i].level - 1][thread].push_back(std::uint8_t(i));
}

TlbHit TlbHierarchy::access(Side side, Vpn vpn, Tag tag) {
  for (int level = 1; level <= 2; ++level)
    for (std::uint8_t index : route(side, level, tag))
      for (int size = 0; size < kPageSizes; ++size) {
        Slot& slot = arrays_[index];
        if (!slot.holds[std::size_t(size)]) continue;
        const auto page_size = static_cast<PageSize>(size);
        const auto* entry =
            slot.array.access(TlbKey::tagged(vpn, page_size, tag), TlbKey::global(vpn, page_size, tag));
        if (entry == nullptr) continue;
        if (level == 2) insert(side, 1, vpn, tag, *entry);
        return {level, entry};
      }
  return {};
}

TlbHit TlbHierarchy::peek(Side side, Vpn vpn, Tag tag) const {
  for (int level = 1; level <= 2; ++level)
    for (std::uint8_t index : route(side, level, tag))
      for (int size = 0; size < kPageSizes; ++size) {
        const Slot& slot = arrays_[index];
        if (!slot.holds[std::size_t(size)]) continue;
        const auto page_size = static_cast<PageSize>(size);
        if (const auto* entry =
                slot.array.peek(TlbKey::tagged(vpn, page_size, tag), TlbKey::global(vpn, page_size, tag)))
          return {level, entry};
      }
  return {};
}

void TlbHierarchy::fill(Side side, Vpn vpn, Tag tag, const Translation& translation, PageHandle page) {
  insert(side, 2, vpn, tag, {{}, translation, page});
  insert(side, 1, vpn, tag, {{}, translation, page});
}

int TlbHierarchy::level_of(Side side, Vpn vpn, Tag tag, const Mapping& mapping) const {
  for (int level = 1; level <= 2; ++level) {
    const Home at = home(side, level, tag, mapping.size);
    if (at.array < 0) continue;
    const TlbKey key = key_for(vpn, at.held_as, tag, mapping);
    if (arrays_[std::size_t(at.array)].array.peek(key, key) != nullptr) return level;
  }
  return 0;
}

int TlbHierarchy::access_as(Side side, Vpn vpn, Tag tag, const Translation& translation) {
  const int level = level_of(side, vpn, tag, translation.mapping);
  if (level == 0) return 0;
  const Home at = home(side, level, tag, translation.mapping.size);
  const TlbKey key = key_for(vpn, at.held_as, tag, translation.mapping);
  const auto* entry = arrays_[std::size_t(at.array)].array.access(key, key);
  if (level == 2) insert(side, 1, vpn, tag, *entry);
  return level;
}

// A first level with no place for a large page keeps it as 4K pieces; a second level without one does not keep it.
TlbHierarchy::Home TlbHierarchy::home(Side side, int level, Tag tag, PageSize size) const {
  const auto first_holding = [&](PageSize held_as) {
    for (std::uint8_t index : route(side, level, tag))
      if (arrays_[index].holds[std::size_t(held_as)]) return Home{index, held_as};
    return Home{};
  };
  const bool fracture = level == 1 && side == Side::instruction && fractured_instruction_side_;
  const Home own = fracture ? Home{} : first_holding(size);
  return own.array < 0 && level == 1 ? first_holding(PageSize::k4K) : own;
}

void TlbHierarchy::insert(Side side, int level, Vpn vpn, Tag tag, const TlbArray::Entry& entry) {
  const Mapping& mapping = entry.translation.mapping;
  const Home at = home(side, level, tag, mapping.size);
  if (at.array < 0) return;
  Slot& slot = arrays_[std::size_t(at.array)];
  slot.array.insert({key_for(vpn, at.held_as, tag, mapping), entry.translation, entry.page});
  slot.has_pieces |= at.held_as != mapping.size;
}

}  // namespace tollgate::hw
