#include "trace/run_collapser.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "trace/test_references.h"

namespace tollgate::trace {
namespace {

std::vector<Record> collapsed(const std::vector<Reference>& references) {
  RunCollapser runs(0);
  std::vector<Record> out;
  const auto emit = [&](const Record& record) { out.push_back(record); };
  for (const Reference& reference : references) {
    if (reference.fetch)
      runs.fetch(reference.page, reference.count, reference.mode, emit);
    else
      runs.data(reference.page, reference.count, reference.writes, reference.mode, emit);
  }
  runs.end_runs(emit);
  return out;
}

enum class Order { recency, arrival };

/// A fully associative TLB level kept as a list: slow and obviously right.
class ToyTlb {
 public:
  ToyTlb(std::size_t entries, Order order) : entries_(entries), order_(order) {}

  /// Whether `page` was there; it is afterwards.
  bool access(std::uint64_t page) {
    const auto found = std::ranges::find(pages_, page);
    const bool hit = found != pages_.end();
    if (hit && order_ == Order::arrival) return true;
    if (hit) pages_.erase(found);
    pages_.push_back(page);
    if (pages_.size() > entries_) pages_.erase(pages_.begin());
    return hit;
  }

 private:
  std::size_t entries_;
  Order order_;
  std::vector<std::uint64_t> pages_;
};

/// Two first levels and a unified second one; remembers every miss of each, in order.
struct ToyMachine {
  explicit ToyMachine(Order order) : fetch(2, order), data(2, order), second(4, order) {}

  void access(bool is_fetch, std::uint64_t page) {
    if ((is_fetch ? fetch : data).access(page)) return;
    misses.push_back(page << 2 | std::uint64_t{is_fetch} << 1 | std::uint64_t{second.access(page)});
  }

  ToyTlb fetch, data, second;
  std::vector<std::uint64_t> misses;
};

RC_GTEST_PROP(RunCollapser, CollapsingChangesNoMissOfASplitTlb, ()) {
  const auto references = *references_on_few_pages();
  for (Order order : {Order::recency, Order::arrival}) {
    ToyMachine single(order), runs(order);
    for (const Reference& reference : references) single.access(reference.fetch, reference.page);
    for (const Record& record : collapsed(references)) runs.access(record.kind == Kind::fetch, record.page);
    RC_ASSERT(single.misses == runs.misses);
  }
}

RC_GTEST_PROP(RunCollapser, CollapsingLosesNoReference, ()) {
  const auto references = *references_on_few_pages();
  std::uint64_t before = 0, after = 0;
  for (const Reference& reference : references) before += reference.count + reference.writes;
  for (const Record& record : collapsed(references))
    after += std::uint64_t{record.instructions} + record.reads + record.writes;
  RC_ASSERT(before == after);
}

TEST(RunCollapser, AFetchRunComesBeforeTheDataRunsOfItsInstructions) {
  const auto records =
      collapsed({fetch(1), read(7), fetch(1), read(7), write(8), fetch(1), read(7), fetch(2), read(7)});
  ASSERT_EQ(records.size(), 6u);
  EXPECT_EQ(records[0], (Record{.page = 1, .instructions = 3, .kind = Kind::fetch}));
  EXPECT_EQ(records[1], (Record{.page = 7, .reads = 2, .kind = Kind::data}));
  EXPECT_EQ(records[2], (Record{.page = 8, .writes = 1, .kind = Kind::data}));
  EXPECT_EQ(records[3], (Record{.page = 7, .reads = 1, .kind = Kind::data}));
  EXPECT_EQ(records[4], (Record{.page = 2, .instructions = 1, .kind = Kind::fetch}));
  EXPECT_EQ(records[5], (Record{.page = 7, .reads = 1, .kind = Kind::data}));
}

TEST(RunCollapser, ModesDoNotMixOnOnePage) {
  const auto records = collapsed({fetch(1), fetch(1, Mode::kernel), read(3), read(3, Mode::kernel)});
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[1].mode, Mode::kernel);
  EXPECT_EQ(records[2].mode, Mode::user);
  EXPECT_EQ(records[3].mode, Mode::kernel);
}

TEST(RunCollapser, RunsStayWithinTheirBounds) {
  RunCollapser runs(0);
  std::vector<Record> out;
  const auto emit = [&](const Record& record) { out.push_back(record); };
  runs.fetch(1, 3 * RunCollapser::kMaxInstructions + 5, Mode::user, emit);
  for (std::uint64_t page = 0; page < 2 * RunCollapser::kMaxDataRuns + 1; ++page)
    runs.data(page, 1, 0, Mode::user, emit);
  runs.data(9, std::uint64_t{5} << 32, 0, Mode::user, emit);
  runs.end_runs(emit);
  std::uint64_t instructions = 0, reads = 0;
  std::size_t data_in_a_row = 0;
  for (const Record& record : out) {
    instructions += record.instructions;
    reads += record.reads;
    EXPECT_LE(record.instructions, RunCollapser::kMaxInstructions);
    data_in_a_row = record.kind == Kind::data ? data_in_a_row + 1 : 0;
  }
  EXPECT_EQ(instructions, 3 * RunCollapser::kMaxInstructions + 5);
  EXPECT_EQ(reads, 2 * RunCollapser::kMaxDataRuns + 1 + (std::uint64_t{5} << 32));
  EXPECT_GT(data_in_a_row, 0u);
}

TEST(RunCollapser, ADataRunWithoutAccessesDoesNotExist) {
  RunCollapser runs(0);
  std::size_t emitted = 0;
  const auto emit = [&](const Record&) { ++emitted; };
  runs.data(1, 0, 0, Mode::user, emit);
  runs.end_runs(emit);
  EXPECT_EQ(emitted, 0u);
}

}  // namespace
}  // namespace tollgate::trace
