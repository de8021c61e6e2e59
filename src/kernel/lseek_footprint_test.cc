// One lseek of 4.16 against what was recorded of one on Debian 6.1 with PTI, in steady state: 415 instructions and 2 CR3
// writes a call; 12 4K pages of kernel text in 4 large pages and the entry text's; the task's stack, 6 objects in 4 large pages
// of the direct map, 3 per-CPU pages in one, 1 page of rodata, 2 pages of cpu_entry_area. The trampoline page is 4.16's own:
// 6.1 has none.
#include <gtest/gtest.h>

#include <set>

#include "kernel/layout.h"
#include "kernel/test_support/eras.h"

namespace tollgate::kernel {
namespace {

constexpr int kRecordedInstructions = 415;
constexpr int kUserInstructions = 20;  // will-it-scale's loop around the call, as workloads/lseek1.toml has it

/// Entry, path and exit of one call, in order, laid out in one draw.
Path whole_call(const Era& era, const KernelMap& map, std::uint64_t draw) {
  const PathSpec& spec = era.paths.at("lseek");
  Path call = era.sequence("syscall.pti");
  const Path path = lay_out(spec, era, map, spec.instructions.typical, RandomStream::named(draw, "path.lseek"),
                            RandomStream::named(draw, "objects"));
  call.insert(call.end(), path.begin(), path.end());
  const Path& exit = era.sequence("sysret.pti");
  call.insert(call.end(), exit.begin(), exit.end());
  return call;
}

class LseekFootprint : public ::testing::Test {
 protected:
  LseekFootprint()
      : era(testing::linux_4_16()),
        map(era, {Pti::on, GlobalSet::none, PcidUse::on, ShootdownMode::serial, 33}, 4,
            RandomStream::named(1, "kernel image")),
        call(whole_call(era, map, 1)) {}

  std::set<hw::Vpn> pages(Place place, bool fetched) const {
    std::set<hw::Vpn> out;
    for (const PathStep& step : call)
      if (is_reference(step) && step.place == place && (step.op == PathStep::Op::fetch) == fetched)
        out.insert(step.offset);
    return out;
  }
  static bool is_reference(const PathStep& step) { return step.op <= PathStep::Op::write; }
  static std::size_t large(const std::set<hw::Vpn>& pages) {
    std::set<hw::Vpn> out;
    for (hw::Vpn page : pages) out.insert(page / 512);
    return out.size();
  }

  Era era;
  KernelMap map;
  Path call;
};

TEST_F(LseekFootprint, RunsAboutAsManyInstructionsAsWereRecorded) {
  int instructions = kUserInstructions;
  for (const PathStep& step : call) instructions += int(step.instructions);
  EXPECT_NEAR(instructions, kRecordedInstructions, 0.05 * kRecordedInstructions);
}

TEST_F(LseekFootprint, WritesCr3TwiceACall) {
  int kernel = 0, user = 0;
  for (const PathStep& step : call) {
    kernel += step.op == PathStep::Op::load_kernel_root;
    user += step.op == PathStep::Op::load_user_root;
  }
  EXPECT_EQ(kernel, 1);
  EXPECT_EQ(user, 1);
}

TEST_F(LseekFootprint, FetchesTwelvePagesOfTextInFourLargePagesAndTheEntryText) {
  EXPECT_EQ(pages(Place::absolute, true).size(), 12u);
  EXPECT_EQ(large(pages(Place::absolute, true)), 4u);
  EXPECT_EQ(pages(Place::entry_text, true).size(), 1u);
  EXPECT_EQ(pages(Place::trampoline, true).size(), 1u);
}

TEST_F(LseekFootprint, TouchesTheDataThatWasRecorded) {
  std::set<hw::Vpn> objects, rodata;
  for (hw::Vpn page : pages(Place::absolute, false)) (page >= map.rodata_first() ? rodata : objects).insert(page);
  EXPECT_EQ(objects.size(), 6u);
  EXPECT_EQ(large(objects), 4u);
  EXPECT_EQ(rodata.size(), 1u);
  EXPECT_EQ(pages(Place::task_stack, false).size(), 1u);
  EXPECT_EQ(pages(Place::tss, false).size() + pages(Place::entry_stack, false).size(), 2u);
}

// Entry and exit read the first per-CPU page, and the path drew three of its own: four in all.
TEST_F(LseekFootprint, TheEntrysPerCpuPageCameOnTopOfThePaths) { EXPECT_EQ(pages(Place::percpu, false).size(), 3u); }

}  // namespace
}  // namespace tollgate::kernel
