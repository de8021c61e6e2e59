#include "hw/shadow_tlb.h"

namespace tollgate::hw {

ShadowTlb::ShadowTlb(const TlbLayout& layout) : layout_(layout) {
  for (const auto& [spec, thread] : layout.arrays()) arrays_.emplace_back(spec.sets, spec.ways, spec.replacement);
}

ShadowTlb::FirstLevel ShadowTlb::refer(Side side, Vpn vpn, Tag tag, const Mapping& mapping) {
  FirstLevel first;
  const auto [first_index, first_as] = layout_.home(side, 1, thread_of(tag), mapping.size);
  if (first_index >= 0) {
    KeyArray& array = arrays_[std::size_t(first_index)];
    first = {first_index, kNowhere, TlbKey::of(mapping, vpn, first_as, tag)};
    first.place = array.find(first.key);
    if (first.place != kNowhere) {
      array.used(first.place);
      return first;
    }
  }
  const auto [second_index, second_as] = layout_.home(side, 2, thread_of(tag), mapping.size);
  if (second_index >= 0) arrays_[std::size_t(second_index)].insert(TlbKey::of(mapping, vpn, second_as, tag));
  if (first_index >= 0) first.place = arrays_[std::size_t(first_index)].insert_absent(first.key);
  return first;
}

int ShadowTlb::level_of(Side side, Vpn vpn, Tag tag, const Mapping& mapping) const {
  for (int level : {1, 2}) {
    const auto [index, held_as] = layout_.home(side, level, thread_of(tag), mapping.size);
    if (index >= 0 && arrays_[std::size_t(index)].find(TlbKey::of(mapping, vpn, held_as, tag)) != kNowhere)
      return level;
  }
  return 0;
}

}  // namespace tollgate::hw
