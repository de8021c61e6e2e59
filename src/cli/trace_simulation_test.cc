// What `trace simulate` prints: the JSON is held to its schema, and both forms to the counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/trace_simulation.h"
#include "report/test_support/schema_checker.h"

namespace tollgate::cli {
namespace {

using trace::Kind;
using trace::Mode;
using trace::Record;

/// Two streams, both modes, a switch, a flush and a sweep.
Simulation example(simulate::WhyMissed why) {
  Simulation simulation;
  simulation.path = "example.tgt";
  simulation.policy = "lru";
  simulation.page_sizes = "all memory in 4K pages";
  simulation.setups = {*simulate::geometry_setup({{4, 2}, {4, 2}, {8, 4}}, hw::Replacement::lru)};
  simulation.setups[0].why = why;
  simulation.shown = 1;
  simulation.sweeps = {{simulate::Curve::Level::l1d, 2, {1, 2, 3}, 0, {}}};
  simulate::Simulator simulator(simulation.setups, simulate::PageSizes::all(hw::PageSize::k4K),
                                {{simulate::Curve::Level::l1d, 2, 3}});
  const std::vector<Record> records{
      {.page = 1, .instructions = 5, .kind = Kind::fetch},
      {.page = 2, .reads = 3, .kind = Kind::data},
      {.page = 7, .value = 0, .kind = Kind::mm_switch},
      {.page = 2, .reads = 1, .kind = Kind::data},
      {.page = 2, .value = 1, .kind = Kind::flush},
      {.page = 2, .reads = 1, .kind = Kind::data},
      {.page = 0xfffff80000000, .instructions = 9, .stream = 1, .kind = Kind::fetch, .mode = Mode::kernel}};
  EXPECT_TRUE(simulator.take(records));
  simulation.streams = simulator.results();
  simulation.switches = simulator.switches();
  simulation.flushes = simulator.flushes();
  return simulation;
}

std::vector<std::string> faults_of(const std::string& json) {
  const report::test::Parsed schema(report::test::file_text("docs/schema/trace-simulation.schema.json"));
  const report::test::Parsed document(json);
  if (!schema.valid() || !document.valid()) return {"not JSON"};
  return report::test::SchemaChecker().check(document.root(), schema.root());
}

TEST(TraceSimulation, ItsJsonIsAsItsSchemaSays) {
  EXPECT_THAT(faults_of(trace_simulation_json(example(simulate::WhyMissed::count))), testing::IsEmpty());
  EXPECT_THAT(faults_of(trace_simulation_json(example(simulate::WhyMissed::skip))), testing::IsEmpty());
  std::string broken = trace_simulation_json(example(simulate::WhyMissed::count));
  broken.replace(broken.find("\"tags\": \"none\""), 14, "\"tags\": \"some\"");
  EXPECT_THAT(faults_of(broken), testing::ElementsAre("/setups/0/tags: not in the enumeration"));
}

TEST(TraceSimulation, TheTableSaysWhyReferencesMissed) {
  const std::string text = report::render_text(trace_simulation_document(example(simulate::WhyMissed::count)));
  // mode, level, lookups, hits, misses, %, cold, capacity, after mm switch, after flush
  EXPECT_THAT(text, testing::ContainsRegex("user +\\| L1 D  \\| +5 \\| +2 \\| +3 \\| +60 \\| +2 \\| +0 \\| +0 \\| +1"));
  EXPECT_THAT(text, testing::ContainsRegex("kernel +\\| L1 I  \\| +9 \\| +8 \\| +1"));
  EXPECT_THAT(text, testing::ContainsRegex("exact for[ \n]every size"));
}

}  // namespace
}  // namespace tollgate::cli
