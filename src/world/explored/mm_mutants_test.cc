// Single-step mutants of the x86 TLB protocols: each must break an invariant.
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "world/explored/explorer.h"
#include "world/explored/mm_model.h"
#include "world/explored/test_scale.h"

namespace tollgate::explored {
namespace {

using Kind = MmAction::Kind;
using SwitchLabel = kernel::SwitchMm::Label;
using HandlerLabel = kernel::FlushHandler::Label;
using FlushLabel = kernel::Shootdown<SmallCpuSet>::Label;

MmCpu& at(MmState& state, const MmAction& action) { return state.cpus[action.cpu]; }
bool switches(MmState& state, const MmAction& action, SwitchLabel label) {
  return action.kind == Kind::step && at(state, action).doing == Doing::switching &&
         at(state, action).switching.label == label;
}
bool handles(MmState& state, const MmAction& action, HandlerLabel label) {
  return action.kind == Kind::handle && at(state, action).handler.label == label;
}
bool flushes(MmState& state, const MmAction& action, FlushLabel label) {
  return action.kind == Kind::step && at(state, action).doing == Doing::flushing &&
         at(state, action).flushing.label == label;
}

struct MmMutant {
  const char* name;
  void (*after)(MmState& before, MmState& after, const MmAction& action);
};

const MmMutant kMutants[] = {
    {"a switch does not join the mask",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (switches(before, action, SwitchLabel::join_new)) after.mms = before.mms;
     }},
    {"a switch reads the generation before it joins the mask",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (switches(before, action, SwitchLabel::join_new)) after.mms = before.mms;
       if (switches(before, action, SwitchLabel::load_root))
         after.mms[at(before, action).switching.next.value].mask.add(action.cpu);
     }},
    {"a stale slot is loaded without a flush",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (switches(before, action, SwitchLabel::load_root)) at(after, action).cached = at(before, action).cached;
     }},
    {"the generation is not bumped",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (flushes(before, action, FlushLabel::bump_gen)) after.mms = before.mms;
     }},
    {"the mask is read as empty",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (!flushes(before, action, FlushLabel::read_mask)) return;
       at(after, action).flushing.targets = {};
       at(after, action).flushing.label = FlushLabel::local;
     }},
    {"the own TLB is not flushed",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (flushes(before, action, FlushLabel::local)) at(after, action).cached = at(before, action).cached;
     }},
    {"a request is answered without a flush",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (handles(before, action, HandlerLabel::flush)) at(after, action).cached = at(before, action).cached;
     }},
    {"a request is acknowledged when it arrives",
     [](MmState&, MmState& after, const MmAction& action) {
       if (action.kind == Kind::take_request) after.cpus[action.choice].acknowledgements_due.remove(action.cpu);
     }},
    {"a request is served and not acknowledged",
     [](MmState& before, MmState& after, const MmAction& action) {
       const std::uint8_t sender = at(before, action).handling;
       if (action.kind == Kind::handle && at(after, action).handling == 0)
         after.cpus[sender - 1u].acknowledgements_due.add(action.cpu);
     }},
    {"the sender does not wait",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (flushes(before, action, FlushLabel::send)) at(after, action).acknowledgements_due = {};
     }},
    {"every request is served page by page, and catches up with the newest generation",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (!handles(before, action, HandlerLabel::flush)) return;
       const MmCpu& cpu = at(before, action);
       at(after, action).cached = cpu.cached;
       for (auto& half : at(after, action).cached[cpu.tlb.loaded_slot]) half[cpu.handler.request.first] = {};
     }},
    {"a handler publishes a generation newer than what it flushed to",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (handles(before, action, HandlerLabel::publish))
         ++at(after, action).tlb.slots[at(after, action).tlb.loaded_slot].tlb_gen;
     }},
    {"a lazy CPU leaves the mask and keeps the mm",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (action.kind != Kind::take_request || !at(before, action).tlb.is_lazy) return;
       after.mms[at(after, action).tlb.loaded_mm.value].mask.remove(action.cpu);
       auto& slot = at(after, action).tlb.slots[at(after, action).tlb.loaded_slot];
       slot.tlb_gen = at(after, action).handler.request.new_tlb_gen;
     }},
};

const MmMutant kPtiMutants[] = {
    {"the exit keeps a user PCID whose flush is pending",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (action.kind == Kind::step && at(before, action).doing == Doing::exiting)
         at(after, action).cached = at(before, action).cached;
     }},
    {"a flush of the kernel PCID does not ask for the user PCID's",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (handles(before, action, HandlerLabel::flush) || flushes(before, action, FlushLabel::local))
         at(after, action).tlb.user_flush_mask = at(before, action).tlb.user_flush_mask;
     }},
    {"a switch to a stale slot does not ask for the user PCID's flush",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (switches(before, action, SwitchLabel::load_root))
         at(after, action).tlb.user_flush_mask = at(before, action).tlb.user_flush_mask;
     }},
    {"a page's flush spares the user PCID",
     [](MmState& before, MmState& after, const MmAction& action) {
       if (!handles(before, action, HandlerLabel::flush) && !flushes(before, action, FlushLabel::local)) return;
       for (std::size_t slot = 0; slot < kernel::kDynamicSlots; ++slot)
         at(after, action).cached[slot][1] = at(before, action).cached[slot][1];
     }},
};

void expect_killed(const MmMutant& mutant, kernel::Pti pti) {
  MmSetting setting;
  setting.edits = 2;
  setting.policy.pti = pti;
  const MmModel model(setting, {mutant.after});
  const Outcome outcome = *Explorer<MmModel>(model, {}).run();
  EXPECT_EQ(outcome.verdict, Verdict::violated) << mutant.name;
  std::printf("  %-75s %s in %zu steps\n", mutant.name, outcome.invariant.c_str(), outcome.schedule.size());
  std::fflush(stdout);
}

TEST(MmMutants, OfSwitchAndShootdownAreAllKilled) {
  for (const MmMutant& mutant : kMutants) expect_killed(mutant, kernel::Pti::off);
}

// Not a mutant to kill: a CPU that is lazy gets every IPI and leaves the mm, so nothing is left to compare. The comparison is
// for kernels whose senders skip lazy CPUs (from 4.20 on).
TEST(Mm, TheComparisonAfterLazinessIsRedundantWhileLazyCpusGetTheIpi) {
  MmSetting setting;
  setting.edits = kLargeExplorations ? 2 : 1;
  const MmHooks hooks{[](MmState& before, MmState& after, const MmAction& action) {
    if (switches(before, action, SwitchLabel::compare) && at(after, action).switching.label == SwitchLabel::recheck_gen)
      at(after, action).switching.label = SwitchLabel::done;
  }};
  const MmModel model(setting, hooks);
  EXPECT_EQ((*Explorer<MmModel>(model, {}).run()).verdict, Verdict::holds);
}

TEST(MmMutants, OfTheDeferredUserFlushAreAllKilled) {
  for (const MmMutant& mutant : kPtiMutants) expect_killed(mutant, kernel::Pti::on);
}

TEST(Mm, SwitchAndShootdownAreSafe) {
  for (const auto mode : {kernel::ShootdownMode::serial, kernel::ShootdownMode::concurrent}) {
    MmSetting setting;
    setting.edits = kLargeExplorations ? 2 : 1;
    setting.policy.shootdown = mode;
    const MmModel model(setting);
    EXPECT_EQ((*Explorer<MmModel>(model, {}).run()).verdict, Verdict::holds);
  }
}

TEST(Mm, EveryStateReadsBackAsItself) {
  MmSetting setting;
  setting.edits = 1;
  const MmModel model(setting);
  Explorer<MmModel> explorer(model, {});
  ASSERT_EQ((*explorer.run()).verdict, Verdict::holds);
  std::vector<std::uint8_t> first(model.state_bytes()), second(model.state_bytes());
  explorer.for_each_state([&](const MmState& state) {
    model.encode(state, first);
    model.encode(model.decode(first), second);
    ASSERT_EQ(first, second);
  });
}

}  // namespace
}  // namespace tollgate::explored
