#include "kernel/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tollgate::kernel {
namespace {

using ::testing::HasSubstr;

std::string error_of(std::string_view key, std::string_view value) {
  Policy policy;
  const Result<void> result = set_policy(policy, key, value);
  EXPECT_EQ(policy, Policy{}) << "a refused setting changes nothing";
  return result ? "no error" : result.error().text();
}

std::string error_of(const Result<Policy>& result) { return result ? "no error" : result.error().text(); }

hw::Features everything() { return {.pcid = true, .invpcid = true, .global_pages = true, .broadcast_flush = true}; }

TEST(Policy, EveryChoiceOfTheCatalogueSetsWhatItNames) {
  for (const PolicyInfo& info : policy_catalogue()) {
    EXPECT_FALSE(info.era.empty()) << info.key << " says which kernels it models";
    for (const PolicyChoice& choice : info.choices) {
      Policy policy;
      ASSERT_TRUE(set_policy(policy, info.key, choice.value)) << info.key;
      EXPECT_THAT(" " + describe(policy) + " ",
                  HasSubstr(" " + std::string(info.key) + "=" + std::string(choice.value) + " "));
    }
  }
}

TEST(Policy, ChoicesReadAsWritten) {
  Policy policy;
  ASSERT_TRUE(set_policy(policy, "pti", "on"));
  ASSERT_TRUE(set_policy(policy, "global_pages", "entry-text"));
  ASSERT_TRUE(set_policy(policy, "pcid", "off"));
  ASSERT_TRUE(set_policy(policy, "shootdown", "concurrent"));
  ASSERT_TRUE(set_policy(policy, "flush_ceiling", "0"));
  EXPECT_EQ(policy, (Policy{Pti::on, GlobalSet::entry_text, PcidUse::off, ShootdownMode::concurrent, 0}));
  EXPECT_EQ(describe(policy),
            "pti=on global_pages=entry-text pcid=off shootdown=concurrent flush_ceiling=0 vmid=merged");
}

TEST(Policy, TheDefaultIsTheKernelsOwnWithoutPti) {
  EXPECT_EQ(describe(Policy{}), "pti=off global_pages=all pcid=on shootdown=serial flush_ceiling=33 vmid=merged");
}

TEST(Policy, AnUnknownKeyOrValueComesWithASuggestion) {
  EXPECT_EQ(error_of("global_page", "none"), "unknown policy 'global_page' (did you mean 'global_pages'?)");
  EXPECT_EQ(error_of("global_pages", "entri"), "policy 'global_pages' has no value 'entri' (did you mean 'entry'?)");
  EXPECT_EQ(error_of("pti", "maybe"), "policy 'pti' has no value 'maybe' (known: off, on)");
  EXPECT_THAT(error_of("colour", "red"), HasSubstr("unknown policy 'colour' (known: pti, global_pages, pcid"));
  EXPECT_THAT(error_of("", ""), HasSubstr("unknown policy ''"));
}

TEST(Policy, AVmidAllocatorDecidesWhatItsNameSays) {
  using Out = TagPolicy::ScheduleOut;
  const auto schedule_out = [](const char* name) {
    Policy policy;
    EXPECT_TRUE(set_policy(policy, "vmid", name));
    return vmid_policy(policy.vmid).schedule_out;
  };
  EXPECT_EQ(schedule_out("v3-noclear"), Out::keep);
  EXPECT_EQ(schedule_out("v3-clear"), Out::clear);
  EXPECT_EQ(schedule_out("merged"), Out::mark_invalid);
  EXPECT_EQ(error_of("vmid", "v3"), "policy 'vmid' has no value 'v3' (known: v5.14, v3-noclear, v3-clear, merged)");
}

TEST(Policy, TheCeilingIsAWholeNumber) {
  for (const char* value : {"", "-1", "3.5", "33 ", "0x21", "99999999999", "many"})
    EXPECT_EQ(error_of("flush_ceiling", value),
              std::string("policy 'flush_ceiling' wants a whole number from 0 to 1048576, not '") + value + "'");
}

TEST(Policy, OnAMachineThatHasEverythingNothingChanges) {
  const Policy policy{Pti::on, GlobalSet::entry, PcidUse::on, ShootdownMode::broadcast, 33};
  EXPECT_EQ(*settle_policy(policy, everything()), policy);
}

TEST(Policy, WithoutPcidsOrGlobalPagesThePolicyDoesWithout) {
  hw::Features features = everything();
  features.pcid = false;
  EXPECT_EQ(settle_policy(Policy{}, features)->pcid, PcidUse::off);
  features.global_pages = false;
  EXPECT_EQ(settle_policy(Policy{}, features)->global_pages, GlobalSet::none);
}

TEST(Policy, ABroadcastNeedsAMachineThatCan) {
  Policy policy;
  policy.shootdown = ShootdownMode::broadcast;
  hw::Features features = everything();
  features.broadcast_flush = false;
  EXPECT_THAT(error_of(settle_policy(policy, features)), HasSubstr("features.broadcast_flush"));
}

TEST(Policy, PtiWithEveryKernelPageGlobalIsRefused) {
  Policy policy;
  policy.pti = Pti::on;
  EXPECT_THAT(error_of(settle_policy(policy, everything())), HasSubstr("choose none, entry or entry-text"));
}

}  // namespace
}  // namespace tollgate::kernel
