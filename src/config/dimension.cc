#include "config/dimension.h"

#include <array>

namespace tollgate::config {
namespace {

constexpr std::array<std::string_view, 2> kTimeUnits{"cycles", "ns"};
constexpr std::array<std::string_view, 1> kClockUnits{"GHz"};
constexpr std::array<std::string_view, 1> kRatioUnits{"ratio"};
constexpr std::array<std::string_view, 1> kEntryUnits{"entries"};
constexpr std::array<std::string_view, 1> kInstructionUnits{"instructions"};
constexpr std::array<std::string_view, 1> kCountUnits{"count"};
constexpr std::array<std::string_view, 1> kCpiUnits{"cpi"};
constexpr std::array<std::string_view, 1> kPercentUnits{"percent"};
constexpr std::array<std::string_view, 1> kByteUnits{"bytes"};

// Upper bounds keep products of a few figures and counts well inside 2^53, so that no price overflows.
constexpr std::array<DimensionInfo, 9> kDimensions{{
    {Dimension::time, "time", kTimeUnits, 0, 1e9, Granularity::real},
    {Dimension::ghz, "clock rate", kClockUnits, 0.1, 10, Granularity::real},
    {Dimension::ratio, "ratio", kRatioUnits, 0, 1, Granularity::real},
    {Dimension::entries, "number of entries", kEntryUnits, 0, 1e6, Granularity::whole},
    {Dimension::instructions, "number of instructions", kInstructionUnits, 0, 1e12, Granularity::real},
    {Dimension::count, "count", kCountUnits, 0, 1e12, Granularity::real},
    {Dimension::cpi, "number of cycles per instruction", kCpiUnits, 0, 1000, Granularity::real},
    {Dimension::percent, "percentage", kPercentUnits, -1e6, 1e6, Granularity::real},
    {Dimension::bytes, "number of bytes", kByteUnits, 0, 1e15, Granularity::whole},
}};

static_assert(
    [] {
      for (std::size_t i = 0; i < kDimensions.size(); ++i)
        if (static_cast<std::size_t>(kDimensions[i].dimension) != i) return false;
      return true;
    }(),
    "kDimensions lists the dimensions in the order of Dimension");

}  // namespace

const DimensionInfo& info(Dimension dimension) { return kDimensions[static_cast<std::size_t>(dimension)]; }

}  // namespace tollgate::config
