// OracleCore and OracleMmu: what a core's TLBs, paging-structure caches and page walks do, written down rule by rule.
// Every invalidation is one predicate over what is cached: Intel SDM vol. 3, "Operations that Invalidate TLBs and
// Paging-Structure Caches".
#pragma once

#include <list>

#include "hw/mmu.h"
#include "hw/test_support/oracle_classifier.h"

namespace tollgate::hw::test {

struct OracleCore {
  explicit OracleCore(const DrawnMachine& drawn) : machine(drawn), classifier(drawn) {
    for (const auto& spec : drawn.tlb)
      for (int copy = 0; copy < (spec.per_thread ? drawn.topology.threads_per_core : 1); ++copy) {
        arrays.emplace_back(spec);
        owner.push_back(spec.per_thread ? copy : -1);
      }
  }
  /// A page-table line in the core's caches, by the table it belongs to.
  struct Line {
    int level;
    std::uint32_t table;
    Vpn line;
    bool operator==(const Line&) const = default;
  };
  /// Whether the line was near; it is afterwards.
  bool fetch(const Line& line) {
    const int sets = std::max(1, int(machine.value(FigureId::walk_near_lines)) / 8);
    const TlbKey key(line.line << (9 * line.level), static_cast<PageSize>(line.level), Tag{line.table}, 0);
    std::list<Line>& set = lines[hash_index(key) % std::uint64_t(sets)];
    const bool near = std::find(set.begin(), set.end(), line) != set.end();
    set.remove(line);
    set.push_back(line);
    if (set.size() > 8) set.pop_front();
    return near;
  }
  template <typename Predicate>
  void remove_if(Predicate predicate) {
    for (auto& array : arrays) array.remove_if(predicate);
  }

  DrawnMachine machine;
  OracleClassifier classifier;
  std::vector<OracleArray> arrays;
  std::vector<int> owner;  // the thread that an array is private to, or -1
  std::map<std::uint64_t, std::list<Line>> lines;
};

class OracleMmu {
 public:
  using FlushCause = evidence::FlushCause;

  struct Result {
    Outcome outcome = Outcome::l1_hit;
    MissCause cause{};
    int near = 0;
    int far = 0;
    std::optional<Translation> used;
  };

  OracleMmu(OracleCore& core, std::uint32_t thread, bool pcid_enabled)
      : core_(core), thread_(thread), pcid_enabled_(pcid_enabled) {}

  std::pair<int, std::optional<Held>> peek(Reference reference, Vpn vpn) const {
    for (int level : {1, 2})
      for (std::size_t i = 0; i < core_.arrays.size(); ++i)
        if (serves(i, side_of(reference), level))
          if (const Held* held = core_.arrays[i].find(thread_, pcid_, vpn)) return {level, *held};
    return {0, std::nullopt};
  }

  Result access(Reference reference, Vpn vpn) {
    const Side side = side_of(reference);
    const auto [level, held] = peek(reference, vpn);
    Result result;
    if (level == 0) return walk(reference, vpn);
    for (std::size_t i = 0; i < core_.arrays.size(); ++i)
      if (serves(i, side, level) && core_.arrays[i].find(thread_, pcid_, vpn)) {
        core_.arrays[i].used(*held);
        break;
      }
    if (level == 2) insert(side, 1, vpn, held->translation);
    core_.classifier.hit(side, vpn, thread_, held->translation);
    result.outcome = level == 1 ? Outcome::l1_hit : Outcome::stlb_hit;
    result.used = held->translation;
    if (reference == Reference::write && !held->translation.mapping.writable) {
      result.outcome = Outcome::write_protected;
      page_fault(vpn);
    }
    return result;
  }

  void write_cr3(const PageTableRoot& root, std::uint32_t pcid, NoFlush no_flush, FlushCause cause) {
    root_ = &root;
    pcid_ = pcid;
    if (pcid_enabled_ && no_flush == NoFlush::set) return;
    remove(cause, [&](const Held& e) { return !e.global && (e.pcid == pcid || !pcid_enabled_); });
    forget_structures([&](const Structure& s) { return s.pcid == pcid || !pcid_enabled_; });
  }
  void invlpg(Vpn vpn, FlushCause cause) {
    remove(cause, [&](const Held& e) { return translates(e, vpn) && (e.global || e.pcid == pcid_); });
    forget_structures([&](const Structure& s) { return s.pcid == pcid_; });
  }
  void invpcid_address(std::uint32_t pcid, Vpn vpn, FlushCause cause) {
    remove(cause, [&](const Held& e) { return translates(e, vpn) && !e.global && e.pcid == pcid; });
    forget_structures([&](const Structure& s) { return s.pcid == pcid && s.serves(vpn); });
  }
  void invpcid_single(std::uint32_t pcid, FlushCause cause) {
    remove(cause, [&](const Held& e) { return !e.global && e.pcid == pcid; });
    forget_structures([&](const Structure& s) { return s.pcid == pcid; });
  }
  void invpcid_all(FlushCause cause) {
    remove(cause, [](const Held&) { return true; });
    forget_structures([](const Structure&) { return true; });
  }
  void invpcid_all_nonglobal(FlushCause cause) {
    remove(cause, [](const Held& e) { return !e.global; });
    forget_structures([](const Structure&) { return true; });
  }
  void broadcast_address(std::uint32_t pcid, Vpn vpn, Mmu::Globals globals, FlushCause cause) {
    invpcid_address(pcid, vpn, cause);
    if (globals == Mmu::Globals::drop) remove(cause, [&](const Held& e) { return translates(e, vpn) && e.global; });
  }

  std::uint32_t pcid() const { return pcid_; }

 private:
  /// A cached upper-level entry: level 1 PDE, 2 PDPTE, 3 PML4E.
  struct Structure {
    std::uint32_t pcid;
    int level;
    Vpn region;
    bool serves(Vpn vpn) const { return vpn >> (9 * level) == region; }
    bool operator==(const Structure&) const = default;
  };

  static Side side_of(Reference reference) { return reference == Reference::fetch ? Side::instruction : Side::data; }
  bool serves(std::size_t i, Side side, int level) const {
    const auto& spec = core_.arrays[i].spec();
    return spec.level == level && (spec.side == side || spec.side == Side::both) &&
           (core_.owner[i] < 0 || core_.owner[i] == int(thread_));
  }
  static bool translates(const Held& entry, Vpn vpn) { return entry.translation.mapping.covers(vpn); }
  template <typename Predicate>
  void remove(FlushCause cause, Predicate predicate) {
    core_.remove_if([&](const Held& entry) {
      if (entry.thread != thread_ || !predicate(entry)) return false;
      core_.classifier.flushed(entry, cause);
      return true;
    });
  }
  template <typename Predicate>
  void forget_structures(Predicate predicate) {
    for (auto& cache : structures_) cache.remove_if(predicate);
  }

  void insert(Side side, int level, Vpn vpn, const Translation& translation) {
    const Mapping& mapping = translation.mapping;
    const bool fractured = core_.machine.value(FigureId::itlb_fractures_large_pages) >= 0.5;
    std::vector<PageSize> sizes{mapping.size};
    if (level == 1 && side == Side::instruction && fractured) sizes = {PageSize::k4K};
    if (level == 1 && sizes.back() != PageSize::k4K) sizes.push_back(PageSize::k4K);
    for (PageSize size : sizes)
      for (std::size_t i = 0; i < core_.arrays.size(); ++i)
        if (serves(i, side, level) && core_.arrays[i].holds(size)) {
          core_.arrays[i].insert(
              {thread_, mapping.global ? 0 : pcid_, mapping.global, size, vpn >> pages_shift(size), translation});
          return;
        }
  }

  Result walk(Reference reference, Vpn vpn) {
    const Mapping* mapping = root_->find(vpn);
    Result result{Outcome::walk, {}, 0, 0, std::nullopt};
    fetch(vpn, mapping == nullptr ? 0 : int(mapping->size), result);
    if (mapping != nullptr) {
      result.used = Translation{*mapping, mapping->global ? kGlobalIdentity : root_->identity()};
      result.cause = core_.classifier.classify(side_of(reference), vpn, thread_, *result.used);
    }
    if (mapping == nullptr || (reference == Reference::write && !mapping->writable)) {
      result.outcome = mapping == nullptr ? Outcome::not_present : Outcome::write_protected;
      page_fault(vpn);
      return result;
    }
    core_.classifier.fill(side_of(reference), vpn, thread_, *result.used);
    insert(side_of(reference), 2, vpn, *result.used);
    insert(side_of(reference), 1, vpn, *result.used);
    return result;
  }

  /// Starts below the lowest cached upper-level entry above the leaf, and caches what it passes.
  void fetch(Vpn vpn, int leaf, Result& result) {
    int start = 4;
    for (int level = 3; level > leaf; --level)
      if (is_cached(level, vpn)) start = level;
    if (start < 4) remember(start, vpn);
    for (int level = start - 1; level >= leaf; --level) {
      const std::uint32_t table = level == 3 ? root_->identity() : root_->table_identity(vpn);
      const bool near = core_.fetch({level, table, (vpn >> (9 * level)) / 8});
      ++(near ? result.near : result.far);
      if (level > leaf) remember(level, vpn);
    }
  }
  bool is_cached(int level, Vpn vpn) const {
    const auto& cache = structures_[level - 1];
    return std::find(cache.begin(), cache.end(), Structure{pcid_, level, vpn >> (9 * level)}) != cache.end();
  }
  void remember(int level, Vpn vpn) {
    constexpr FigureId kSizes[] = {FigureId::psc_pde_entries, FigureId::psc_pdpte_entries, FigureId::psc_pml4e_entries};
    auto& cache = structures_[level - 1];
    const Structure entry{pcid_, level, vpn >> (9 * level)};
    cache.remove(entry);
    cache.push_back(entry);
    if (double(cache.size()) > core_.machine.value(kSizes[level - 1])) cache.pop_front();
  }

  /// A page fault drops what it could have come from: every entry for the page, and the structures used to reach it.
  void page_fault(Vpn vpn) {
    remove(FlushCause::local_shootdown,
           [&](const Held& e) { return translates(e, vpn) && (e.global || e.pcid == pcid_); });
    forget_structures([&](const Structure& s) { return s.pcid == pcid_ && s.serves(vpn); });
  }

  OracleCore& core_;
  std::uint32_t thread_;
  bool pcid_enabled_;
  std::uint32_t pcid_ = 0;
  const PageTableRoot* root_ = nullptr;
  std::list<Structure> structures_[3];  // least recently used first
};

}  // namespace tollgate::hw::test
