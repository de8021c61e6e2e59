#include "statistics/variance_components.h"

#include <algorithm>

#include "statistics/moments.h"

namespace tollgate::statistics {

std::optional<VarianceComponents> variance_components(std::span<const std::vector<double>> groups) {
  double count = 0, squares = 0, sum = 0;
  for (const auto& group : groups) {
    const double size = double(group.size());
    count += size;
    squares += size * size;
    sum += mean_of(group) * size;
  }
  const double k = double(groups.size());
  if (k < 2 || count <= k) return std::nullopt;
  double between = 0, within = 0;
  for (const auto& group : groups) {
    const double distance = mean_of(group) - sum / count;
    between += double(group.size()) * distance * distance;
    if (group.size() > 1) within += variance_of(group) * double(group.size() - 1);
  }
  VarianceComponents parts;
  parts.within = within / (count - k);
  parts.between = std::max(0.0, (between / (k - 1) - parts.within) / ((count - squares / count) / (k - 1)));
  const double total = parts.within + parts.between;
  parts.share_between = total > 0 ? parts.between / total : 0;
  parts.effective_count = count / (1 + (squares / count - 1) * parts.share_between);
  return parts;
}

}  // namespace tollgate::statistics
