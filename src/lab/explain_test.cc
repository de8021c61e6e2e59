#include "lab/explain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/validate.h"

namespace tollgate::lab {
namespace {

using evidence::Event;
using hw::FigureId;

const DataFinder kFind = [](const std::string& kind, const std::string& name) -> Result<std::string> {
  return std::string(TOLLGATE_SOURCE_DIR) + "/" + kind + "/" + name + ".toml";
};

QuestionRequest short_lseek() {
  return {"pti-global-lseek", {}, {}, {"run.warm_us=20", "run.measure_us=40", "workload.cpus=1"}};
}

evidence::VariantResult counted(Event event, double per_operation) {
  evidence::VariantResult variant;
  variant.name = "v";
  variant.events[static_cast<std::size_t>(Event::operations)] = 10;
  variant.events[static_cast<std::size_t>(event)] = 10 * per_operation;
  return variant;
}

TEST(Explain, AFigureHasTheLeverageOfItsRangeTimesTheDifferenceInCounts) {
  const hw::Machine machine = *hw::load_machine(*kFind("machines", "skylake-desktop"));
  const auto rows = rank_figures(machine, counted(Event::cr3_writes, 0), counted(Event::cr3_writes, 2), 10);
  ASSERT_EQ(rows.size(), 1u);
  const config::Figure& write = machine.figure(FigureId::cr3_write);
  EXPECT_EQ(rows[0].figure, "cr3.write");
  EXPECT_DOUBLE_EQ(rows[0].leverage, 2 * (write.high - write.low));
}

TEST(Explain, FiguresThatBothVariantsPayAlikeHaveNoLeverage) {
  const hw::Machine machine = *hw::load_machine(*kFind("machines", "skylake-desktop"));
  EXPECT_TRUE(rank_figures(machine, counted(Event::cr3_writes, 2), counted(Event::cr3_writes, 2), 10).empty());
}

TEST(Explain, TheMostLeverageComesFirstAndTheListIsCut) {
  const hw::Machine machine = *hw::load_machine(*kFind("machines", "skylake-desktop"));
  evidence::VariantResult variant = counted(Event::ipis, 1);
  variant.events[static_cast<std::size_t>(Event::cr3_writes)] = 100;
  const auto rows = rank_figures(machine, counted(Event::ipis, 0), variant, 2);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_GE(std::abs(rows[0].leverage), std::abs(rows[1].leverage));
}

TEST(Explain, TheLseekAnswerStepsWhereItsLargePagesNoLongerFitTheInstructionSide) {
  const QuestionRequest request = short_lseek();
  const Question question = *load_question(request, kFind, nullptr);
  CompareOptions options;
  options.samples = 8;
  const auto explanation = explain(request, question, kFind, options, {});
  ASSERT_TRUE(explanation) << explanation.error().text();
  const auto step = [&](const std::string& value) {
    for (const auto& row : explanation->layout)
      if (row.value == value) return row.median_percent;
    return std::nan("");
  };
  // Entry text stands twice, once a PCID: 6 + 2 fill the 8 entries, 7 + 2 do not, and 7 + 1 do again once it is global.
  EXPECT_LT(std::abs(step("6")), 0.5);
  EXPECT_GT(step("7"), 1.0);
  ASSERT_FALSE(explanation->sensitivity.empty());
  for (const auto& row : explanation->sensitivity) EXPECT_TRUE(row.delta_percent_low && row.delta_percent_high);
}

TEST(Validate, RowsAreJudgedByTheirQuestionAndUnmodelledRowsAreKept) {
  evidence::PublishedRow lseek;
  lseek.id = "lseek";
  lseek.question = "pti-global-lseek";
  lseek.variant = "entry";
  lseek.metric = "ops_per_s";
  lseek.delta_percent = 1.71;
  lseek.use = evidence::PublishedUse::validate;
  evidence::PublishedRow other;
  other.id = "other";
  other.use = evidence::PublishedUse::validate;
  CompareOptions options;
  options.samples = 2;
  const auto rows = validate({lseek, other}, kFind, options);
  ASSERT_TRUE(rows) << rows.error().text();
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_TRUE((*rows)[0].predicted_percent.has_value());
  EXPECT_EQ((*rows)[1].verdict, evidence::Verdict::not_modelled);
}

TEST(Validate, ARowOfAQuestionThatDoesNotExistIsAnError) {
  evidence::PublishedRow row;
  row.question = "no-such-question";
  EXPECT_FALSE(validate({row}, kFind, {}));
}

}  // namespace
}  // namespace tollgate::lab
