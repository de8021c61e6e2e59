// Golden texts. The text form of every report is the worked example of docs/output.md: the page and the program are
// held to each other here.
#include "report/comparison_report.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/text.h"
#include "evidence/analysis.h"
#include "report/comparison_fixture.h"
#include "report/comparison_json.h"

namespace tollgate::report {
namespace {

/// The contents of every fenced block of `kind` in docs/output.md.
std::vector<std::string> blocks_of_the_page(const std::string& kind) {
  std::ifstream file(std::string(TOLLGATE_SOURCE_DIR) + "/docs/output.md");
  std::vector<std::string> blocks;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (inside && line == "```")
      inside = false;
    else if (inside)
      blocks.back() += line + "\n";
    else if (line == "```" + kind) {
      inside = true;
      blocks.emplace_back();
    }
  }
  return blocks;
}

TEST(ComparisonReport, TextIsTheExampleOfTheDocumentation) {
  ASSERT_EQ(blocks_of_the_page("text").size(), 6u);
  EXPECT_EQ(table_text(example_comparison()), blocks_of_the_page("text")[0]);
}

TEST(ComparisonReport, ExplanationHoldsTheExamplesOfTheDocumentation) {
  const std::string text = explanation_text(example_explanation());
  for (std::size_t block : {1u, 2u, 3u})
    EXPECT_NE(text.find(blocks_of_the_page("text")[block]), std::string::npos)
        << blocks_of_the_page("text")[block] << text;
}

TEST(ComparisonReport, ValidationIsTheExampleOfTheDocumentation) {
  EXPECT_EQ(validation_text(example_validation()), blocks_of_the_page("text")[4]);
}

TEST(ComparisonReport, TheLinesOfTheJsonExcerptOccurInThisOrder) {
  ASSERT_EQ(blocks_of_the_page("json").size(), 1u);
  const std::string json = comparison_json(example_comparison());
  std::size_t from = 0;
  int lines = 0;
  for (const auto& line : split(blocks_of_the_page("json")[0], '\n')) {
    const std::size_t found = json.find(line + "\n", from);
    ASSERT_NE(found, std::string::npos) << line;
    from = found;
    ++lines;
  }
  EXPECT_GT(lines, 20);
}

TEST(ComparisonReport, NoLineOfTheExampleIsWiderThanATerminal) {
  for (const auto& text : {table_text(example_comparison()), explanation_text(example_explanation()),
                           validation_text(example_validation())})
    for (const auto& line : split(text, '\n')) EXPECT_LE(line.size(), 110u) << line;
}

TEST(ComparisonReport, MarkdownHasTheSameContentAsTables) {
  EXPECT_EQ(table_markdown(example_comparison()),
            R"(## PTI: do global pages for the kernel's entry area pay in a loop of lseek?

question pti-global-lseek, machine skylake-desktop, workload lseek1, seed 1

### ops_per_s (1/s, higher is better)

| variant | samples | mean | min | max | delta mean | 90% interval |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| none | 20 | 15,380,000 | 15,000,000 | 15,760,000 | - | - |
| entry | 20 | 15,549,000 | 15,150,000 | 15,948,000 | +1.10 % | +1.01 to +1.18, +-0.0020 sim |
| entry-text | 20 | 15,380,000 | 15,000,000 | 15,760,000 | 0.00 % | 0.00 to 0.00, +-0.00 sim |

### walks_per_op (walks, lower is better)

| variant | mean | delta mean | 90% interval |
| --- | ---: | ---: | ---: |
| none | 2.0950 | - | - |
| entry | 1.3450 | -35.80 % | -37.32 to -34.40, +-0.0055 sim |
| entry-text | 2.0949 | -0.0033 % | -0.0035 to -0.0032, +-5.1e-07 sim |

### why: cycles by account, variant minus baseline, in % of the baseline's 1,031.5 cycles per operation

| account | entry | entry-text |
| --- | ---: | ---: |
| walk_capacity | -0.655 | -0.000485 |
| kernel_work | -0.436 | 0 |
| sum | -1.091 | -0.000485 |

### exposure of user mode: mapped / still cached in a TLB, mean over time

| memory | none | entry | entry-text |
| --- | ---: | ---: | ---: |
| own | 1M / 64K | 1M / 64K | 1M / 64K |
| kernel_text | 0 / 0 | 0 / 0 | 2M / 256K |
| entry_area | 160K / 20K | 160K / 20K | 160K / 20K |
| stale entries | 0 | 0 | 12 |
| stale us, mean / max | 0 / 0 | 0 / 0 | 1.5 / 9.25 |

### published results beside the prediction

| variant | metric | published | predicted | 90% interval | verdict | row |
| --- | --- | ---: | ---: | ---: | --- | --- |
| entry | ops_per_s | +1.71 % | +1.10 % | +1.01 to +1.18 | miss | first |
| entry-text | ops_per_s | +0.60 % | 0.00 % | 0.00 to 0.00 | miss | second |
| entry | ops_per_s | +0.30 % | +1.10 % | +1.01 to +1.18 | noise | third |

- first: an invented report; number of tasks not stated
- second: an invented report
- third: an invented report; within its own spread

### notes

- Every figure of this example is invented: it shows the form of an answer and says nothing about PTI.

digest 00112233445566778899aabbccddeeff
)");
}

TEST(ComparisonReport, FewDrawsAreMarkedAndVariantsThatDoNotDifferNeedNoWhy) {
  EXPECT_EQ(table_text(equal_comparison(3)), R"(nothing
question nothing, machine none, workload idle, seed 0

time_s (s, lower is better)
variant | samples | mean | min | max | delta mean |            90% interval*
a       |       3 |    2 |   2 |   2 |          - |                        -
b       |       3 |    2 |   2 |   2 |     0.00 % | 0.00 to 0.00, +-0.00 sim

notes
- * fewer than 20 draws of the machine's figures: intervals are Student's 90% prediction intervals
  for one more draw

digest 0
)");
}

TEST(ComparisonReport, OneDrawHasNoIntervalAndSaysSo) {
  const std::string text = table_text(equal_comparison(1));
  EXPECT_NE(text.find("|     0.00 % | -, +-0.00 sim\n"), std::string::npos) << text;
  EXPECT_NE(text.find("warnings\n- one draw of the machine's figures gives no interval"), std::string::npos) << text;
}

TEST(ComparisonReport, SmallAccountsAreGatheredSoThatTheSumStillHolds) {
  auto comparison = example_comparison();
  for (std::size_t account = 0; account < evidence::kAccounts; ++account)
    comparison.variants[1].ledger_per_operation[account] += double(account);
  const std::string text = table_text(comparison);
  EXPECT_NE(text.find("all other accounts"), std::string::npos) << text;
  EXPECT_NE(text.find("\nidle "), std::string::npos) << "the largest difference is shown by name\n" << text;
  // 0 + 1 + ... cycles, less the 11.25 of the example, over the baseline's 1,031.5.
  const double n = double(evidence::kAccounts);
  const double percent = 100 * (n * (n - 1) / 2 - 11.25) / 1031.5;
  EXPECT_NE(text.find(fmt::format("{:+.2f} |", percent)), std::string::npos) << text;
}

TEST(ComparisonReport, OfRealRunsIsTheLastExampleOfTheDocumentation) {
  ASSERT_EQ(blocks_of_the_page("text").size(), 6u);
  EXPECT_EQ(table_text(example_real_comparison()), blocks_of_the_page("text")[5]);
}

TEST(ComparisonReport, ANumberOfRunsThatIsNotKnownAndAUnitThatThereIsNoneAreNotMadeUp) {
  evidence::Measurement measurement;
  measurement.variants = {"a", "b"};
  for (const char* variant : {"a", "b"}) {
    evidence::Series& series = measurement.series.emplace_back();
    series.metric = {"v", "", evidence::Better::neither};
    series.variant = variant;
    series.summary.emplace().mean = 5;
  }
  const auto comparison = evidence::analyse(measurement);
  ASSERT_TRUE(comparison);
  const std::string text = table_text(*comparison);
  for (const char* part : {"\nv\n", " ? |", "only printed figures of 'a', without number of runs and spread"})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
}

TEST(ComparisonReport, AnEmptyComparisonIsShownWithoutATable) {
  EXPECT_EQ(table_text({}), "\nquestion , machine , workload , seed 0\n\ndigest\n");
}

TEST(ComparisonReport, AVariantWithoutTheMetricShowsDashes) {
  auto comparison = example_comparison();
  comparison.variants[1].metrics.clear();
  EXPECT_NE(table_text(comparison).find("entry      |       - |          - |"), std::string::npos)
      << table_text(comparison);
}

}  // namespace
}  // namespace tollgate::report
