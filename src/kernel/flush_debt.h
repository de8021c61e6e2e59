// FlushDebt: what a page-table edit owes. Translations of the edited pages may still be cached; until they are flushed, the
// freed frames ride along and nobody may reuse them. A debt that is dropped unsettled is a bug, and the destructor says so.
#pragma once

#include <utility>
#include <vector>

#include "base/check.h"
#include "base/id.h"
#include "hw/translation.h"

namespace tollgate::kernel {

/// The plain, copyable record that a protocol carries once it has taken a debt over.
struct FlushDebtState {
  MmId mm;
  hw::Vpn first = 0;
  hw::Vpn pages = 0;  // in units of `stride`
  hw::PageSize stride = hw::PageSize::k4K;
  std::vector<std::uint64_t> frames;  // freed with the edit: reusable once the flush has finished
  bool operator==(const FlushDebtState&) const = default;
};

class [[nodiscard]] FlushDebt {
 public:
  explicit FlushDebt(FlushDebtState state) : state_(std::move(state)), owed_(state_.pages > 0) {}
  FlushDebt(FlushDebt&& other) noexcept : state_(std::move(other.state_)), owed_(std::exchange(other.owed_, false)) {}
  FlushDebt(const FlushDebt&) = delete;
  FlushDebt& operator=(const FlushDebt&) = delete;
  FlushDebt& operator=(FlushDebt&&) = delete;
  ~FlushDebt() { CHECK(!owed_, "a page-table edit was never flushed"); }

  /// Nothing was present, so nothing can be cached.
  bool empty() const { return !owed_; }
  /// A protocol takes the debt over.
  FlushDebtState into_state() && {
    owed_ = false;
    return std::move(state_);
  }

 private:
  FlushDebtState state_;
  bool owed_;
};

static_assert(!std::is_copy_constructible_v<FlushDebt>, "a debt has one owner");
static_assert(std::is_copy_constructible_v<FlushDebtState>, "explored states are copied");

}  // namespace tollgate::kernel
