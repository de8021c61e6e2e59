#include "hw/miss_classifier.h"

namespace tollgate::hw {
namespace {

Tag shadow_tag(std::uint32_t thread, const Translation& translation) {
  return make_tag(translation.identity, thread, translation.mapping.global ? translation.identity : kGlobalIdentity);
}

/// What the page is called for ever: whose, how large, and where, for each hardware thread.
TlbKey name_of(std::uint32_t thread, const Translation& translation) {
  const Mapping& mapping = translation.mapping;
  return TlbKey(mapping.first, mapping.size, shadow_tag(thread, translation), mapping.global ? 1 : 0);
}

}  // namespace

ShadowTlb::FirstLevel MissClassifier::saw_hit(Side side, Vpn vpn, std::uint32_t thread,
                                              const Translation& translation) {
  return shadow_.refer(side, vpn, shadow_tag(thread, translation), translation.mapping);
}

MissClassifier::Classified MissClassifier::classify(Side side, Vpn vpn, std::uint32_t thread,
                                                    const Translation& translation) const {
  const auto known = pages_.find(name_of(thread, translation).bits());
  if (known == pages_.end()) return {{MissKind::cold, kNotRemoved}, PageHandle::none()};
  const evidence::FlushCause flush = removed_by_[known->second.value];
  const bool refill =
      flush != kNotRemoved && shadow_.level_of(side, vpn, shadow_tag(thread, translation), translation.mapping) != 0;
  return {refill ? MissCause{MissKind::refill, flush} : MissCause{MissKind::capacity, kNotRemoved}, known->second};
}

PageHandle MissClassifier::saw_fill(std::uint32_t thread, const Translation& translation, PageHandle known) {
  if (known.valid()) {
    removed_by_[known.value] = kNotRemoved;
    return known;
  }
  const PageHandle added(static_cast<std::uint32_t>(removed_by_.size()));
  pages_.emplace(name_of(thread, translation).bits(), added);
  removed_by_.push_back(kNotRemoved);
  return added;
}

}  // namespace tollgate::hw
