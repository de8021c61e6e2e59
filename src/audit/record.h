// Record: named figures that belong together. The columns of one row under their headers, the rows of one column beside
// their labels, or the "min=2, max=25" of one line; what is checked between them does not care which.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/claim.h"

namespace tollgate::audit {

struct Field {
  std::string name;  // in lower case, trimmed
  Spot spot;
};
using Record = std::vector<Field>;

inline constexpr std::size_t kMostRecords = 200;  // of a group: a longer table is checked in its first rows

/// Records of one table: the n-th fields of all have the same name. A record of one line stands alone.
using RecordGroup = std::vector<Record>;

std::vector<RecordGroup> read_records(const Rows& rows);

/// Which statistic of a sample a name speaks of.
enum class Statistic { none, count, min, mean, median, max, deviation, error, variation };

struct Named {
  Statistic statistic = Statistic::none;
  std::string of;  // the other words of the name: what was sampled
};
Named statistic_in(std::string_view name);

/// 99.9 for "p99.9" or "99.9th", 100 for "max", 0 for "min", in small letters.
std::optional<double> percentile_in(std::string_view name);

}  // namespace tollgate::audit
