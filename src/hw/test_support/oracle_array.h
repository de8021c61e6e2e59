// OracleArray: one TLB array in the most direct way. A set is a row of ways; an explicit list of ways says who is least
// recently used (or who came first); tree-PLRU is a tree. Slow on purpose: its worth is that it is obviously right.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "hw/machine.h"
#include "hw/translation.h"

namespace tollgate::hw::test {

/// A translation as an array holds it: for `page` in units of `held_as`, by one hardware thread, in one PCID or global.
struct Held {
  std::uint32_t thread = 0;
  std::uint32_t pcid = 0;  // 0 when global
  bool global = false;
  PageSize held_as = PageSize::k4K;
  Vpn page = 0;
  Translation translation{};

  bool same_place(const Held& other) const {
    return thread == other.thread && pcid == other.pcid && global == other.global && held_as == other.held_as &&
           page == other.page;
  }
};

/// Which half of every split of the ways was used longer ago, as a binary tree of splits.
class OracleTree {
 public:
  explicit OracleTree(int ways) : ways_(ways) {}
  void used(int way) {
    for (auto [low, high] = std::pair(0, ways_); high - low > 1;) {
      const int middle = (low + high) / 2;
      victim_is_above_[{low, high}] = way < middle;
      (way < middle ? high : low) = middle;
    }
  }
  int victim() const {
    auto [low, high] = std::pair(0, ways_);
    while (high - low > 1) {
      const auto split = victim_is_above_.find({low, high});
      const bool above = split != victim_is_above_.end() && split->second;
      const int middle = (low + high) / 2;
      (above ? low : high) = middle;
    }
    return low;
  }

 private:
  int ways_;
  std::map<std::pair<int, int>, bool> victim_is_above_;
};

class OracleArray {
 public:
  explicit OracleArray(const DrawnMachine::Array& spec) : spec_(spec), sets_(std::size_t(spec.sets), Set(spec.ways)) {}

  const DrawnMachine::Array& spec() const { return spec_; }
  bool holds(PageSize size) const { return spec_.holds[std::size_t(size)]; }

  /// Small sizes first, and a thread's own entry before a global one.
  const Held* find(std::uint32_t thread, std::uint32_t pcid, Vpn vpn) const {
    for (PageSize size : {PageSize::k4K, PageSize::k2M, PageSize::k1G})
      for (bool global : {false, true}) {
        const Held wanted{thread, global ? 0 : pcid, global, size, vpn >> pages_shift(size)};
        if (const int way = way_of(wanted); holds(size) && way >= 0) return &*set_of(wanted).ways[std::size_t(way)];
      }
    return nullptr;
  }
  void used(const Held& entry) {
    if (spec_.replacement != Replacement::fifo) move_to_back(set_of(entry), way_of(entry));
  }
  void insert(const Held& entry) {
    Set& set = set_of(entry);
    const int present = way_of(entry);
    const int way = present >= 0 ? present : place_for_new(set);
    set.ways[std::size_t(way)] = entry;
    if (present < 0 || spec_.replacement != Replacement::fifo) move_to_back(set, way);
  }
  template <typename Predicate>
  void remove_if(Predicate predicate) {
    for (Set& set : sets_)
      for (auto& way : set.ways)
        if (way && predicate(*way)) way.reset();
  }
  template <typename Visitor>
  void for_each(Visitor visit) const {
    for (const Set& set : sets_)
      for (const auto& way : set.ways)
        if (way) visit(*way);
  }

 private:
  struct Set {
    explicit Set(int count) : ways(std::size_t(count)), tree(count) {
      for (int way = 0; way < count; ++way) order.push_back(way);
    }
    std::vector<std::optional<Held>> ways;
    std::vector<int> order;  // lru: least recently used first; fifo: first filled first
    OracleTree tree;
  };

  Set& set_of(const Held& entry) { return sets_[entry.page % std::uint64_t(spec_.sets)]; }
  const Set& set_of(const Held& entry) const { return sets_[entry.page % std::uint64_t(spec_.sets)]; }
  int way_of(const Held& entry) const {
    const auto& ways = set_of(entry).ways;
    const auto at =
        std::find_if(ways.begin(), ways.end(), [&](const auto& way) { return way && way->same_place(entry); });
    return at == ways.end() ? -1 : static_cast<int>(at - ways.begin());
  }
  int place_for_new(const Set& set) const {
    const auto free = std::find(set.ways.begin(), set.ways.end(), std::nullopt);
    if (free != set.ways.end()) return static_cast<int>(free - set.ways.begin());
    return spec_.replacement == Replacement::plru ? set.tree.victim() : set.order.front();
  }
  static void move_to_back(Set& set, int way) {
    std::erase(set.order, way);
    set.order.push_back(way);
    set.tree.used(way);
  }

  DrawnMachine::Array spec_;
  std::vector<Set> sets_;
};

}  // namespace tollgate::hw::test
