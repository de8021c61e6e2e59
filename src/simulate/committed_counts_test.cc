// Counts that were made once by another simulator, of the recordings that are in the tree: tests/data/tlb-counts.txt says
// with what, and each line with which geometry.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "simulate/simulator.h"
#include "trace/records.h"

namespace tollgate::simulate {
namespace {

struct Line {
  std::string trace, l1d, l1i, l2;
  std::uint64_t l1i_misses = 0, l1d_misses = 0, l2_misses = 0;
};

std::vector<Line> committed() {
  std::ifstream file(TOLLGATE_SOURCE_DIR "/tests/data/tlb-counts.txt");
  std::vector<Line> lines;
  for (std::string text; std::getline(file, text);) {
    if (text.empty() || text.front() == '#') continue;
    std::istringstream words(text);
    Line& line = lines.emplace_back();
    words >> line.trace >> line.l1d >> line.l1i >> line.l2 >> line.l1i_misses >> line.l1d_misses >> line.l2_misses;
    EXPECT_FALSE(words.fail()) << text;
  }
  return lines;
}

TEST(CommittedCounts, AreWhatTheSimulatorCounts) {
  const auto lines = committed();
  ASSERT_GE(lines.size(), 8u);
  for (const Line& line : lines) {
    const Geometries geometries{*parse_geometry(line.l1d, "l1d"), *parse_geometry(line.l1i, "l1i"),
                                *parse_geometry(line.l2, "l2")};
    Simulator simulator({*geometry_setup(geometries, hw::Replacement::lru)}, PageSizes::all(hw::PageSize::k4K));
    const auto read =
        trace::read_records(TOLLGATE_SOURCE_DIR "/workloads/recordings/" + line.trace,
                            [&](std::span<const trace::Record> records) { return simulator.take(records); });
    ASSERT_TRUE(read) << read.error().text();
    const SideCounts counts = simulator.results().at(0).counts.at(0);
    EXPECT_EQ(counts[kFetchBit].l1_misses, line.l1i_misses) << line.trace << ' ' << line.l1i;
    EXPECT_EQ(counts[0].l1_misses, line.l1d_misses) << line.trace << ' ' << line.l1d;
    EXPECT_EQ(counts[0].walks + counts[kFetchBit].walks, line.l2_misses) << line.trace << ' ' << line.l2;
  }
}

}  // namespace
}  // namespace tollgate::simulate
