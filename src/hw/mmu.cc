#include "hw/mmu.h"

#include <algorithm>

#include "base/check.h"

namespace tollgate::hw {
namespace {

constexpr int kLineWays = 8;          // page-table lines: associativity of a typical second-level cache
constexpr int kEntriesALineLog2 = 3;  // eight 8-byte table entries in a 64-byte line

Side side_of(Reference reference) { return reference == Reference::fetch ? Side::instruction : Side::data; }

int entries(const DrawnMachine& machine, FigureId id) { return static_cast<int>(machine.value(id)); }

/// A page-table entry's place at `level` (0 PTE .. 3 PML4E), or the cached upper-level entry there.
TlbKey level_key(Vpn vpn, int level, std::uint32_t space) {
  return TlbKey(vpn, static_cast<PageSize>(level), Tag{space}, 0);
}

}  // namespace

Core::Core(const DrawnMachine& machine)
    : layout_(machine),
      tlb_(layout_),
      classifier_(layout_),
      table_lines_(std::max(1, entries(machine, FigureId::walk_near_lines) / kLineWays), kLineWays, Replacement::lru,
                   Index::hash) {}

Mmu::Mmu(const DrawnMachine& machine, Core& core, std::uint32_t thread, bool pcid_enabled)
    : core_(core),
      thread_(thread),
      pcid_enabled_(pcid_enabled),
      tag_(make_tag(0, thread)),
      intermediate_entries_(entries(machine, FigureId::psc_intermediate)),
      stage2_entries_(entries(machine, FigureId::psc_stage2)) {
  for (FigureId id : {FigureId::psc_pde_entries, FigureId::psc_pdpte_entries, FigureId::psc_pml4e_entries}) {
    structures_.emplace_back();
    if (const int count = entries(machine, id); count > 0) structures_.back().emplace(1, count, Replacement::lru);
  }
}

void Mmu::forget_shortcuts(Vpn vpn, TlbHierarchy::FirstLevel inserted) {
  if (inserted.array < 0) return;
  const PageSize held_as = core_.tlb_.array(std::size_t(inserted.array)).at(inserted.place).key.size();
  for (std::size_t side = 0; side < 2; ++side)
    if (held_as == PageSize::k4K)
      shortcut(side, vpn).page = kNoPage;
    else
      for (Shortcut& each : shortcuts_[side]) each.page = kNoPage;
}

void Mmu::remember(Side side, Vpn vpn, TlbHierarchy::FirstLevel real, const ShadowTlb::FirstLevel& shadow) {
  if (real.array < 0 || shadow.array < 0) return;
  TlbArray& array = core_.tlb_.array(std::size_t(real.array));
  shortcut(side == Side::instruction, vpn) = {page_here(vpn),
                                              array.at(real.place).key,
                                              shadow.key,
                                              &array,
                                              &core_.classifier_.shadow_array(shadow.array),
                                              real.place,
                                              shadow.place};
}

Access Mmu::look_up(Reference reference, Vpn vpn) {
  const Side side = side_of(reference);
  const auto [hit, first] = core_.tlb_.access(side, vpn, tag_);
  if (hit.level == 0) return walk(reference, side, vpn);
  const Translation& translation = hit.entry->translation;
  const auto shadow = core_.classifier_.saw_hit(side, vpn, thread_, translation);
  if (hit.level == 2) forget_shortcuts(vpn, first);
  if (reference == Reference::write && !translation.mapping.writable) {
    seen_ = translation;
    page_fault(vpn);
    return {Outcome::write_protected, {}, 0, 0, &seen_};
  }
  remember(side, vpn, first, shadow);
  return {hit.level == 1 ? Outcome::l1_hit : Outcome::stlb_hit, {}, 0, 0, &translation};
}

TlbHit Mmu::peek(Reference reference, Vpn vpn) const { return core_.tlb_.peek(side_of(reference), vpn, tag_); }

Access Mmu::walk(Reference reference, Side side, Vpn vpn) {
  CHECK(root_ != nullptr, "CR3 is written before the first access");
  Access access{Outcome::walk, {}, 0, 0, nullptr};
  const Mapping* mapping = root_->find(vpn);
  fetch_tables(vpn, mapping == nullptr ? 0 : static_cast<int>(mapping->size), access);
  if (in_guest() && mapping != nullptr) translate_intermediate(mapping->frame, access);
  if (mapping == nullptr) {
    access.outcome = Outcome::not_present;
    page_fault(vpn);
    return access;
  }
  seen_ = {*mapping, mapping->global ? root_->global_identity() : root_->identity()};
  access.translation = &seen_;
  const auto [cause, known] = core_.classifier_.classify(side, vpn, thread_, seen_);
  access.cause = cause;
  if (reference == Reference::write && !mapping->writable) {
    access.outcome = Outcome::write_protected;
    page_fault(vpn);
    return access;
  }
  if (ever_cached_) ever_cached_->saw_fill(vpn, tag_, seen_);
  const auto first = core_.tlb_.fill(side, vpn, tag_, seen_, core_.classifier_.saw_fill(thread_, seen_, known));
  const auto shadow = core_.classifier_.saw_hit(side, vpn, thread_, seen_);
  forget_shortcuts(vpn, first);
  remember(side, vpn, first, shadow);
  return access;
}

// The walk starts below the deepest cached upper-level entry and fetches one table entry a level down to the leaf.
void Mmu::fetch_tables(Vpn vpn, int leaf_level, Access& access) {
  const int cached = deepest_cached_level(vpn, leaf_level);
  const std::uint32_t lower = root_->table_identity(vpn);
  for (int level = cached - 1; level >= leaf_level; --level) {
    const std::uint32_t tables = level == kUpperLevels ? root_->identity() : lower;
    const Vpn line = (vpn >> (9 * level) >> kEntriesALineLog2) << (9 * level);
    const TlbKey key = level_key(line, level, tables);
    if (in_guest()) translate_intermediate(guest_->root->table_frame(vpn, level), access);
    fetch_entry(key, access);
    if (level > leaf_level && structures_[std::size_t(level - 1)])
      structures_[std::size_t(level - 1)]->insert(level_key(vpn, level, tag_.value));
  }
}

void Mmu::fetch_entry(TlbKey line, Access& access) {
  const bool near = core_.table_lines_.find(line) != kNowhere;
  ++(near ? access.fetches_near : access.fetches_far);
  core_.table_lines_.insert(line);
}

/// The lowest level above the leaf whose entry for `vpn` is cached; 4 when none is (the walk starts at the root).
int Mmu::deepest_cached_level(Vpn vpn, int leaf_level) {
  for (int level = leaf_level + 1; level <= kUpperLevels; ++level) {
    auto& cache = structures_[std::size_t(level - 1)];
    const Place place = cache ? cache->find(level_key(vpn, level, tag_.value)) : kNowhere;
    if (place == kNowhere) continue;
    cache->used(place);
    return level;
  }
  return kUpperLevels + 1;
}

}  // namespace tollgate::hw
