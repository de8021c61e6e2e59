// The simulator held to the slowest simulator that is obviously right: one list a set, one reference at a time.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <list>
#include <map>
#include <set>

#include "simulate/simulator.h"
#include "trace/test_references.h"

namespace tollgate::simulate {
namespace {

using trace::Kind;
using trace::Mode;
using trace::Record;

/// A set-associative LRU array of keys: for each set a list, the most recent first.
class SlowArray {
 public:
  explicit SlowArray(Geometry geometry) : geometry_(geometry), sets_(std::size_t(geometry.sets())) {}

  bool refer(std::uint64_t page, const std::string& key) {
    auto& set = sets_[(page & kPageMask) % sets_.size()];  // sets are chosen by the 45 bits that 57-bit addresses have
    const bool hit = std::erase_if(set, [&](const Entry& entry) { return entry.key == key; }) > 0;
    set.push_front({page, key});
    if (set.size() > std::size_t(geometry_.ways_of_set())) set.pop_back();
    return hit;
  }
  template <typename Goes>
  std::set<std::string> remove(Goes goes) {
    std::set<std::string> removed;
    for (auto& set : sets_)
      std::erase_if(
          set, [&](const Entry& entry) { return goes(entry.page, entry.key) && removed.insert(entry.key).second; });
    return removed;
  }

 private:
  struct Entry {
    std::uint64_t page;
    std::string key;
  };
  Geometry geometry_;
  std::vector<std::list<Entry>> sets_;
};

constexpr std::uint64_t kKernel = std::uint64_t{1} << 51;

/// One stream of records of 4K pages through two levels of LRU arrays, as the words say.
class SlowSimulator {
 public:
  SlowSimulator(const Geometries& geometries, Tags tags, Globals globals)
      : tags_(tags), globals_(globals), l1_{SlowArray(geometries.l1d), SlowArray(geometries.l1i)}, l2_(geometries.l2) {}

  void take(const Record& record) {
    if (record.kind == Kind::mm_switch) return switch_to(record.page, record.value != 0);
    if (record.kind == Kind::flush) return flush(record.page, record.value);
    if (record.is_event()) return;
    const std::size_t side = record.kind == Kind::fetch;
    Counts& counts = counts_[side + (record.mode == Mode::kernel ? 2 : 0)];
    counts.lookups += std::max<std::uint64_t>(1, std::uint64_t{record.instructions} + record.reads + record.writes);
    const std::string key = key_of(record.page, space_);
    if (l1_[side].refer(record.page, key)) return;
    ++counts.l1_misses;
    if (!l2_.refer(record.page, key)) ++counts.walks;
  }
  const SideCounts& counts() const { return counts_; }

 private:
  bool global(std::uint64_t page) const { return globals_ == Globals::kernel && page >= kKernel; }
  std::string key_of(std::uint64_t page, std::uint64_t space) const {
    return std::to_string(page) + (tags_ == Tags::pcid && !global(page) ? "/" + std::to_string(space) : "");
  }
  template <typename Goes>
  void remove(Goes goes) {
    for (SlowArray& array : l1_) array.remove(goes);
    l2_.remove(goes);
  }
  void switch_to(std::uint64_t space, bool kept) {
    space_ = space;
    remove([&](std::uint64_t page, const std::string& key) {
      if (global(page)) return false;
      return tags_ == Tags::none || (!kept && key == key_of(page, space));
    });
  }
  void flush(std::uint64_t first, std::uint64_t pages) {
    remove([&](std::uint64_t page, const std::string& key) {
      return pages == 0 || (page >= first && page < first + pages && key == key_of(page, space_));
    });
  }

  Tags tags_;
  Globals globals_;
  std::uint64_t space_ = ~std::uint64_t{0};
  std::array<SlowArray, 2> l1_;
  SlowArray l2_;
  SideCounts counts_{};
};

/// Runs over a few dozen pages of both halves, with switches and flushes between.
rc::Gen<std::vector<Record>> runs_and_events() {
  const auto one = rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(0, 100), rc::gen::inRange<std::uint64_t>(0, 40), rc::gen::inRange(0, 4)),
      [](const auto& drawn) {
        const auto [what, page, more] = drawn;
        if (what < 2) return Record{.page = page % 3, .value = std::uint64_t(more > 0), .kind = Kind::mm_switch};
        if (what < 3) return Record{.kind = Kind::flush};
        if (what < 6) return Record{.page = page, .value = page % 5 == 0 ? 70u : 1u + page % 4, .kind = Kind::flush};
        const std::uint64_t at = more == 0 ? kKernel + page : page;
        const Mode mode = more == 0 ? Mode::kernel : Mode::user;
        if (what < 50)
          return Record{.page = at, .instructions = std::uint32_t(more), .kind = Kind::fetch, .mode = mode};
        return Record{.page = at, .reads = 1, .writes = std::uint32_t(more), .kind = Kind::data, .mode = mode};
      });
  return rc::gen::scale(20.0, rc::gen::container<std::vector<Record>>(one));
}

SideCounts without_causes(SideCounts counts) {
  for (Counts& each : counts) {
    each.l1_causes = each.walk_causes = {};
    each.walk_cache_hits = {};
    each.table_fetches = 0;
  }
  return counts;
}

const std::vector<Geometries> kGeometries = {
    {{8, 2}, {4, 1}, {12, 3}}, {{6, 2}, {6, 0}, {20, 4}}, {{4, 4}, {16, 8}, {16, 16}}, {{16, 1}, {12, 12}, {24, 3}}};

RC_GTEST_PROP(Simulator, CountsAsThePlainSimulatorDoesForSeveralSetupsInOnePass, ()) {
  auto records = *runs_and_events();
  // Batches whose references all go to one array take a way of their own.
  if (*rc::gen::arbitrary<bool>()) std::erase_if(records, [](const Record& each) { return each.kind == Kind::fetch; });
  const auto instructions = *rc::gen::element(Instructions::plain, Instructions::avx2, Instructions::avx512);
  RC_PRE(instructions <= widest_instructions());
  std::vector<Setup> setups;
  std::vector<SlowSimulator> slow;
  for (const Geometries& geometries : kGeometries)
    for (const Tags tags : {Tags::none, Tags::pcid})
      for (const Globals globals : {Globals::none, Globals::kernel}) {
        setups.push_back(*geometry_setup(geometries, hw::Replacement::lru));
        setups.back().tags = tags;
        setups.back().globals = globals;
        setups.back().instructions = instructions;
        slow.emplace_back(geometries, tags, globals);
      }
  Simulator simulator(setups, PageSizes::all(hw::PageSize::k4K));
  RC_ASSERT(simulator.take(records).has_value());
  for (SlowSimulator& each : slow)
    for (const Record& record : records) each.take(record);
  const auto results = simulator.results();
  RC_PRE(!results.empty());
  for (std::size_t i = 0; i < slow.size(); ++i) {
    RC_ASSERT(without_causes(results[0].counts[i]) == slow[i].counts());
    for (const Counts& counts : results[0].counts[i]) {
      RC_ASSERT(counts.l1_causes.total() == counts.l1_misses);
      RC_ASSERT(counts.walk_causes.total() == counts.walks);
    }
  }
}

RC_GTEST_PROP(Simulator, ACurveIsWhatEachSizeCountsByItself, ()) {
  const auto records = *runs_and_events();
  const auto tags = *rc::gen::element(Tags::none, Tags::pcid);
  Setup setup = *geometry_setup({{8, 2}, {8, 2}, {12, 3}}, hw::Replacement::lru);
  setup.tags = tags;
  Simulator simulator({setup}, PageSizes::all(hw::PageSize::k4K),
                      {{Curve::Level::l1d, 4, 6}, {Curve::Level::l1i, 4, 6}, {Curve::Level::l2, 4, 8}});
  RC_ASSERT(simulator.take(records).has_value());
  const auto results = simulator.results();
  RC_PRE(!results.empty());
  for (const Curve& curve : results[0].curves)
    for (int ways = 1; ways <= curve.ways(); ++ways) {
      Geometries geometries{{8, 2}, {8, 2}, {12, 3}};
      Geometry& varied = curve.level() == Curve::Level::l1d   ? geometries.l1d
                         : curve.level() == Curve::Level::l1i ? geometries.l1i
                                                              : geometries.l2;
      varied = {4 * ways, ways};
      SlowSimulator slow(geometries, tags, Globals::none);
      for (const Record& record : records) slow.take(record);
      for (const Mode mode : {Mode::user, Mode::kernel}) {
        const std::size_t at = mode == Mode::kernel ? 2 : 0;
        const Counts& data = slow.counts()[at];
        const Counts& fetch = slow.counts()[at + 1];
        const std::uint64_t expected = curve.level() == Curve::Level::l1d   ? data.l1_misses
                                       : curve.level() == Curve::Level::l1i ? fetch.l1_misses
                                                                            : data.walks + fetch.walks;
        RC_ASSERT(curve.misses(mode, ways) == expected);
      }
    }
}

}  // namespace
}  // namespace tollgate::simulate
