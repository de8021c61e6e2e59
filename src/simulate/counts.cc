#include "simulate/counts.h"

#include <cstddef>

namespace tollgate::simulate {

Causes& Causes::operator+=(const Causes& other) {
  cold += other.cold;
  capacity += other.capacity;
  refill_mm_switch += other.refill_mm_switch;
  refill_flush += other.refill_flush;
  return *this;
}

Counts& Counts::operator+=(const Counts& other) {
  lookups += other.lookups;
  l1_misses += other.l1_misses;
  walks += other.walks;
  l1_causes += other.l1_causes;
  walk_causes += other.walk_causes;
  for (std::size_t i = 0; i < walk_cache_hits.size(); ++i) walk_cache_hits[i] += other.walk_cache_hits[i];
  table_fetches += other.table_fetches;
  return *this;
}

SideCounts& operator+=(SideCounts& sum, const SideCounts& other) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
  return sum;
}

}  // namespace tollgate::simulate
