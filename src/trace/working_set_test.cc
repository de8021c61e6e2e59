// The working-set curve against its definition: at every reference, the distinct pages of the last T.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "trace/test_references.h"
#include "trace/working_set.h"

namespace tollgate::trace {
namespace {

RC_GTEST_PROP(WorkingSet, IsTheMeanOfTheDistinctPagesInTheWindow, ()) {
  const auto references = *references_on_few_pages();
  WorkingSet set;
  std::vector<std::uint64_t> pages;
  for (const Reference& reference : references)
    for (int repeat = 0; repeat < 200; ++repeat) pages.push_back(reference.page);
  for (const Reference& reference : references) {
    const Record record{.page = reference.page, .reads = 200, .kind = Kind::data};
    set.take({&record, 1});
  }
  double sum = 0;
  for (std::size_t at = 0; at < pages.size(); ++at) {
    const std::size_t from = at + 1 < WorkingSet::kWindows[0] ? 0 : at + 1 - WorkingSet::kWindows[0];
    sum += static_cast<double>(
        std::set<std::uint64_t>(pages.begin() + std::ptrdiff_t(from), pages.begin() + std::ptrdiff_t(at) + 1).size());
  }
  RC_ASSERT(set.mean_pages(0) == (pages.empty() ? 0 : sum / static_cast<double>(pages.size())));
}

TEST(WorkingSet, TheFootprintIsCountedInEachPageSizeAndMode) {
  WorkingSet set;
  const std::vector<Record> records{{.page = 0, .reads = 1, .kind = Kind::data},
                                    {.page = 511, .reads = 1, .kind = Kind::data},
                                    {.page = 512, .reads = 1, .kind = Kind::data},
                                    {.page = 0xfffff80000000, .instructions = 1, .mode = Mode::kernel}};
  set.take(records);
  EXPECT_EQ(set.footprint(), (std::array<std::array<std::uint64_t, 3>, 2>{{{3, 2, 1}, {1, 1, 1}}}));
}

}  // namespace
}  // namespace tollgate::trace
