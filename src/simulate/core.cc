#include "simulate/core.h"

#include <bit>
#include <numeric>

namespace tollgate::simulate {
namespace {

Keep keep_for(const Setup& setup) {
  const PageWord tag = setup.tags == Tags::pcid ? kSpaceMask : 0;
  return {~kSpaceMask | tag, setup.globals == Globals::kernel ? ~kSpaceMask : ~kSpaceMask | tag};
}

}  // namespace

Core::Core(const Setup& setup)
    : tags_(setup.tags),
      globals_(setup.globals),
      keep_(keep_for(setup)),
      layout_(std::make_unique<hw::TlbLayout>(setup.machine)),
      l1_(*layout_, 1, keep_, setup.instructions),
      l2_(*layout_, 2, keep_, setup.instructions),
      walk_caches_(setup.walk_caches) {
  if (setup.why == WhyMissed::count) causes_ = std::make_unique<MissCauses>(*layout_, setup.instructions);
  std::iota(all_.begin(), all_.end(), std::uint16_t{0});
}

void Core::attach(Curve::Level level, std::uint64_t sets, int ways) { curves_.emplace_back(level, sets, ways, keep_); }

void Core::refer(const Batch& batch) {
  const auto all = std::span<const std::uint16_t>(all_).first(batch.words.size());
  const auto missed_l1 = std::span(missed_l1_).first(l1_.touch(batch, all, missed_l1_.data()));
  const auto missed_l2 = std::span(missed_l2_).first(l2_.touch(batch, missed_l1, missed_l2_.data()));
  for (Curve& curve : curves_) curve.refer(batch, curve.level() == Curve::Level::l2 ? missed_l1 : all);
  if (causes_) causes_->refer(batch, all, missed_l1, missed_l2, counts_);
  count_misses(batch, missed_l1);
  walk(batch, missed_l2);
}

void Core::count_misses(const Batch& batch, std::span<const std::uint16_t> missed) {
  if (std::has_single_bit(batch.routes_seen)) {
    counts_[std::size_t(std::countr_zero(batch.routes_seen)) & (kFetchBit | kKernelBit)].l1_misses += missed.size();
    return;
  }
  std::size_t fetches = 0, kernel = 0, both = 0;
  for (const std::uint16_t index : missed) {
    const std::size_t route = batch.routes[index];
    fetches += route & kFetchBit;
    kernel += route >> 1 & 1;
    both += route & route >> 1 & 1;
  }
  counts_[0].l1_misses += missed.size() - fetches - kernel + both;
  counts_[kFetchBit].l1_misses += fetches - both;
  counts_[kKernelBit].l1_misses += kernel - both;
  counts_[kFetchBit | kKernelBit].l1_misses += both;
}

void Core::walk(const Batch& batch, std::span<const std::uint16_t> missed) {
  std::array<std::array<std::uint32_t, WalkCaches::kLevels + 2>, kRoutes> began{};  // by the level of the cached entry
  const bool one_route = std::has_single_bit(batch.routes_seen);
  const auto only = std::size_t(std::countr_zero(batch.routes_seen));
  for (std::size_t at = 0; at < missed.size(); ++at) {
    if (one_route && only >> kSizeShift == 0) {
      const std::size_t quick = walk_caches_.walk_from_pde(batch.words, missed.subspan(at));
      began[only][1] += std::uint32_t(quick);
      at += quick;
      if (at == missed.size()) break;
    }
    const std::uint16_t index = missed[at];
    const std::uint8_t route = batch.routes[index];
    ++began[route][std::size_t(walk_caches_.walk(batch.words[index], route >> kSizeShift))];
  }
  for (std::size_t route = 0; route < kRoutes; ++route)
    for (int level = 1; level <= WalkCaches::kLevels + 1; ++level) {
      const std::uint64_t walks = began[route][std::size_t(level)];
      Counts& counts = counts_[route & (kFetchBit | kKernelBit)];
      counts.walks += walks;
      counts.table_fetches += walks * std::uint64_t(level - int(route >> kSizeShift));
      if (level <= WalkCaches::kLevels) counts.walk_cache_hits[std::size_t(level - 1)] += walks;
    }
}

/// Removes from both levels, and from the curves, what `goes`; entries without a space in their key are of `space`.
template <typename Goes>
void Core::remove_if(Goes goes, std::uint32_t space, Removal why) {
  const auto identity = [space](PageWord word) {
    return identity_of(word | (space_of(word) == 0 ? PageWord(space) << kSpaceShift : 0));
  };
  l1_.remove_if(goes, [&](PageWord word, hw::Side side) {
    if (causes_) causes_->removed_l1(identity(word), side, why);
  });
  l2_.remove_if(goes, [&](PageWord word, hw::Side) {
    if (causes_) causes_->removed_l2(identity(word), why);
  });
  for (Curve& curve : curves_) curve.remove_if(goes);
}

void Core::switch_space(std::uint32_t before, std::uint32_t space, Kept kept) {
  begin_shadow(before);
  if (tags_ == Tags::none) {
    remove_if([this](PageWord key) { return !is_global(key); }, before, Removal::mm_switch);
    walk_caches_.remove_if([](PageWord) { return true; });
  } else if (kept == Kept::no) {
    remove_if([this, space](PageWord key) { return space_of(key) == space && !is_global(key); }, space,
              Removal::mm_switch);
    walk_caches_.remove_if([space](PageWord key) { return space_of(key) == space; });
  }
}

void Core::flush_everything(std::uint32_t space) {
  begin_shadow(space);
  remove_if([](PageWord) { return true; }, space, Removal::flush);
  walk_caches_.remove_if([](PageWord) { return true; });
}

// As INVLPG: the page in the current space and global, and the walk caches of the space.
void Core::flush_page(PageWord word) {
  begin_shadow(space_of(word));
  const PageWord identity = identity_of(word);
  l1_.remove_page(word, [&](PageWord, hw::Side side) {
    if (causes_) causes_->removed_l1(identity, side, Removal::flush);
  });
  l2_.remove_page(word, [&](PageWord, hw::Side) {
    if (causes_) causes_->removed_l2(identity, Removal::flush);
  });
  for (Curve& curve : curves_) curve.remove_page(word);
}

void Core::flush_range(std::uint64_t first, std::uint64_t pages, std::uint32_t space) {
  begin_shadow(space);
  const std::uint64_t begin = first & kPageMask;
  const PageWord half = page_word(first, hw::PageSize::k4K, 0) & kKernelHalf;
  remove_if(
      [=](PageWord word) {
        if ((space_of(word) != 0 && space_of(word) != space) || (word & kKernelHalf) != half) return false;
        const std::uint64_t page = word & kPageMask, size = std::uint64_t{1} << hw::pages_shift(size_of(word));
        return ((page - begin) & kPageMask) < pages || ((begin - page) & kPageMask) < size;
      },
      space, Removal::flush);
  flush_walk_caches(space);
}

void Core::flush_walk_caches(std::uint32_t space) {
  walk_caches_.remove_if([space](PageWord key) { return space_of(key) == space; });
}

void Core::begin_shadow(std::uint32_t space) {
  if (causes_ && !causes_->has_shadow()) causes_->begin_shadow(l1_, l2_, space);
}

}  // namespace tollgate::simulate
