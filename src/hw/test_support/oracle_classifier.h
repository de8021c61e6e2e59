// OracleClassifier: contract 4 to the letter, from the whole history of every page. A walk is a refill when a TLB of
// the same geometry that saw the same references and no flush would hold the page, and the last thing that happened to
// the page's translation was a flush; else it is capacity when the page was ever filled before, and cold when it never
// was.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "hw/miss_classifier.h"
#include "hw/test_support/oracle_array.h"

namespace tollgate::hw::test {

class OracleClassifier {
 public:
  explicit OracleClassifier(const DrawnMachine& machine) : machine_(machine) {
    for (const auto& spec : machine.tlb)
      for (int copy = 0; copy < (spec.per_thread ? machine.topology.threads_per_core : 1); ++copy) {
        shadow_.emplace_back(spec);
        owner_.push_back(spec.per_thread ? copy : -1);
      }
  }

  void hit(Side side, Vpn vpn, std::uint32_t thread, const Translation& translation) {
    refer_to(side, vpn, thread, translation);
  }
  MissCause classify(Side side, Vpn vpn, std::uint32_t thread, const Translation& translation) const {
    const auto events = history_.find(name_of(thread, translation));
    if (events == history_.end()) return {MissKind::cold, evidence::FlushCause::count};
    const Event& last = events->second.back();
    if (last.flushed && level_of(side, vpn, thread, translation) > 0) return {MissKind::refill, last.cause};
    return {MissKind::capacity, evidence::FlushCause::count};
  }
  void fill(Side side, Vpn vpn, std::uint32_t thread, const Translation& translation) {
    refer_to(side, vpn, thread, translation);
    history_[name_of(thread, translation)].push_back({false, evidence::FlushCause::count});
  }
  void flushed(const Held& entry, evidence::FlushCause cause) {
    history_[name_of(entry.thread, entry.translation)].push_back({true, cause});
  }

 private:
  struct Event {
    bool flushed;
    evidence::FlushCause cause;
  };
  using Name = std::tuple<std::uint32_t, bool, Identity, PageSize, Vpn>;

  static Name name_of(std::uint32_t thread, const Translation& t) {
    return {thread, t.mapping.global, t.mapping.global ? 0 : t.identity, t.mapping.size, t.mapping.first};
  }
  /// The array and the size in which a translation lives at a level; array -1: nowhere.
  std::pair<int, Held> home_of(Side side, int level, Vpn vpn, std::uint32_t thread, const Translation& t) const {
    const bool fractured = machine_.value(FigureId::itlb_fractures_large_pages) >= 0.5;
    std::vector<PageSize> sizes{t.mapping.size};
    if (level == 1 && side == Side::instruction && fractured) sizes = {PageSize::k4K};
    if (level == 1) sizes.push_back(PageSize::k4K);
    for (PageSize size : sizes)
      for (std::size_t i = 0; i < shadow_.size(); ++i) {
        const auto& spec = shadow_[i].spec();
        if (spec.level == level && (spec.side == side || spec.side == Side::both) && shadow_[i].holds(size) &&
            (owner_[i] < 0 || owner_[i] == int(thread)))
          return {int(i),
                  Held{thread, t.mapping.global ? 0 : t.identity, t.mapping.global, size, vpn >> pages_shift(size), t}};
      }
    return {-1, {}};
  }
  bool holds(int array, const Held& held) const {
    bool found = false;
    if (array >= 0) shadow_[std::size_t(array)].for_each([&](const Held& e) { found |= e.same_place(held); });
    return found;
  }
  int level_of(Side side, Vpn vpn, std::uint32_t thread, const Translation& t) const {
    for (int level : {1, 2}) {
      const auto [array, held] = home_of(side, level, vpn, thread, t);
      if (holds(array, held)) return level;
    }
    return 0;
  }
  void refer_to(Side side, Vpn vpn, std::uint32_t thread, const Translation& t) {
    const int level = level_of(side, vpn, thread, t);
    const auto [first, first_held] = home_of(side, 1, vpn, thread, t);
    const auto [second, second_held] = home_of(side, 2, vpn, thread, t);
    if (level == 1) return shadow_[std::size_t(first)].used(first_held);
    if (level == 2) shadow_[std::size_t(second)].used(second_held);
    if (level == 0 && second >= 0) shadow_[std::size_t(second)].insert(second_held);
    if (first >= 0) shadow_[std::size_t(first)].insert(first_held);
  }

  DrawnMachine machine_;
  std::vector<OracleArray> shadow_;
  std::vector<int> owner_;
  std::map<Name, std::vector<Event>> history_;
};

}  // namespace tollgate::hw::test
