// Exposure: what a mode of execution could reach or would hit, by whose memory it is, weighted by time.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tollgate::evidence {

/// Whose memory a mapping shows.
enum class MemoryKind : std::uint8_t {
  own,
  kernel_text,
  kernel_data,
  entry_area,
  direct_map,
  page_cache,
  other_processes,
  secrets,
  count
};
inline constexpr std::size_t kMemoryKinds = static_cast<std::size_t>(MemoryKind::count);
inline constexpr std::array<std::string_view, kMemoryKinds> kMemoryKindNames{
    "own", "kernel_text", "kernel_data", "entry_area", "direct_map", "page_cache", "other_processes", "secrets"};

/// Time-weighted mean bytes, for user mode: what the live root maps, and what a live TLB entry would still hit.
struct Exposure {
  std::array<double, kMemoryKinds> mapped_bytes{};
  std::array<double, kMemoryKinds> cached_bytes{};
  /// Stale translations: page-table edits that took something away, and how long what they took stayed usable somewhere,
  /// from the edit until its flush had finished everywhere.
  double stale_entries = 0;
  double stale_mean_us = 0;
  double stale_max_us = 0;
};

}  // namespace tollgate::evidence
