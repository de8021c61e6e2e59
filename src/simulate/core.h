// Core: the TLBs of one setup, for one stream. References come in batches; what must hit anyway was counted and left out
// before (simulator.h).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "simulate/bank.h"
#include "simulate/counts.h"
#include "simulate/curve.h"
#include "simulate/miss_causes.h"
#include "simulate/setup.h"

namespace tollgate::simulate {

class Core {
 public:
  explicit Core(const Setup& setup);

  void refer(const Batch& batch);
  /// The address space `space` is loaded in place of `before`; `kept` as the trace says.
  enum class Kept : std::uint8_t { no, yes };
  void switch_space(std::uint32_t before, std::uint32_t space, Kept kept);
  /// A flush of one page in its space, and of a global entry for it. After the last page: flush_walk_caches.
  void flush_page(PageWord word);
  void flush_walk_caches(std::uint32_t space);
  /// The same for many pages at once, from the 4K page `first`.
  void flush_range(std::uint64_t first, std::uint64_t pages, std::uint32_t space);
  /// A flush of everything, global entries too, while `space` is loaded.
  void flush_everything(std::uint32_t space);

  /// Lookups are the simulator's to count.
  const SideCounts& counts() const { return counts_; }
  /// Counts misses for every number of ways, of one level, from now on.
  void attach(Curve::Level level, std::uint64_t sets, int ways);
  std::span<const Curve> curves() const { return curves_; }

 private:
  bool is_global(PageWord key) const { return globals_ == Globals::kernel && (key & kKernelHalf) != 0; }
  void count_misses(const Batch& batch, std::span<const std::uint16_t> missed);
  void walk(const Batch& batch, std::span<const std::uint16_t> missed);
  template <typename Goes>
  void remove_if(Goes goes, std::uint32_t space, Removal why);
  void begin_shadow(std::uint32_t space);

  Tags tags_;
  Globals globals_;
  Keep keep_;
  std::unique_ptr<hw::TlbLayout> layout_;
  Bank l1_;
  Bank l2_;
  WalkCaches walk_caches_;
  std::unique_ptr<MissCauses> causes_;  // none: not asked for
  std::vector<Curve> curves_;
  SideCounts counts_{};
  std::array<std::uint16_t, kBatch> all_;  // 0, 1, 2, ...
  std::array<std::uint16_t, kBatch> missed_l1_;
  std::array<std::uint16_t, kBatch> missed_l2_;
};

}  // namespace tollgate::simulate
