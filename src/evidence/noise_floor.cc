#include "evidence/noise_floor.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "evidence/grouping.h"
#include "statistics/pairwise.h"
#include "statistics/quantiles.h"

namespace tollgate::evidence {
namespace {

constexpr int kExchanges = 2000;
constexpr std::size_t kLeast = 3;

double size_of_paired(std::vector<double> differences) {
  std::ranges::sort(differences);
  return std::abs(statistics::WalshAverages(differences).median());
}

double size_of_unpaired(std::vector<double> baseline, std::vector<double> variant) {
  std::ranges::sort(baseline);
  std::ranges::sort(variant);
  return std::abs(statistics::PairwiseDifferences(baseline, variant).median());
}

/// The size as measured first, then those of random exchanges.
std::vector<double> paired_sizes(const Grouped& grouped, RandomStream& random) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < grouped.baseline_logs.size(); ++i)
    differences.push_back(grouped.variant_logs[i] - grouped.baseline_logs[i]);
  std::vector<double> sizes{size_of_paired(differences)};
  for (int i = 0; i < kExchanges; ++i) {
    for (double& difference : differences)
      if (random.below(2)) difference = -difference;
    sizes.push_back(size_of_paired(differences));
  }
  return sizes;
}

std::vector<double> unpaired_sizes(const Grouped& grouped, RandomStream& random) {
  std::vector<double> all = grouped.baseline_logs;
  all.insert(all.end(), grouped.variant_logs.begin(), grouped.variant_logs.end());
  const auto split = std::ptrdiff_t(grouped.baseline_logs.size());
  std::vector<double> sizes;
  for (int i = 0; i <= kExchanges; ++i) {
    sizes.push_back(size_of_unpaired({all.begin(), all.begin() + split}, {all.begin() + split, all.end()}));
    for (std::size_t at = all.size(); at > 1; --at) std::swap(all[at - 1], all[random.below(at)]);
  }
  return sizes;
}

}  // namespace

Result<double> noise_floor_percent(const Measurement& a_against_a) {
  std::vector<const Series*> found;
  for (const Series& series : a_against_a.series)
    if (series.metric.name == a_against_a.terms.primary) found.push_back(&series);
  if (found.size() != 2)
    return fail(
        fmt::format("a noise floor needs two series of {}, and there are {}", a_against_a.terms.primary, found.size()));
  const Grouped grouped = group_runs(*found[0], *found[1], a_against_a);
  if (std::min(grouped.baseline.size(), grouped.variant.size()) < kLeast)
    return fail(fmt::format("a noise floor needs {} values a variant", kLeast));
  if (grouped.baseline_logs.empty())
    return fail(fmt::format("{} has values that are not above zero: no noise floor", a_against_a.terms.primary));
  RandomStream random = RandomStream::named(a_against_a.terms.seed, "exchanges of labels");
  const auto sizes = grouped.design == Design::paired ? paired_sizes(grouped, random) : unpaired_sizes(grouped, random);
  const double usual = statistics::quantiles(std::span(sizes).subspan(1), {0.95})[0];
  return 100 * std::expm1(std::max(usual, sizes.front()));
}

}  // namespace tollgate::evidence
