// Dimension: what kind of quantity a figure is, with the units it may be written in and the bounds it must keep. One list:
// a new dimension is one enumerator and one line in dimension.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tollgate::config {

enum class Dimension : std::uint8_t { time, ghz, ratio, entries, instructions, count, cpi, percent, bytes };

enum class Granularity : std::uint8_t { real, whole };

struct DimensionInfo {
  Dimension dimension;
  std::string_view name;                    // "time", as messages say it
  std::span<const std::string_view> units;  // the first is the one assumed for a bare number
  double low;                               // bounds of every figure, in any of its units
  double high;
  Granularity granularity;
};

const DimensionInfo& info(Dimension dimension);

}  // namespace tollgate::config
