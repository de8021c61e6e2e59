// Holds every estimator to tests/reference_numbers/numbers.tsv, which R made.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "statistics/fieller.h"
#include "statistics/hodges_lehmann.h"
#include "statistics/holm.h"
#include "statistics/quantiles.h"
#include "statistics/rank_distribution.h"
#include "statistics/shape.h"
#include "statistics/student_shift.h"
#include "statistics/trend.h"
#include "statistics/variance_components.h"

namespace tollgate::statistics {
namespace {

using Numbers = std::vector<double>;

struct Case {
  Numbers baseline, variant;  // data
  std::map<std::string, Numbers> made_by_r;
};

std::map<std::string, Case> read_cases() {
  std::map<std::string, Case> cases;
  std::ifstream file(std::string(TOLLGATE_SOURCE_DIR) + "/tests/reference_numbers/numbers.tsv");
  for (std::string name, field, line; std::getline(file, line);) {
    std::istringstream words(line);
    words >> name >> field;
    Numbers numbers;
    for (double number; words >> number;) numbers.push_back(number);
    if (field == "baseline")
      cases[name].baseline = numbers;
    else if (field == "variant")
      cases[name].variant = numbers;
    else
      cases[name].made_by_r[field] = numbers;
  }
  return cases;
}

Numbers logs(Numbers values) {
  for (double& value : values) value = std::log(value);
  return values;
}
Numbers log_ratios(const Case& data) {
  Numbers out;
  for (std::size_t i = 0; i < data.baseline.size(); ++i)
    out.push_back(std::log(data.variant[i]) - std::log(data.baseline[i]));
  return out;
}

template <typename Shift>
Numbers rank_numbers(const Shift& shift) {
  const auto wide = shift.interval(95), narrow = shift.interval(90);
  return {shift.estimate(), wide.low, wide.high, narrow.low, narrow.high, shift.tails(0).two_sided()};
}
Numbers student_numbers(const StudentShift& shift) {
  const auto wide = shift.interval(95);
  return {shift.estimate(), wide.low, wide.high, shift.degrees(), shift.tails(0).two_sided()};
}
template <typename Shift>
Numbers equivalence(const Shift& shift) {
  return {std::max(shift.tails(std::log(0.99)).greater, shift.tails(std::log(1.01)).less)};
}
Numbers ends(const std::optional<Interval>& interval) {
  return interval ? Numbers{interval->low, interval->high} : Numbers{};
}
/// P(T <= 0..8) by R's `given` sizes, which come first and are repeated.
Numbers lower_tail(const RankDistribution& distribution, Numbers sizes) {
  for (std::uint64_t k = 0; k <= 8; ++k) sizes.push_back(distribution.at_most(k));
  return sizes;
}
Numbers drift_numbers(const Case& data) {
  Numbers positions;
  for (std::size_t i = 0; i < data.variant.size(); ++i) positions.push_back(double(i));
  const auto drift = drift_of(positions, data.variant);
  return {drift.slope, drift.p};
}
Numbers component_numbers(const Case& data) {
  std::vector<Numbers> groups(4);
  for (std::size_t i = 0; i < data.variant.size(); ++i)
    groups[std::size_t(data.baseline[i]) - 1].push_back(data.variant[i]);
  const auto parts = variance_components(groups);
  return {parts->within, parts->between};
}

/// What is made here of `data`, for a field that R made `r` of.
using Make = std::function<Numbers(const Case& data, const Numbers& r)>;
const std::map<std::string, Make> kMakers = {
    {"signed_rank", [](const Case& d, const Numbers&) { return rank_numbers(SignedRankShift(log_ratios(d))); }},
    {"signed_rank_equivalence",
     [](const Case& d, const Numbers&) { return equivalence(SignedRankShift(log_ratios(d))); }},
    {"paired_t", [](const Case& d, const Numbers&) { return student_numbers(StudentShift::paired(log_ratios(d))); }},
    {"paired_t_equivalence",
     [](const Case& d, const Numbers&) { return equivalence(StudentShift::paired(log_ratios(d))); }},
    {"paired_ratio",
     [](const Case& d, const Numbers&) { return ends(paired_ratio_interval(d.baseline, d.variant, 95)); }},
    {"mann_whitney",
     [](const Case& d, const Numbers&) { return rank_numbers(MannWhitneyShift(logs(d.baseline), logs(d.variant))); }},
    {"mann_whitney_equivalence",
     [](const Case& d, const Numbers&) { return equivalence(MannWhitneyShift(logs(d.baseline), logs(d.variant))); }},
    {"welch", [](const Case& d,
                 const Numbers&) { return student_numbers(StudentShift::welch(logs(d.baseline), logs(d.variant))); }},
    {"ratio",
     [](const Case& d, const Numbers&) {
       return ends(ratio_interval(MeanEstimate::of(d.baseline), MeanEstimate::of(d.variant), 95));
     }},
    {"drift", [](const Case& d, const Numbers&) { return drift_numbers(d); }},
    {"pettitt",
     [](const Case& d, const Numbers&) {
       const auto step = step_of(d.variant);
       return Numbers{step.statistic, double(step.first)};
     }},
    {"quantiles", [](const Case& d, const Numbers&) { return quantiles(d.variant, {0.05, 0.25, 0.5, 0.75, 0.95}); }},
    {"division",
     [](const Case& d, const Numbers&) {
       const auto modes = best_division(d.variant);
       return Numbers{modes->ratio, double(modes->low_count)};
     }},
    {"psignrank",
     [](const Case&, const Numbers& r) {
       return lower_tail(RankDistribution::signed_rank(std::size_t(r[0])), {r[0]});
     }},
    {"pwilcox",
     [](const Case&, const Numbers& r) {
       return lower_tail(RankDistribution::mann_whitney(std::size_t(r[0]), std::size_t(r[1])), {r[0], r[1]});
     }},
    {"holm", [](const Case& d, const Numbers&) { return holm(d.variant); }},
    {"components", [](const Case& d, const Numbers&) { return component_numbers(d); }},
};

/// Ranks of 60 and 60 are past what is counted out: a normal distribution takes their place, and may be a rank off.
double tolerance(const std::string& name, const std::string& field) {
  return name == "normal-60" && field.starts_with("mann_whitney") ? 2e-3 : 1e-9;
}

TEST(ReferenceNumbers, AreThoseOfR) {
  std::size_t compared = 0;
  for (const auto& [name, data] : read_cases())
    for (const auto& [field, want] : data.made_by_r) {
      const auto maker = kMakers.find(field);
      ASSERT_NE(maker, kMakers.end()) << field;
      const Numbers got = maker->second(data, want);
      ASSERT_EQ(got.size(), want.size()) << name << " " << field;
      for (std::size_t i = 0; i < got.size(); ++i, ++compared)
        EXPECT_NEAR(got[i], want[i], tolerance(name, field) * std::max(1.0, std::abs(want[i])))
            << name << " " << field << " " << i;
    }
  EXPECT_GT(compared, 300u);
}

TEST(ReferenceNumbers, HoldEveryEstimator) {
  std::map<std::string, int> seen;
  for (const auto& [name, data] : read_cases())
    for (const auto& [field, want] : data.made_by_r) ++seen[field];
  for (const auto& [field, maker] : kMakers) EXPECT_GT(seen[field], 0) << field;
}

}  // namespace
}  // namespace tollgate::statistics
