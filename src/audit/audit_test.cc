// Findings on small texts, and on the four whole mails: every defect that is in them, and nothing else called wrong.
#include "audit/audit.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "audit/message_stream.h"

namespace tollgate::audit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::vector<std::string> of(const Audited& audited, Severity severity) {
  std::vector<std::string> found;
  for (const Finding& finding : audited.findings)
    if (finding.severity == severity)
      found.push_back(fmt::format("{} {} {}", finding.line, finding.kind, finding.printed));
  return found;
}
std::vector<std::string> wrong(std::string_view text) { return of(audit_text("t", text), Severity::wrong); }

Audited mail(const std::string& file) {
  std::ifstream in(std::string(TOLLGATE_SOURCE_DIR) + "/tests/audit-corpus/seeds/" + file);
  std::stringstream bytes;
  bytes << in.rdbuf();
  Audited audited;
  EXPECT_TRUE(read_messages(bytes.str(), file, [&](Message message) { audited = audit_lines(file, message.lines); }));
  return audited;
}

TEST(Audit, TheSlipThatWouldExplainAFigureIsNamed) {
  const auto slip_of = [](std::string_view text) {
    for (const Finding& finding : audit_text("t", text).findings)
      if (finding.severity == Severity::wrong) return finding.slip;
    return std::string();
  };
  EXPECT_EQ(slip_of("before: 1000.0\nafter: 1123.4 (+21.34%)\n"), "two digits swapped: +12.34% would fit");
  EXPECT_EQ(slip_of("| x | before | after | change |\n| a | 1000.0 | 1123.4 | +2.34% |\n"),
            "a digit lost: +12.34% would fit");
  EXPECT_EQ(slip_of("before: 1000.0\nafter: 1123.4 (+17.34%)\n"), "one digit wrong: +12.34% would fit");
  EXPECT_EQ(slip_of("before: 8120.4\nafter: 8377.9 (+13.17%)\n"), "a digit too many: +3.17% would fit");
}

TEST(Audit, ARelationThatIsBrokenGivesTheFigureThatWouldKeepIt) {
  const auto message_of = [](const std::string& row) {
    const std::string head = "            base     series   ratio\nfault   81203311   70112034   0.863\n";
    const auto audited =
        audit_text("t", head + "major      20311       8120   0.400\n" + row + "split       9120       3011   0.330\n");
    return audited.findings.empty() ? "" : audited.findings.front().message;
  };
  EXPECT_EQ(message_of("alloc      41023      80211   1.955\n"), "");
  EXPECT_EQ(message_of("alloc      41023      80211   1.855\n"),
            "1.855 breaks 'base' x 'ratio' = 'series', which 3 other rows keep and which here gives 1.955");
}

TEST(Audit, AFlattenedMailWithBoxesHasOneWrongFigureAndAnotherOrientation) {
  const Audited audited = mail("seed0-asi.txt");
  EXPECT_THAT(of(audited, Severity::wrong), ElementsAre("1 unreachable -14.2%"));
  EXPECT_THAT(of(audited, Severity::doubtful), IsEmpty());
  EXPECT_THAT(of(audited, Severity::reporting), ElementsAre("1 base-orientation -14.2%"));
  EXPECT_EQ(audited.figures.size(), 4u);
}

TEST(Audit, BlocksComparedByNameHaveACutFigureAWrongOneAndAPastedBlock) {
  const Audited audited = mail("seed1-vmid.txt");
  EXPECT_THAT(of(audited, Severity::wrong),
              ElementsAre("55 truncated 4.8%", "65 unreachable 2.42%", "92 duplicate-block ", "99 unreachable 1.05%",
                          "100 unreachable 2.06%"));
  EXPECT_THAT(of(audited, Severity::reporting), ElementsAre("55 missing-spread "));
  EXPECT_EQ(audited.figures.size(), 8u);
}

TEST(Audit, TwoLinesAndTheirDifferenceHaveACutFigureAndNoSignificance) {
  const Audited audited = mail("seed2-pti-global.txt");
  EXPECT_THAT(of(audited, Severity::wrong), ElementsAre("62 truncated +1.71%"));
  EXPECT_THAT(of(audited, Severity::reporting),
              UnorderedElementsAre("52 not-significant -0.64%", "52 missing-samples ", "62 missing-spread "));
}

TEST(Audit, TablesOfOneRowHaveACutFigure) {
  const Audited audited = mail("seed3-vmalloc-kasan.txt");
  EXPECT_THAT(of(audited, Severity::wrong), ElementsAre("51 truncated 97%"));
  EXPECT_THAT(of(audited, Severity::doubtful), IsEmpty());
  EXPECT_THAT(of(audited, Severity::reporting), ElementsAre("51 missing-spread "));
  EXPECT_EQ(audited.figures.size(), 3u);
}

TEST(Audit, MinimumAboveMeanIsOutOfOrder) {
  EXPECT_THAT(
      wrong("| v | mean | min | max |\n|---|---|---|---|\n| a | 10.5 | 10.9 | 11.2 |\n| b | 10.5 | 10.1 | 11.2 |\n"),
      ElementsAre("3 order 10.9"));
  EXPECT_THAT(wrong("min    4.4   5.6\nmean   4.1   5.7\nmax    9.0   9.9\n"), ElementsAre("1 order 4.4"));
}

TEST(Audit, ATotalThatIsNotTheSumIsWrongWhereAnotherColumnAddsUp) {
  EXPECT_THAT(wrong("       before  after\nanon   120     100\nfile   300     250\ntotal  420     360\n"),
              ElementsAre("4 total 360"));
  // Without a column that adds up it may be another kind of total.
  EXPECT_THAT(wrong("       before  after\nanon   120     100\nfile   300     250\ntotal  500     460\n"), IsEmpty());
}

TEST(Audit, ADirectionWordAgainstTheFiguresIsWrong) {
  EXPECT_THAT(wrong("Latency: 9.75 ms -> 12.04 ms (23% lower)\n"), ElementsAre("1 wrong-direction 23%"));
  EXPECT_THAT(wrong("Latency: 9.75 ms -> 6.04 ms (38% lower)\n"), IsEmpty());
}

TEST(Audit, ASignAgainstThatOfTheOtherRowsIsWrongUnlessTheyMeasureAnotherKindOfThing) {
  const std::string table =
      "| case | before | after | change |\n|---|---|---|---|\n| a | 100 | 110 | +10% |\n| b | 100 | 120 | +20% |\n| c "
      "| 100 | 130 | +30% |\n";
  EXPECT_THAT(wrong(table + "| d | 100 | 140 | -40% |\n"), ElementsAre("6 wrong-sign -40%"));
  EXPECT_THAT(wrong("| case | before | after | gain |\n|---|---|---|---|\n| x throughput | 100 | 110 | +10% |\n| y "
                    "throughput | 100 | "
                    "120 | +20% |\n| z throughput | 100 | 130 | +30% |\n| latency | 100 | 60 | +40% |\n"),
              IsEmpty());
}

TEST(Audit, APrintedDifferenceIsChecked) {
  EXPECT_THAT(wrong("| case | old | new | delta |\n|---|---|---|---|\n| a | 27.50 | 25.45 | -2.50 ( -7.5%) |\n"),
              ElementsAre("3 difference -2.50"));
}

TEST(Audit, FiguresThatProseSetsSideBySideAreNotGuessedAt) {
  EXPECT_THAT(
      wrong("We ran 12 guests on 48 CPUs at 75% load and saw 3 stalls.\nAbout 20% of 400 runs failed in 2019.\n"),
      IsEmpty());
}

}  // namespace
}  // namespace tollgate::audit
