// Counts: what a TLB did for one side in one mode. Sums add up: lookups = hits + misses at each level, misses = causes.
#pragma once

#include <array>
#include <cstdint>

namespace tollgate::simulate {

/// What removed an entry before its time.
enum class Removal : std::uint8_t { none, mm_switch, flush };

/// Why references missed, as hw/miss_classifier.h says it: cold, never seen here; refill, a flush took the entry and without
/// flushes it would have been there; capacity, the rest, conflicts included. Zero when causes are not asked for.
struct Causes {
  std::uint64_t cold = 0;
  std::uint64_t capacity = 0;
  std::uint64_t refill_mm_switch = 0;
  std::uint64_t refill_flush = 0;

  std::uint64_t total() const { return cold + capacity + refill_mm_switch + refill_flush; }
  Causes& operator+=(const Causes& other);
  bool operator==(const Causes&) const = default;
};

struct Counts {
  std::uint64_t lookups = 0;    // in the first level: one for each page a reference touches
  std::uint64_t l1_misses = 0;  // looked up in the second level
  std::uint64_t walks = 0;      // missed in both
  Causes l1_causes;
  Causes walk_causes;
  std::array<std::uint64_t, 3> walk_cache_hits{};  // walks that began below a cached PDE, PDPTE, PML4E entry
  std::uint64_t table_fetches = 0;                 // page-table entries that the walks read

  Counts& operator+=(const Counts& other);
  bool operator==(const Counts&) const = default;
};

/// By side (data 0, instruction 1) and mode (user 0, kernel 2): see the bits of a route.
using SideCounts = std::array<Counts, 4>;
SideCounts& operator+=(SideCounts& sum, const SideCounts& other);

}  // namespace tollgate::simulate
