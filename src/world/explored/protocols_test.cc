// What the exploration says of every protocol in the catalogue: the verdicts the documentation states.
#include "world/explored/protocols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "world/explored/test_scale.h"

namespace tollgate::explored {
namespace {

using ::testing::HasSubstr;

CheckReport checked(const CheckRequest& request) {
  auto report = check(request);
  EXPECT_TRUE(report) << report.error().text();
  return report ? *report : CheckReport{};
}

std::string schedule_text(const CheckReport& report) {
  std::string text;
  for (const std::string& line : report.outcome.schedule) text += line + "\n";
  return text + report.outcome.invariant + ": " + report.outcome.reason + "\n";
}

/// TOLLGATE_UPDATE_GOLDEN=1 rewrites the files: read what changed before committing it.
void expect_golden(const CheckReport& report, const std::string& name) {
  const std::string path = std::string(TOLLGATE_SOURCE_DIR) + "/src/world/explored/testdata/" + name + ".txt";
  if (std::getenv("TOLLGATE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << schedule_text(report);
  std::ifstream file(path);
  std::stringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(schedule_text(report), golden.str()) << path;
}

/// Every variant of the tag allocators that is not wrong on purpose.
void expect_safe(CheckRequest request) {
  for (const ProtocolInfo& protocol : protocols())
    for (const VariantInfo& variant : protocol.variants) {
      if (variant.known == VariantInfo::Known::bad) continue;
      if (protocol.name != "vmid" && protocol.name != "asid") continue;
      request.protocol = protocol.name;
      request.variant = variant.name;
      const CheckReport report = checked(request);
      EXPECT_EQ(report.outcome.verdict, Verdict::holds) << protocol.name << " " << variant.name << "\n"
                                                        << schedule_text(report);
      EXPECT_EQ(report.outcome.stride, Stride::transaction) << protocol.name << " " << variant.name;
    }
}

TEST(Protocols, EveryGoodTagVariantIsSafeWithFillsInTheGuestOnly) { expect_safe({}); }

TEST(Protocols, EveryGoodTagVariantIsSafeOnThreeCpus) {
  if (!kLargeExplorations) GTEST_SKIP() << "for a build without sanitizers";
  CheckRequest request;
  request.cpus = 3;
  request.contexts = 5;
  request.usable_ids = 4;
  expect_safe(request);
}

TEST(Protocols, TheAsidAllocatorIsSafeEvenWhenTheBaseRegisterMayBeWalkedAtAnyTime) {
  EXPECT_EQ(checked({.protocol = "asid", .speculation = Speculation::vttbr}).outcome.verdict, Verdict::holds);
}

TEST(Protocols, AsidsOfEachCpuAreSafe) {
  const CheckReport report = checked({.protocol = "svm-asid"});
  EXPECT_EQ(report.outcome.verdict, Verdict::holds);
  EXPECT_EQ(report.outcome.stride, Stride::transaction);
}

TEST(Protocols, StateCountsStayWhatTheyWere) {
  EXPECT_EQ(checked({.protocol = "svm-asid", .stride = Stride::step}).outcome.states, 104056u);
  EXPECT_EQ(checked({.protocol = "vmid", .variant = "v5.14", .stride = Stride::step}).outcome.states, 45951u);
}

TEST(Protocols, EveryVmidVariantFailsWhenTheBaseRegisterMayBeWalkedAfterTheExit) {
  for (const char* variant : {"v5.14", "v3-noclear", "v3-clear", "merged"}) {
    const CheckReport report = checked({.protocol = "vmid", .variant = variant, .speculation = Speculation::vttbr});
    EXPECT_EQ(report.outcome.verdict, Verdict::violated);
    EXPECT_EQ(report.outcome.invariant, "UniqueVMIDPerCPU");
    expect_golden(report, std::string("vmid-") + variant + "-vttbr");
  }
}

TEST(Protocols, ThreeCpusWithTwoBitsRunOutOfIdsInBothOldVariants) {
  for (const char* variant : {"v3-noclear", "v3-clear"}) {
    if (!kLargeExplorations && std::string(variant) == "v3-clear") continue;
    const CheckReport report = checked({.protocol = "vmid", .variant = variant, .cpus = 3, .too_few = TooFew::allow});
    EXPECT_EQ(report.outcome.verdict, Verdict::violated);
    EXPECT_EQ(report.outcome.invariant, "EnoughFree");
    expect_golden(report, std::string("vmid-") + variant + "-too-few");
  }
}

TEST(Protocols, TheKnownBadVariantsAreCaught) {
  const CheckReport exchange = checked({.protocol = "asid", .variant = "unconditional-exchange"});
  EXPECT_EQ(exchange.outcome.verdict, Verdict::violated);
  expect_golden(exchange, "asid-unconditional-exchange");
  const CheckReport wrapping = checked({.protocol = "monotonic"});
  EXPECT_EQ(wrapping.outcome.verdict, Verdict::violated);
  expect_golden(wrapping, "monotonic-wrapping");
  for (const char* variant : {"keeps-asid", "turns-back"}) {
    const CheckReport report = checked({.protocol = "svm-asid", .variant = variant});
    EXPECT_EQ(report.outcome.verdict, Verdict::violated);
    EXPECT_EQ(report.outcome.invariant, "UniqueASIDPerCPU");
    expect_golden(report, std::string("svm-asid-") + variant);
  }
}

TEST(Protocols, IdsThatDoNotOutnumberTheCpusAreRefusedWithTheReason) {
  const auto report = check({.protocol = "vmid", .cpus = 3, .usable_ids = 3});
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("3 usable IDs for 3 CPUs"));
}

TEST(Protocols, AWidthBeyondTheContextsIsExploredWithAsManyAsMatter) {
  const CheckReport wide = checked({.protocol = "vmid", .variant = "v3-noclear", .contexts = 2, .usable_ids = 65535});
  const CheckReport narrow = checked({.protocol = "vmid", .variant = "v3-noclear", .contexts = 2, .usable_ids = 3});
  EXPECT_EQ(wide.outcome.verdict, Verdict::holds);
  EXPECT_EQ(wide.outcome.states, narrow.outcome.states);
}

TEST(Protocols, AnIdForEveryContextNeverRollsOverAndTheVerdictSaysSo) {
  const auto says_so = [](std::uint32_t contexts) {
    for (const std::string& note : checked({.protocol = "vmid", .contexts = contexts, .usable_ids = 3}).notes)
      if (note.find("no rollover can come") != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(says_so(2));
  EXPECT_TRUE(says_so(3));
  EXPECT_FALSE(says_so(4));
}

TEST(Protocols, UnknownNamesGetASuggestion) {
  EXPECT_THAT(check({.protocol = "vmdi"}).error().message, HasSubstr("did you mean 'vmid'"));
  EXPECT_THAT(check({.protocol = "vmid", .variant = "mergd"}).error().message, HasSubstr("did you mean 'merged'"));
}

TEST(Protocols, RandomWalksFindTheWrapAndFindNothingInTheGoodAllocator) {
  const RandomWalks walks{200, 300, 1};
  EXPECT_EQ(checked({.protocol = "monotonic", .random = walks}).outcome.verdict, Verdict::violated);
  EXPECT_EQ(checked({.protocol = "vmid", .cpus = 4, .contexts = 12, .usable_ids = 7, .random = walks}).outcome.verdict,
            Verdict::undecided);
}

}  // namespace
}  // namespace tollgate::explored
