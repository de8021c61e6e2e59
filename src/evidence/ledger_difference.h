// Why two variants differ: the difference of their ledgers, account by account. Where both count operations it is taken
// per operation, since a run of fixed length does more of them when each is cheaper; else per sample.
#pragma once

#include <array>
#include <vector>

#include "evidence/comparison.h"

namespace tollgate::evidence {

struct AccountDifference {
  Account account = Account::user_work;
  double baseline = 0;  // cycles per operation, or per sample
  double variant = 0;
  double difference = 0;  // variant - baseline: above zero the variant pays more
  double percent = 0;     // of the baseline's total cycles; 0 when that total is 0
};

struct LedgerDifference {
  bool per_operation = false;
  double baseline_total = 0;
  double variant_total = 0;
  double difference = 0;  // the sum of the accounts' differences, in the order of Account
  double percent = 0;
  std::vector<AccountDifference> accounts;  // all, in the order of Account
};

LedgerDifference ledger_difference(const VariantResult& baseline, const VariantResult& variant);

/// The accounts that differ at all, largest difference (of either sign) first, ties in the order of Account.
std::vector<AccountDifference> largest_first(const LedgerDifference& difference);

}  // namespace tollgate::evidence
