#include "lab/explain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/sensitivity.h"
#include "lab/test_support/shipped_data.h"
#include "lab/validate.h"

namespace tollgate::lab {
namespace {

using evidence::Event;
using hw::FigureId;

QuestionRequest short_lseek() {
  return {"pti-global-lseek", {}, {}, {"run.warm_us=20", "run.measure_us=40", "workload.cpus=1"}};
}

evidence::VariantResult counted(Event event, double per_operation, double cycles = 0) {
  evidence::VariantResult variant;
  variant.name = "v";
  variant.events[static_cast<std::size_t>(Event::operations)] = 10;
  variant.events[static_cast<std::size_t>(event)] = 10 * per_operation;
  variant.ledger[static_cast<std::size_t>(evidence::Account::kernel_work)] = 10 * cycles;
  return variant;
}

Question lseek() { return *load_question(short_lseek(), test::find_shipped, nullptr); }

/// The inputs that are paid by count.
std::vector<Input> counted_inputs(const std::vector<evidence::VariantResult>& variants, std::size_t most) {
  std::vector<Input> inputs = rank_inputs(lseek(), variants, most);
  std::erase_if(inputs, [](const Input& input) { return input.leverage.empty(); });
  return inputs;
}

TEST(Sensitivity, AFigureHasTheLeverageOfItsRangeTimesTheDifferenceInCounts) {
  const auto inputs = counted_inputs({counted(Event::cr3_writes, 0), counted(Event::cr3_writes, 2)}, 10);
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].name, "cr3.write");
  EXPECT_DOUBLE_EQ(inputs[0].leverage.at(0), 2 * (inputs[0].figure.high - inputs[0].figure.low));
}

TEST(Sensitivity, WhatVariantsOfOneCostPayAlikeHasNoEffect) {
  EXPECT_TRUE(counted_inputs({counted(Event::cr3_writes, 2, 100), counted(Event::cr3_writes, 2, 100)}, 10).empty());
}

TEST(Sensitivity, WhatBothPayAlikeStillMovesTheirRatioWhenTheyDifferElsewhere) {
  const auto inputs = counted_inputs({counted(Event::cr3_writes, 2, 100), counted(Event::cr3_writes, 2, 150)}, 10);
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].leverage.at(0), 0);
  EXPECT_DOUBLE_EQ(inputs[0].effect, (inputs[0].figure.high - inputs[0].figure.low) * 2 * 0.5);
}

TEST(Sensitivity, TheLargestEffectComesFirstAndTheListIsCut) {
  evidence::VariantResult variant = counted(Event::ipis, 1);
  variant.events[static_cast<std::size_t>(Event::cr3_writes)] = 100;
  const auto inputs = counted_inputs({counted(Event::ipis, 0), variant}, 2);
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_GE(inputs[0].effect, inputs[1].effect);
}

TEST(Sensitivity, PinningAnInputLeavesNoRangeAndMovesNoOtherDraw) {
  const Question question = lseek();
  for (const Input& input : rank_inputs(question, {counted(Event::ipis, 0), counted(Event::ipis, 1)}, 10)) {
    Question at = question;
    input.pin(at, input.figure.high);
    const auto before = hw::draw_machine(question.machine, 1, 0), after = hw::draw_machine(at.machine, 1, 0);
    int moved = 0;
    for (std::size_t i = 0; i < before.values.size(); ++i) moved += before.values[i] != after.values[i];
    if (input.name != "clock.reference") {
      EXPECT_LE(moved, 1) << input.name;
    }
    EXPECT_FALSE(rank_inputs(at, {counted(Event::ipis, 0), counted(Event::ipis, 1)}, 10).empty());
  }
}

TEST(Explain, TheLseekAnswerStepsWhereItsLargePagesNoLongerFitTheInstructionSide) {
  const QuestionRequest request = short_lseek();
  const Question question = *load_question(request, test::find_shipped, nullptr);
  CompareOptions options;
  options.samples = 8;
  const auto explanation = explain(request, question, test::find_shipped, options, {});
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
  const auto validation = validate({lseek, other}, test::find_shipped, options);
  ASSERT_TRUE(validation) << validation.error().text();
  ASSERT_EQ(validation->rows.size(), 2u);
  EXPECT_TRUE(validation->rows[0].predicted_percent.has_value());
  EXPECT_EQ(validation->rows[1].verdict, evidence::Verdict::not_modelled);
}

TEST(Validate, ARowOfAQuestionThatDoesNotExistIsAnError) {
  evidence::PublishedRow row;
  row.question = "no-such-question";
  EXPECT_FALSE(validate({row}, test::find_shipped, {}));
}

}  // namespace
}  // namespace tollgate::lab
