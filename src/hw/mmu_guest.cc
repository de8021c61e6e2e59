// Guests: entering and leaving them, walks of two stages, and TLBI by scope. A walk from scratch through two stages of four
// levels makes 24 fetches: every table of the first stage, and its result, lies at an intermediate address of its own.
#include "base/check.h"
#include "hw/mmu.h"

namespace tollgate::hw {
namespace {

constexpr int kLevels = 4;
constexpr int kEntriesALineLog2 = 3;  // eight 8-byte table entries in a 64-byte line

TlbKey stage2_key(Vpn ipa, int level, std::uint32_t space) {
  return TlbKey(ipa, static_cast<PageSize>(level), Tag{space}, 0);
}

}  // namespace

void Mmu::enter_guest(const TwoStageRoot& root, std::uint32_t vmid, Asid asid) {
  CHECK(!in_guest(), "a guest is left before the next one is entered");
  CHECK(intermediate_entries_ > 0, "a machine that runs guests states psc.intermediate");
  if (guest_ == nullptr) {
    guest_ = std::make_unique<Guest>(GuestTags(thread_), KeyArray(1, intermediate_entries_, Replacement::lru));
    if (stage2_entries_ > 0) guest_->tables.emplace(1, stage2_entries_, Replacement::lru);
  }
  guest_->host_tag = tag_;
  guest_->host_root = root_;
  guest_->root = &root;
  guest_->vm = guest_->tags.tag_of(vmid);
  root_ = &root;
  tag_ = guest_->tags.tag_of(vmid, asid);
}

void Mmu::leave_guest() {
  CHECK(in_guest(), "only a guest that was entered is left");
  guest_->root = nullptr;
  root_ = guest_->host_root;
  tag_ = guest_->host_tag;
}

/// The second stage's part of a walk, for one intermediate page.
void Mmu::translate_intermediate(Vpn ipa, Access& access) {
  const int leaf = static_cast<int>(guest_->root->stage2_size());
  const TlbKey page = stage2_key(ipa, leaf, guest_->vm.value);
  if (const Place place = guest_->intermediate.find(page); place != kNowhere) {
    guest_->intermediate.used(place);
    return;
  }
  int cached = kLevels;
  for (int level = leaf + 1; guest_->tables && level < kLevels && cached == kLevels; ++level)
    if (const Place place = guest_->tables->find(stage2_key(ipa, level, guest_->vm.value)); place != kNowhere) {
      guest_->tables->used(place);
      cached = level;
    }
  for (int level = cached - 1; level >= leaf; --level) {
    const Vpn line = (ipa >> (9 * level) >> kEntriesALineLog2) << (9 * level);
    fetch_entry(stage2_key(line, level, guest_->root->stage2_identity()), access);
    if (level > leaf && guest_->tables) guest_->tables->insert(stage2_key(ipa, level, guest_->vm.value));
  }
  guest_->intermediate.insert(page);
}

/// Drops this thread's entries of guests whose tag `matches`, first stage and both together.
template <typename Matches>
void Mmu::remove_guests(Matches matches, evidence::FlushCause cause) {
  const auto goes = [&](TlbKey key) {
    return is_guest(key.tag()) && thread_of(key.tag()) == thread_ && matches(key.tag());
  };
  if (ever_cached_) ever_cached_->flush_guests(matches);
  core_.tlb_.remove_any([&](const TlbArray::Entry& entry) { return goes(entry.key); },
                        [&](const TlbArray::Entry& entry) { core_.classifier_.saw_removal(entry, cause); });
  for (auto& cache : structures_)
    if (cache) cache->remove_if(goes);
}

/// Of one VMID, or of all.
void Mmu::drop_second_stage(std::uint32_t vmid) {
  const auto goes = [&](TlbKey key) { return guest_->tags.vmid_of(key.tag()) == vmid; };
  guest_->intermediate.remove_if(goes);
  if (guest_->tables) guest_->tables->remove_if(goes);
}

void Mmu::tlbi_guests(evidence::FlushCause cause) {
  if (guest_ == nullptr) return;
  remove_guests([](Tag) { return true; }, cause);
  guest_->intermediate.remove_if([](TlbKey) { return true; });
  if (guest_->tables) guest_->tables->remove_if([](TlbKey) { return true; });
}

void Mmu::tlbi_vmid(std::uint32_t vmid, evidence::FlushCause cause) {
  if (guest_ == nullptr) return;
  remove_guests([&](Tag tag) { return guest_->tags.vmid_of(tag) == vmid; }, cause);
  drop_second_stage(vmid);
}

void Mmu::tlbi_asid(std::uint32_t vmid, Asid asid, evidence::FlushCause cause) {
  if (guest_ == nullptr) return;
  const Tag tag = guest_->tags.tag_of(vmid, asid);
  remove_guests([&](Tag each) { return each == tag; }, cause);
}

void Mmu::tlbi_address(std::uint32_t vmid, Asid asid, Vpn vpn, evidence::FlushCause cause) {
  if (guest_ == nullptr) return;
  const Tag tag = guest_->tags.tag_of(vmid, asid);
  const auto removed = [&](const TlbArray::Entry& entry) { core_.classifier_.saw_removal(entry, cause); };
  if (ever_cached_) {
    ever_cached_->flush_address(vpn, tag, EverCached::Whose::own);
    ever_cached_->flush_address(vpn, tag, EverCached::Whose::global);
  }
  core_.tlb_.remove_address(vpn, [&](PageSize size) { return TlbKey::tagged(vpn, size, tag); }, removed);
  core_.tlb_.remove_address(vpn, [&](PageSize size) { return TlbKey::global(vpn, size, tag); }, removed);
  for (int level = 1; level <= kUpperLevels; ++level)
    if (auto& cache = structures_[std::size_t(level - 1)])
      cache->remove_key(TlbKey::tagged(vpn, static_cast<PageSize>(level), tag));
}

void Mmu::tlbi_ipa(std::uint32_t vmid, Vpn ipa) {
  if (guest_ == nullptr) return;
  const Tag vm = guest_->tags.tag_of(vmid);
  for (int level = 0; level < kLevels; ++level) {
    guest_->intermediate.remove_key(stage2_key(ipa, level, vm.value));
    if (guest_->tables) guest_->tables->remove_key(stage2_key(ipa, level, vm.value));
  }
}

void Mmu::tlbi_host(evidence::FlushCause cause) {
  const auto goes = [&](TlbKey key) { return !is_guest(key.tag()) && thread_of(key.tag()) == thread_; };
  if (ever_cached_) ever_cached_->flush_host();
  core_.tlb_.remove_any([&](const TlbArray::Entry& entry) { return goes(entry.key); },
                        [&](const TlbArray::Entry& entry) { core_.classifier_.saw_removal(entry, cause); });
  for (auto& cache : structures_)
    if (cache) cache->remove_if(goes);
}

}  // namespace tollgate::hw
