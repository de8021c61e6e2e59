#include "evidence/real_estimate.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "statistics/fieller.h"
#include "statistics/hodges_lehmann.h"
#include "statistics/moments.h"
#include "statistics/rank_distribution.h"
#include "statistics/student_shift.h"

namespace tollgate::evidence {
namespace {

using statistics::MannWhitneyShift;
using statistics::MeanEstimate;
using statistics::SignedRankShift;
using statistics::StudentShift;

constexpr std::size_t kLeastForStudent = 3;
constexpr std::size_t kLeastForRanks = 4;

double alpha_of(const Terms& terms) { return 1 - terms.level / 100; }
/// Two one-sided tests at alpha hold where an interval of this level lies inside the margin.
double equivalence_level(const Terms& terms) { return 100 - 2 * (100 - terms.level); }

double percent_of_log(double log_ratio) { return 100 * std::expm1(log_ratio) + 0.0; }
Interval percent_of_log(const Interval& logs) { return {percent_of_log(logs.low), percent_of_log(logs.high)}; }
std::optional<Interval> percent_of_ratio(const std::optional<Interval>& ratio) {
  return ratio ? std::optional(Interval{100 * (ratio->low - 1), 100 * (ratio->high - 1)}) : std::nullopt;
}

/// Of values above zero no mean is below zero, nor is a ratio of two: Fieller's interval, which knows nothing of that, ends there.
Interval not_below_zero(const Interval& ratio) { return {std::max(ratio.low, 0.0), ratio.high}; }

/// Everything that a shift of logs says.
template <typename Shift>
void take_shift(Estimated& into, const Shift& shift, const Terms& terms, std::string method) {
  RealEstimate& estimate = into.estimate;
  into.least_p = shift.least_p();
  estimate.method = std::move(method);
  estimate.shift_percent = percent_of_log(shift.estimate());
  estimate.interval_percent = percent_of_log(shift.interval(terms.level));
  estimate.equivalence_level = equivalence_level(terms);
  estimate.equivalence_interval_percent = percent_of_log(shift.interval(equivalence_level(terms)));
  estimate.p = shift.tails(0).two_sided();
  if (!terms.margin_percent) return;
  const double above = shift.tails(std::log1p(-*terms.margin_percent / 100)).greater;
  const double below = shift.tails(std::log1p(*terms.margin_percent / 100)).less;
  estimate.p_equivalence = std::max(above, below);
}

/// Half a printed step of the baseline and of the variant, as shares of their means.
struct Rounding {
  double baseline = 0, variant = 0;
  bool is_bearable() const { return baseline < 1 && variant < 1; }
  double down() const { return std::log1p(baseline) - std::log1p(-variant); }
  double up() const { return std::log1p(variant) - std::log1p(-baseline); }
  /// Of a ratio that is not below zero.
  Interval widened(const Interval& ratio) const { return {ratio.low * std::exp(-down()), ratio.high * std::exp(up())}; }
};

Rounding rounding_of(const Grouped& grouped) {
  const auto share = [](double half_step, const std::vector<double>& values) {
    return half_step == 0 ? 0 : half_step / statistics::mean_of(values);
  };
  return {share(grouped.baseline_half_step, grouped.baseline), share(grouped.variant_half_step, grouped.variant)};
}

/// A shift of logs of what was printed in steps: all runs of either side may lie half a step off, and the same way, so the
/// interval is that much wider on both sides, and the p-values are those of the least favourable values.
template <typename Shift>
class RoundedShift {
 public:
  /// The rounding must be bearable.
  RoundedShift(Shift shift, const Rounding& rounding)
      : shift_(std::move(shift)), down_(rounding.down()), up_(rounding.up()) {}

  double estimate() const { return shift_.estimate(); }
  double least_p() const { return shift_.least_p(); }
  Interval interval(double level) const {
    const Interval logs = shift_.interval(level);
    return {logs.low - down_, logs.high + up_};
  }
  statistics::Tails tails(double shift) const {
    return {.less = shift_.tails(shift - up_).less, .greater = shift_.tails(shift + down_).greater};
  }

 private:
  Shift shift_;
  double down_, up_;
};

std::vector<double> differences(std::span<const double> baseline, std::span<const double> variant) {
  std::vector<double> out;
  for (std::size_t i = 0; i < baseline.size(); ++i) out.push_back(variant[i] - baseline[i]);
  return out;
}

/// Whether the shorter series has values enough for an interval of ranks at this level.
bool ranks_serve(Design design, std::size_t values, double least_p, const Terms& terms) {
  return values >= (design == Design::paired ? kLeastPairsForRanks : kLeastForRanks) && least_p <= alpha_of(terms);
}

/// The least p-value that so many pairs, or values of each variant, can have.
double least_p_of(Design design, std::size_t values, const Terms& terms) {
  if (values < kLeastForStudent) return 1;
  const auto ranks = design == Design::paired ? statistics::RankDistribution::signed_rank(values)
                                              : statistics::RankDistribution::mann_whitney(values, values);
  const double least_p = 2 * ranks.at_most(0);
  return ranks_serve(design, values, least_p, terms) ? least_p : 0;  // Student's t
}

void take_logs(Estimated& into, const Grouped& grouped, const Terms& terms) {
  const auto& baseline = grouped.baseline_logs;
  const auto& variant = grouped.variant_logs;
  const Rounding rounding = rounding_of(grouped);
  if (grouped.design == Design::paired) {
    const auto pairs = differences(baseline, variant);
    const RoundedShift ranks(SignedRankShift(pairs), rounding);
    if (ranks_serve(grouped.design, pairs.size(), ranks.least_p(), terms))
      return take_shift(into, ranks, terms, "Hodges-Lehmann, exact signed-rank interval");
    return take_shift(into, RoundedShift(StudentShift::paired(pairs), rounding), terms, "paired t on log ratios");
  }
  const RoundedShift ranks(MannWhitneyShift(baseline, variant), rounding);
  if (ranks_serve(grouped.design, std::min(baseline.size(), variant.size()), ranks.least_p(), terms))
    return take_shift(into, ranks, terms, "Hodges-Lehmann, exact Mann-Whitney interval");
  take_shift(into, RoundedShift(StudentShift::welch(baseline, variant), rounding), terms, "Welch's t on logs");
}

std::optional<Interval> mean_interval(const Grouped& grouped, double level) {
  const auto ratio =
      grouped.design == Design::paired
          ? statistics::paired_ratio_interval(grouped.baseline, grouped.variant, level)
          : statistics::ratio_interval(MeanEstimate::of(grouped.baseline), MeanEstimate::of(grouped.variant), level);
  if (!ratio) return std::nullopt;
  const bool above_zero = !grouped.baseline_logs.empty();
  return percent_of_ratio(rounding_of(grouped).widened(above_zero ? not_below_zero(*ratio) : *ratio));
}

/// Where a value is zero, logs do not exist and the ratio of means is what is left.
void take_means(Estimated& into, const Grouped& grouped, const Terms& terms) {
  RealEstimate& estimate = into.estimate;
  estimate.method = "ratio of means, Fieller's interval (a value is zero)";
  const double base = statistics::mean_of(grouped.baseline);
  const double shift_percent = 100 * (statistics::mean_of(grouped.variant) - base) / base + 0.0;
  const auto interval = mean_interval(grouped, terms.level);
  if (!interval || !std::isfinite(shift_percent)) return;
  estimate.shift_percent = shift_percent;
  estimate.interval_percent = interval;
  estimate.equivalence_level = equivalence_level(terms);
  estimate.equivalence_interval_percent = mean_interval(grouped, equivalence_level(terms));
  const StudentShift difference = grouped.design == Design::paired
                                      ? StudentShift::paired(differences(grouped.baseline, grouped.variant))
                                      : StudentShift::welch(grouped.baseline, grouped.variant);
  const double off = grouped.baseline_half_step + grouped.variant_half_step;
  const statistics::Tails tails{.less = difference.tails(-off).less, .greater = difference.tails(off).greater};
  estimate.p = tails.two_sided();
}

/// Standard deviation of what was printed; of three samples, mean, lowest and highest give the third.
std::optional<double> deviation_of(const SummaryOnly& summary) {
  if (summary.deviation || summary.count != 3u || !summary.mean || !summary.min || !summary.max)
    return summary.deviation;
  const double samples[] = {*summary.min, 3 * *summary.mean - *summary.min - *summary.max, *summary.max};
  return std::sqrt(statistics::variance_of(samples));
}

std::optional<MeanEstimate> mean_of(const Series& series) {
  if (series.samples.size() >= 2) {
    std::vector<double> values;
    for (const Sample& sample : series.samples) values.push_back(sample.value);
    return MeanEstimate::of(values);
  }
  if (!series.summary || !series.summary->mean || series.summary->count.value_or(0) < 2) return std::nullopt;
  const double count = double(*series.summary->count);
  const auto deviation = deviation_of(*series.summary);
  if (series.summary->standard_error)
    return MeanEstimate{*series.summary->mean, *series.summary->standard_error, count};
  if (deviation) return MeanEstimate{*series.summary->mean, *deviation / std::sqrt(count), count};
  return std::nullopt;
}

/// What a series lacks of which `mean_of` makes nothing.
std::string why_no_mean(const Series& series) {
  if (!series.summary) return fmt::format("1 run of '{}': an interval needs {}", series.variant, kLeastForStudent);
  const SummaryOnly& summary = *series.summary;
  if (summary.count && *summary.count < 2)
    return fmt::format("1 run of '{}': an interval needs {}", series.variant, kLeastForStudent);
  std::vector<std::string> missing;
  if (!summary.mean) missing.push_back("mean");
  if (!summary.count) missing.push_back("number of runs");
  if (!deviation_of(summary) && !summary.standard_error) missing.push_back("spread");
  return fmt::format("only printed figures of '{}', without {}", series.variant, join(missing, " and "));
}

MeanEstimate on_logs(const MeanEstimate& mean) {
  return {std::log(mean.mean), mean.standard_error / mean.mean, mean.count};
}

/// Of what cannot be told from zero.
constexpr std::string_view kTooCoarse = "a mean was printed in steps larger than itself";

/// "2 runs a variant: an interval needs 3".
std::string too_few(const RealEstimate& estimate, const std::string& noun) {
  const auto least = std::min(estimate.baseline_values, estimate.variant_values);
  const std::string_view each = estimate.design == Design::paired ? "" : " a variant";
  return fmt::format("{} {}{}{}: an interval needs {}", least, noun, least == 1 ? "" : "s", each, kLeastForStudent);
}

}  // namespace

Estimated estimate_shift(const Grouped& grouped, const Terms& terms) {
  Estimated out;
  out.one_boot_each = grouped.one_boot_each;
  out.estimate.design = grouped.design;
  out.estimate.baseline_values = grouped.baseline.size();
  out.estimate.variant_values = grouped.variant.size();
  out.estimate.levels = grouped.levels;
  if (std::min(grouped.baseline.size(), grouped.variant.size()) < kLeastForStudent) {
    out.estimate.method = "none";
    out.estimate.reason = too_few(out.estimate, grouped.design == Design::paired ? "pair" : grouped.group);
    return out;
  }
  if (grouped.below_zero) {
    out.estimate.method = "none";
    out.estimate.reason = "a value is below zero: no percentage";
    return out;
  }
  if (!rounding_of(grouped).is_bearable()) {
    out.estimate.method = "none";
    out.estimate.reason = kTooCoarse;
    return out;
  }
  if (grouped.baseline_logs.empty())
    take_means(out, grouped, terms);
  else
    take_logs(out, grouped, terms);
  out.mean_interval_percent = mean_interval(grouped, terms.level);
  return out;
}

Estimated estimate_from_summaries(const Series& baseline, const Series& variant, const Terms& terms) {
  Estimated out;
  out.estimate.method = "none";
  const auto base = mean_of(baseline), other = mean_of(variant);
  if (!base || !other) {
    out.estimate.reason = why_no_mean(base ? variant : baseline);
    return out;
  }
  out.estimate.baseline_values = static_cast<std::uint64_t>(base->count);
  out.estimate.variant_values = static_cast<std::uint64_t>(other->count);
  if (std::min(base->count, other->count) < double(kLeastForStudent)) {
    out.estimate.reason = too_few(out.estimate, "run");
    return out;
  }
  if (base->mean <= 0 || other->mean <= 0) {
    out.estimate.reason = "a printed mean is not above zero";
    return out;
  }
  const auto base_log = on_logs(*base), other_log = on_logs(*other);
  const double spread = base_log.standard_error + other_log.standard_error;
  if (!std::isfinite(spread * spread)) {
    out.estimate.reason = "a printed spread is too large for its mean";
    return out;
  }
  const Rounding rounding{baseline.half_step / base->mean, variant.half_step / other->mean};
  if (!rounding.is_bearable()) {
    out.estimate.reason = kTooCoarse;
    return out;
  }
  const RoundedShift shift(StudentShift::welch(base_log, other_log), rounding);
  take_shift(out, shift, terms, "Welch's t from printed means, spreads and numbers of runs");
  if (const auto ratio = statistics::ratio_interval(*base, *other, terms.level))
    out.mean_interval_percent = percent_of_ratio(rounding.widened(not_below_zero(*ratio)));
  return out;
}

bool can_show_change(double least_p, const Terms& terms, std::size_t comparisons) {
  return least_p * double(comparisons) <= alpha_of(terms);
}

std::size_t least_values(Design design, std::size_t values, const Terms& terms, std::size_t comparisons) {
  constexpr std::size_t kMost = 1000;  // far beyond what any number of comparisons needs
  while (values < kMost && !can_show_change(least_p_of(design, values, terms), terms, comparisons)) ++values;
  return values;
}

void decide(Estimated& estimated, const Terms& terms, const std::optional<double>& noise_floor_percent) {
  RealEstimate& estimate = estimated.estimate;
  estimate.finding = Finding::inconclusive;
  if (!estimate.reason.empty()) return;
  if (!estimate.shift_percent || !estimate.interval_percent || !estimate.p_holm) {
    estimate.reason = "the baseline's mean cannot be told from zero: no ratio";
    return;
  }
  const bool differs = *estimate.p_holm <= alpha_of(terms) && !estimate.interval_percent->contains(0);
  const auto& narrow = estimate.equivalence_interval_percent;
  if (estimated.one_boot_each) {
    estimate.reason = "one boot a variant: what the boot did and what the variant did cannot be told apart";
  } else if (terms.margin_percent && narrow && narrow->low > -*terms.margin_percent &&
             narrow->high < *terms.margin_percent) {
    estimate.finding = Finding::equivalent;
    estimate.reason =
        fmt::format("the {:.3g}% interval lies inside the margin of {:.3g} %{}", *estimate.equivalence_level,
                    *terms.margin_percent, differs ? ", though a shift is shown" : "");
  } else if (differs && std::abs(*estimate.shift_percent) <= noise_floor_percent.value_or(0)) {
    estimate.reason = fmt::format("the shift is within the noise floor of {:.3g} %", *noise_floor_percent);
  } else if (differs) {
    estimate.finding = Finding::changed;
    estimate.reason = fmt::format("the {:.3g}% interval leaves out zero", terms.level);
  } else if (!estimate.interval_percent->contains(0)) {
    estimate.reason = "the interval leaves out zero, but not after Holm's correction for all comparisons";
  } else {
    estimate.reason = fmt::format("the {:.3g}% interval holds zero{}", terms.level,
                                  terms.margin_percent ? " and reaches beyond the margin" : "");
  }
}

}  // namespace tollgate::evidence
