#include "hw/miss_classifier.h"

namespace tollgate::hw {
namespace {
Tag shadow_tag(Identity identity, std::uint32_t thread) { return make_tag(identity, thread); }
}  // namespace

void MissClassifier::saw_hit(Side side, Vpn vpn, std::uint32_t thread, const Translation& translation) {
  const Tag tag = shadow_tag(translation.identity, thread);
  if (shadow_.access(side, vpn, tag).level == 0) shadow_.fill(side, vpn, tag, translation);
}

MissCause MissClassifier::saw_walk(Side side, Vpn vpn, std::uint32_t thread, const Translation& translation) {
  const Tag tag = shadow_tag(translation.identity, thread);
  MissCause cause{first_sight(translation) ? MissKind::cold : MissKind::capacity, evidence::FlushCause::count};
  const TlbHit hit = shadow_.peek(side, vpn, tag);
  if (hit.level != 0 && hit.entry->note != 0)
    cause = {MissKind::refill, static_cast<evidence::FlushCause>(hit.entry->note - 1)};
  if (shadow_.access(side, vpn, tag).level == 0 || cause.kind == MissKind::refill)
    shadow_.fill(side, vpn, tag, translation);
  return cause;
}

void MissClassifier::saw_removal(const TlbArray::Entry& removed, evidence::FlushCause cause) {
  const Tag tag = shadow_tag(removed.translation.identity, thread_of(removed.key.tag()));
  const TlbKey key(removed.key.first_vpn(), removed.key.size(), removed.key.is_global() ? make_tag(0, thread_of(tag)) : tag,
                   removed.key.is_global());
  shadow_.with_key(key, [&](TlbArray::Entry& entry) { entry.note = std::uint8_t(static_cast<int>(cause) + 1); });
}

bool MissClassifier::first_sight(const Translation& translation) {
  const Mapping& mapping = translation.mapping;
  const TlbKey name(mapping.first, mapping.size, Tag{mapping.global ? kGlobalIdentity : translation.identity},
                    mapping.global ? 1 : 0);
  return seen_.insert(name.bits()).second;
}

}  // namespace tollgate::hw
