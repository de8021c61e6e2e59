#include "evidence/ledger_difference.h"

#include <algorithm>
#include <cmath>

namespace tollgate::evidence {
namespace {

// Equal cycles divided by unequal counts of operations part in the last bits: that is rounding, not a difference.
constexpr double kRounding = 1e-12;

bool differs(const AccountDifference& row) {
  return std::abs(row.difference) > kRounding * std::max(std::abs(row.baseline), std::abs(row.variant));
}

double operations_of(const VariantResult& variant) {
  return variant.events[static_cast<std::size_t>(Event::operations)];
}

}  // namespace

LedgerDifference ledger_difference(const VariantResult& baseline, const VariantResult& variant) {
  LedgerDifference out;
  out.per_operation = operations_of(baseline) > 0 && operations_of(variant) > 0;
  const auto& of_baseline = out.per_operation ? baseline.ledger_per_operation : baseline.ledger;
  const auto& of_variant = out.per_operation ? variant.ledger_per_operation : variant.ledger;
  for (std::size_t i = 0; i < kAccounts; ++i) {
    AccountDifference row{.account = static_cast<Account>(i)};
    row.baseline = of_baseline[i];
    row.variant = of_variant[i];
    row.difference = row.variant - row.baseline;
    out.baseline_total += row.baseline;
    out.variant_total += row.variant;
    out.difference += row.difference;
    out.accounts.push_back(row);
  }
  if (out.baseline_total <= 0) return out;
  for (auto& row : out.accounts) row.percent = 100 * row.difference / out.baseline_total;
  out.percent = 100 * out.difference / out.baseline_total;
  return out;
}

std::vector<AccountDifference> largest_first(const LedgerDifference& difference) {
  std::vector<AccountDifference> rows;
  for (const auto& row : difference.accounts)
    if (differs(row)) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [](const AccountDifference& a, const AccountDifference& b) {
    return std::abs(a.difference) > std::abs(b.difference);
  });
  return rows;
}

}  // namespace tollgate::evidence
