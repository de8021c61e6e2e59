#include "hw/tlb_hierarchy.h"

namespace tollgate::hw {

TlbHierarchy::TlbHierarchy(const TlbLayout& layout) : layout_(layout), has_pieces_(layout.arrays().size()) {
  for (const auto& [spec, thread] : layout.arrays()) arrays_.emplace_back(spec.sets, spec.ways, spec.replacement);
}

TlbHierarchy::Found TlbHierarchy::access(Side side, Vpn vpn, Tag tag) {
  for (int level = 1; level <= 2; ++level)
    for (const auto [index, size] : layout_.probes(side, level, thread_of(tag))) {
      TlbArray& array = arrays_[index];
      if (!array.holds_any(size)) continue;
      const Place place = array.access(TlbKey::tagged(vpn, size, tag), TlbKey::global(vpn, size, tag));
      if (place == kNowhere) continue;
      const TlbArray::Entry& entry = array.at(place);
      return {{level, &entry},
              level == 1 ? FirstLevel{index, place} : insert(side, 1, vpn, tag, entry.translation, entry.page)};
    }
  return {};
}

TlbHit TlbHierarchy::peek(Side side, Vpn vpn, Tag tag) const {
  for (int level = 1; level <= 2; ++level)
    for (const auto [index, size] : layout_.probes(side, level, thread_of(tag)))
      if (const auto* entry = arrays_[index].peek(TlbKey::tagged(vpn, size, tag), TlbKey::global(vpn, size, tag)))
        return {level, entry};
  return {};
}

TlbHierarchy::FirstLevel TlbHierarchy::fill(Side side, Vpn vpn, Tag tag, const Translation& translation,
                                            PageHandle page) {
  insert(side, 2, vpn, tag, translation, page);
  return insert(side, 1, vpn, tag, translation, page);
}

// Called after a look-up found nothing for the page at this level, so its key is not there.
TlbHierarchy::FirstLevel TlbHierarchy::insert(Side side, int level, Vpn vpn, Tag tag, const Translation& translation,
                                              PageHandle page) {
  const Mapping& mapping = translation.mapping;
  const auto [index, held_as] = layout_.home(side, level, thread_of(tag), mapping.size);
  if (index < 0) return {};
  has_pieces_[std::size_t(index)] |= held_as != mapping.size;
  const TlbKey key = TlbKey::of(mapping, vpn, held_as, tag);
  return {index, arrays_[std::size_t(index)].insert_absent(key, translation, page)};
}

}  // namespace tollgate::hw
