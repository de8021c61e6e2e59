// Per-CPU ASIDs of vCPUs: verdicts, single-step mutants, and what the canonical form rests on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "world/explored/canonical_form.h"
#include "world/explored/run_model.h"
#include "world/explored/vcpu_model.h"

namespace tollgate::explored {
namespace {

using Kind = VcpuAction::Kind;
using Label = kernel::SvmAsidUpdate::Label;

Outcome explored(const VcpuModel& model) { return *Explorer<VcpuModel>(model, {}).run(); }

struct VcpuMutant {
  const char* name;
  const char* killed_by;
  void (*after)(const VcpuState& before, VcpuState& after, const VcpuAction& action);
};

bool steps(const VcpuState& before, const VcpuAction& action, Label label) {
  return action.kind == Kind::step && before.cpus[action.cpu].update.label == label;
}
kernel::SvmVcpu& loaded(VcpuState& state, const VcpuAction& action) { return state.vcpus[state.cpus[action.cpu].vcpu]; }

const VcpuMutant kMutants[] = {
    {"a vCPU does not note where it runs", "UniqueASIDPerCPU",
     [](const VcpuState& before, VcpuState& after, const VcpuAction& action) {
       if (!steps(before, action, Label::notice_move)) return;
       after.vcpus = before.vcpus;
     }},
    {"a vCPU keeps its ASID when it moves", "UniqueASIDPerCPU",
     [](const VcpuState& before, VcpuState& after, const VcpuAction& action) {
       if (!steps(before, action, Label::notice_move)) return;
       loaded(after, action).tag = before.vcpus[before.cpus[action.cpu].vcpu].tag;
     }},
    {"generations are not compared", "RunningIsCurrent",
     [](const VcpuState& before, VcpuState& after, const VcpuAction& action) {
       if (!steps(before, action, Label::compare) || loaded(after, action).tag == kernel::kNoTag) return;
       after.cpus[action.cpu].update = {};
       after.cpus[action.cpu].phase = Phase::ready;
     }},
    {"nobody looks whether there are ASIDs left", "WithinWidth",
     [](const VcpuState& before, VcpuState& after, const VcpuAction& action) {
       if (!steps(before, action, Label::choose)) return;
       auto& cpu = after.cpus[action.cpu];
       if (cpu.asids.generation > kernel::kFirstGeneration) cpu.update.label = Label::take;
     }},
    {"the generation stays", "UniqueASIDPerCPU",
     [](const VcpuState& before, VcpuState& after, const VcpuAction& action) {
       if (steps(before, action, Label::new_generation))
         after.cpus[action.cpu].asids.generation = before.cpus[action.cpu].asids.generation;
     }},
    {"a generation starts from the host's ASID", "InvalidNeverAllocated",
     [](const VcpuState& before, VcpuState& after, const VcpuAction& action) {
       if (steps(before, action, Label::new_generation)) after.cpus[action.cpu].asids.next = 0;
     }},
    {"a generation starts without a flush", "UniqueASIDPerCPU",
     [](const VcpuState& before, VcpuState& after, const VcpuAction& action) {
       if (steps(before, action, Label::new_generation)) loaded(after, action).flush_at_entry = false;
     }},
    {"an ASID is handed out twice", "UniqueASIDPerCPU",
     [](const VcpuState& before, VcpuState& after, const VcpuAction& action) {
       if (steps(before, action, Label::take)) after.cpus[action.cpu].asids.next = before.cpus[action.cpu].asids.next;
     }},
};

VcpuSetting bounded(std::uint32_t generations) {
  VcpuSetting setting;
  setting.vcpus = 3;
  setting.asids = 2;
  setting.most_generations = generations;
  return setting;
}

TEST(VcpuMutants, EachBreaksTheInvariantThatIsAboutIt) {
  for (const VcpuMutant& mutant : kMutants) {
    const Outcome outcome = explored(VcpuModel(bounded(4), {mutant.after}));
    EXPECT_EQ(outcome.verdict, Verdict::violated) << mutant.name;
    EXPECT_EQ(outcome.invariant, mutant.killed_by) << mutant.name;
  }
}

TEST(VcpuMutants, BreakTheSameInvariantsByTransactions) {
  const ExploreOptions all{.at_violation = ExploreOptions::AtViolation::go_on};
  for (const VcpuMutant& mutant : kMutants) {
    const VcpuModel model(bounded(3), {mutant.after});
    const ReducedModel<VcpuModel> reduced(model);
    const Outcome outcome = *Explorer<ReducedModel<VcpuModel>>(reduced, all).run();
    EXPECT_TRUE(reduced.sound());
    EXPECT_EQ(outcome.all_violated, (*Explorer<VcpuModel>(model, all).run()).all_violated) << mutant.name;
  }
}

TEST(Vcpus, TransactionsHoldWhereSingleStepsDo) {
  const VcpuModel model(bounded(0));
  const auto reduced = *explore_reduced(model, {}, "");
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->verdict, Verdict::holds);
  EXPECT_LT(reduced->states, explored(model).states);
}

TEST(Vcpus, EveryStateDoesWhatTheStateOfItsFormDoes) {
  for (const std::uint32_t generations : {0u, 3u})
    EXPECT_EQ(states_unlike_their_form(VcpuModel(bounded(generations))), 0u) << generations;
  VcpuSetting turning = bounded(0);
  turning.turn_back = TagSetting::TurnBack::possible;
  EXPECT_EQ(states_unlike_their_form(VcpuModel(turning)), 0u);
}

TEST(Vcpus, RenamedGenerationsReachExactlyTheStatesThatNumberedOnesDo) {
  const VcpuModel renamed(bounded(0));
  const VcpuModel numbered(bounded(5));
  Explorer<VcpuModel> explorer(numbered, {});
  ASSERT_EQ((*explorer.run()).verdict, Verdict::holds);
  std::set<std::string> seen;
  explorer.for_each_state([&](const VcpuState& state) { seen.insert(form_of(renamed, state)); });
  EXPECT_EQ(seen.size(), explored(renamed).states);
}

TEST(Vcpus, AVcpuIsLoadedByOneCpuAtATime) {
  VcpuSetting setting = bounded(0);
  setting.vcpus = 1;
  const VcpuModel model(setting);
  Explorer<VcpuModel> explorer(model, {});
  ASSERT_EQ((*explorer.run()).verdict, Verdict::holds);
  explorer.for_each_state(
      [](const VcpuState& state) { ASSERT_FALSE(state.cpus[0].vcpu == 0 && state.cpus[1].vcpu == 0); });
}

}  // namespace
}  // namespace tollgate::explored
