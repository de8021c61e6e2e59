#include "simulate/miss_causes.h"

namespace tollgate::simulate {
namespace {

constexpr Keep kByIdentity{~PageWord{0}, ~kSpaceMask};

/// The page itself: the word of its first 4K page, without a space where it is the kernel's.
PageWord page_identity(PageWord word) {
  const int shift = hw::pages_shift(size_of(word));
  return identity_of((word & ~kPageMask) | ((word & kPageMask) >> shift << shift));
}

}  // namespace

void MissCauses::begin_shadow(const Bank& l1, const Bank& l2, std::uint32_t space) {
  l1_ = std::make_unique<Bank>(layout_, 1, kByIdentity, instructions_);
  l2_ = std::make_unique<Bank>(layout_, 2, kByIdentity, instructions_);
  const auto rename = [space](PageWord key) {
    return identity_of((key & ~kSpaceMask) | PageWord(space) << kSpaceShift);
  };
  l1_->copy_entries(l1, rename);
  l2_->copy_entries(l2, rename);
}

void MissCauses::count(Causes& causes, bool seen, Removal removed, Shadow shadow) {
  if (!seen)
    ++causes.cold;
  else if (removed == Removal::none || shadow == Shadow::absent)
    ++causes.capacity;
  else
    ++(removed == Removal::mm_switch ? causes.refill_mm_switch : causes.refill_flush);
}

void MissCauses::refer(const Batch& batch, std::span<const std::uint16_t> all, std::span<const std::uint16_t> missed_l1,
                       std::span<const std::uint16_t> missed_l2, SideCounts& counts) {
  if (has_shadow()) {
    absent_l1_.reset();
    absent_.reset();
    const std::size_t l1 = l1_->touch(batch, all, shadow_missed_l1_.data());
    const std::size_t l2 = l2_->touch(batch, std::span(shadow_missed_l1_).first(l1), shadow_missed_l2_.data());
    for (const std::uint16_t index : std::span(shadow_missed_l1_).first(l1)) absent_l1_.set(index);
    for (const std::uint16_t index : std::span(shadow_missed_l2_).first(l2)) absent_.set(index);
  }
  auto walked = missed_l2.begin();
  for (const std::uint16_t index : missed_l1) {
    const std::size_t side = batch.routes[index] & kFetchBit;
    Counts& counted = counts[batch.routes[index] & (kFetchBit | kKernelBit)];
    Page& page = pages_[page_identity(batch.words[index])];
    count(counted.l1_causes, page.seen[side], page.removed_l1[side],
          absent_l1_.test(index) ? Shadow::absent : Shadow::present);
    page.seen[side] = true;
    page.removed_l1[side] = Removal::none;
    if (walked == missed_l2.end() || *walked != index) continue;
    ++walked;
    count(counted.walk_causes, page.walked, page.removed, absent_.test(index) ? Shadow::absent : Shadow::present);
    page.walked = true;
    page.removed = Removal::none;
  }
}

void MissCauses::removed_l1(PageWord identity, hw::Side side, Removal why) {
  Page& page = pages_[identity];
  page.removed = why;
  if (side != hw::Side::instruction) page.removed_l1[0] = why;
  if (side != hw::Side::data) page.removed_l1[1] = why;
}

void MissCauses::removed_l2(PageWord identity, Removal why) { pages_[identity].removed = why; }

}  // namespace tollgate::simulate
