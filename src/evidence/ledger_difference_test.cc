#include "evidence/ledger_difference.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace tollgate::evidence {
namespace {

VariantResult with(std::initializer_list<std::pair<Account, double>> cycles, double operations) {
  VariantResult variant;
  for (auto [account, amount] : cycles) {
    variant.ledger[static_cast<std::size_t>(account)] = amount;
    if (operations > 0) variant.ledger_per_operation[static_cast<std::size_t>(account)] = amount / operations;
  }
  variant.events[static_cast<std::size_t>(Event::operations)] = operations;
  return variant;
}

TEST(LedgerDifference, IsPerOperationWhereBothVariantsCountThem) {
  // Both ran 1,000 cycles; the variant finished 25 operations instead of 20 because it walks less.
  const auto got = ledger_difference(with({{Account::user_work, 600}, {Account::walk_capacity, 400}}, 20),
                                     with({{Account::user_work, 750}, {Account::walk_capacity, 250}}, 25));
  EXPECT_TRUE(got.per_operation);
  EXPECT_EQ(got.baseline_total, 50);
  EXPECT_EQ(got.variant_total, 40);
  EXPECT_EQ(got.difference, -10);
  EXPECT_EQ(got.percent, -20);
  const auto rows = largest_first(got);
  ASSERT_EQ(rows.size(), 1u) << "user work per operation is the same";
  EXPECT_EQ(rows[0].account, Account::walk_capacity);
  EXPECT_EQ(rows[0].difference, -10);
}

TEST(LedgerDifference, IsPerSampleWhereOneVariantCountsNoOperations) {
  const auto got = ledger_difference(with({{Account::idle, 600}}, 20), with({{Account::idle, 750}}, 0));
  EXPECT_FALSE(got.per_operation);
  EXPECT_EQ(got.difference, 150);
  EXPECT_EQ(got.percent, 25);
}

TEST(LedgerDifference, OfAnEmptyBaselineHasNoPercent) {
  const auto got = ledger_difference(with({}, 0), with({{Account::idle, 5}}, 0));
  EXPECT_EQ(got.difference, 5);
  EXPECT_EQ(got.percent, 0);
}

TEST(LedgerDifference, ListsTheLargestOfEitherSignFirst) {
  const auto rows = largest_first(ledger_difference(with({{Account::cr3_write, 9}}, 0),
                                                    with({{Account::user_work, 3}, {Account::walk_cold, 5}}, 0)));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].account, Account::cr3_write);
  EXPECT_EQ(rows[1].account, Account::walk_cold);
  EXPECT_EQ(rows[2].account, Account::user_work);
}

TEST(LedgerDifference, RoundingIsNoDifference) {
  const double a = 0.1 + 0.2, b = 0.3;
  ASSERT_NE(a, b);
  EXPECT_TRUE(largest_first(ledger_difference(with({{Account::idle, a}}, 0), with({{Account::idle, b}}, 0))).empty());
}

RC_GTEST_PROP(LedgerDifference, AccountsAddUpToTheTotalDelta, ()) {
  VariantResult baseline, variant;
  for (std::size_t i = 0; i < kAccounts; ++i) {
    baseline.ledger_per_operation[i] = *rc::gen::inRange(0, 1000000000);
    variant.ledger_per_operation[i] = *rc::gen::inRange(0, 1000000000);
  }
  const double operations = *rc::gen::inRange(1, 1000);
  baseline.events[static_cast<std::size_t>(Event::operations)] = operations;
  variant.events[static_cast<std::size_t>(Event::operations)] = operations + 7;
  const auto got = ledger_difference(baseline, variant);
  double percent = 0;
  for (const auto& row : got.accounts) percent += row.percent;
  RC_ASSERT(std::abs(got.difference - (got.variant_total - got.baseline_total)) <=
            1e-12 * (got.variant_total + got.baseline_total));
  RC_ASSERT(std::abs(percent - got.percent) <= 1e-9 * (1 + std::abs(got.percent)));
}

}  // namespace
}  // namespace tollgate::evidence
