#include "evidence/reservations.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/text.h"

namespace tollgate::evidence {
namespace {

bool is_at_floor(const Series& series) {
  return series.floor > 0 &&
         std::ranges::any_of(series.samples, [&](const Sample& sample) { return sample.value <= series.floor; });
}

std::string floor_text(const Series& series) {
  const std::string value =
      series.floor >= 1e5 ? with_commas(std::llround(series.floor)) : fmt::format("{:.5g}", series.floor);
  return series.metric.unit.empty() ? value : value + " " + series.metric.unit;
}

/// Why what is shown of the two is not known; "" where it is. A change stands where the true value of the one at its floor can only
/// make it larger.
std::string why_not_seen(const RealEstimate& estimate, const Series& baseline, const Series& variant) {
  const bool low = is_at_floor(baseline), low_variant = is_at_floor(variant);
  if (low && low_variant)
    return fmt::format(
        "runs of both are at or below {}, under which nothing is seen: how far they are apart is not known",
        floor_text(baseline.floor > variant.floor ? baseline : variant));
  if (!low && !low_variant) return "";
  const bool grows = low == (estimate.shift_percent.value_or(0) > 0);
  if (estimate.finding == Finding::inconclusive || (estimate.finding == Finding::changed && grows)) return "";
  return fmt::format("runs of '{}' are at or below {}, under which nothing is seen: the true difference may be {}",
                     (low ? baseline : variant).variant, floor_text(low ? baseline : variant),
                     grows ? "larger" : "another");
}

constexpr std::string_view kUnfinished = "unfinished";
constexpr std::string_view kFloorOf = "floor of ";

/// Whether it was a reservation, which is then in its place.
bool take(const Condition& condition, Measurement& measurement) {
  if (condition.name == kUnfinished) {
    measurement.unfinished = condition.value;
    return true;
  }
  if (!condition.name.starts_with(kFloorOf)) return false;
  for (Series& series : measurement.series)
    if (series.variant == condition.variant && series.metric.name == condition.name.substr(kFloorOf.size()))
      series.floor = std::strtod(condition.value.c_str(), nullptr);
  return true;
}

}  // namespace

std::vector<Condition> conditions_with_reservations(const Measurement& measurement) {
  auto conditions = measurement.conditions;
  if (!measurement.unfinished.empty())
    conditions.push_back({measurement.variants.front(), 0, std::string(kUnfinished), measurement.unfinished});
  for (const Series& series : measurement.series)
    if (series.floor > 0)
      conditions.push_back(
          {series.variant, 0, std::string(kFloorOf) + series.metric.name, fmt::format("{}", series.floor)});
  return conditions;
}

void take_reservations(Measurement& measurement) {
  std::vector<Condition> conditions;
  for (Condition& condition : measurement.conditions)
    if (!take(condition, measurement)) conditions.push_back(std::move(condition));
  measurement.conditions = std::move(conditions);
}

void reserve(RealEstimate& estimate, const Series& baseline, const Series& variant, const std::string& unfinished) {
  const std::string reason = unfinished.empty() ? why_not_seen(estimate, baseline, variant) : unfinished;
  if (reason.empty()) return;
  estimate.finding = Finding::inconclusive;
  estimate.reason = reason;
}

}  // namespace tollgate::evidence
