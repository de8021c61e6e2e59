// Joining steps into transactions changes how many states there are, and nothing else: the verdicts, and the invariants that can
// fail, are those of single steps. (The mutants' tests ask the same of every mutant.)
#include <gtest/gtest.h>

#include "world/explored/canonical_form.h"
#include "world/explored/mutant_world.h"
#include "world/explored/run_model.h"
#include "world/explored/tag_model.h"
#include "world/explored/test_scale.h"

namespace tollgate::explored {
namespace {

using kernel::TagPolicy;
using Bitmap = kernel::BitmapUpdate<SmallCpuSet>;
using AtViolation = ExploreOptions::AtViolation;

template <typename M>
Outcome everything(const M& model) {
  return *Explorer<M>(model, {.at_violation = AtViolation::go_on}).run();
}

template <typename Protocol>
void expect_the_same(TagSetting setting, const std::string& name) {
  const TagModel<Protocol> model(setting);
  const ReducedModel<TagModel<Protocol>> reduced(model);
  const Outcome steps = everything(model);
  const Outcome transactions = everything(reduced);
  EXPECT_TRUE(reduced.sound()) << name;
  EXPECT_EQ(steps.verdict, transactions.verdict) << name;
  EXPECT_EQ(steps.all_violated, transactions.all_violated) << name;
  EXPECT_LT(transactions.states, steps.states) << name;
  setting.behaviour = Behaviour::wider;
  const TagModel<Protocol> wider(setting);
  const ReducedModel<TagModel<Protocol>> reduced_wider(wider);
  const Outcome more = everything(reduced_wider);
  EXPECT_TRUE(steps.all_violated.empty() || !more.all_violated.empty()) << name;
}

std::vector<std::pair<std::string, TagPolicy>> bitmap_policies() {
  using Out = TagPolicy::ScheduleOut;
  using Flush = TagPolicy::Flush;
  using Fast = TagPolicy::FastPath;
  return {{"keep", {}},
          {"clear", {.schedule_out = Out::clear}},
          {"invalid", {.schedule_out = Out::mark_invalid}},
          {"pending", {.flush = Flush::pending}},
          {"exchange", {.fast_path = Fast::unconditional_exchange, .flush = Flush::pending}},
          {"exchange, broadcast", {.fast_path = Fast::unconditional_exchange}}};
}

TEST(Reduction, FindsTheSameViolationsWithEnoughAndTooFewIds) {
  for (const Speculation speculation : {Speculation::guest, Speculation::vttbr})
    for (const auto& [name, policy] : bitmap_policies())
      if (kLargeExplorations || name == "invalid")
        expect_the_same<Bitmap>({.contexts = 3, .indices = 3, .speculation = speculation, .policy = policy}, name);
}

TEST(Reduction, FindsTheSameViolationsOfTheCounters) {
  for (const Speculation speculation : {Speculation::guest, Speculation::vttbr}) {
    expect_the_same<kernel::CounterUpdate>({.contexts = 3, .indices = 3, .speculation = speculation}, "counter");
    expect_the_same<kernel::WrappingUpdate>({.contexts = 3, .indices = 3, .speculation = speculation}, "wrapping");
  }
}

TEST(Reduction, ASearchThatIsNotFollowedByTheCursorIsNotTakenForAnySearch) {
  using Label = Bitmap::Label;
  using World = MutantWorld<Bitmap>;
  const World::Mutation skips{"the cursor skips an index", [](Label at) { return at == Label::choose; },
                              [](const World::Scene& scene) {
                                const kernel::Step step = scene.proceed();
                                if (scene.update().label == Label::store_tag) scene.state.cursor = 3;
                                return step;
                              }};
  World::mutation = &skips;
  TagSetting setting{.contexts = 3};
  using Skipping = TagModel<Bitmap, World>;
  EXPECT_TRUE(*explore_reduced(Skipping(setting), {}, ""));
  setting.behaviour = Behaviour::wider;
  EXPECT_FALSE(*explore_reduced(Skipping(setting), {}, ""));
  World::mutation = nullptr;
  EXPECT_TRUE(*explore_reduced(Skipping(setting), {}, ""));
}

TEST(TagForms, EveryStateDoesWhatTheStateOfItsFormDoes) {
  for (TagSetting setting :
       {TagSetting{.contexts = 2, .indices = 2}, TagSetting{.cpus = 1, .contexts = 3, .indices = 3}}) {
    EXPECT_EQ(states_unlike_their_form(TagModel<kernel::CounterUpdate>(setting)), 0u);
    EXPECT_EQ(states_unlike_their_form(TagModel<kernel::WrappingUpdate>(setting)), 0u);
    for (const auto& [name, policy] : bitmap_policies()) {
      setting.policy = policy;
      EXPECT_EQ(states_unlike_their_form(TagModel<Bitmap>(setting)), 0u) << name;
    }
  }
}

TEST(Reduction, FindsTheSameViolationsAcrossRollovers) {
  if (!kLargeExplorations) GTEST_SKIP() << "for a build without sanitizers";
  for (const auto& [name, policy] : bitmap_policies())
    if (name == "invalid" || name == "pending") expect_the_same<Bitmap>({.policy = policy}, name);
}

}  // namespace
}  // namespace tollgate::explored
