// What the statistics of one sample must obey whatever was measured: min <= mean <= max; a mean that n samples between the
// minimum and the maximum can have (at n = 3 the third sample is known); a standard deviation that the range allows; a
// coefficient of variation and a standard error that follow from it; a mean of whole numbers that is one over n.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "audit/checks.h"
#include "audit/record.h"

namespace tollgate::audit {
namespace {

using Sample = std::map<Statistic, Spot>;  // the statistics of one sample

/// Units but for a decimal prefix, which the value already holds.
std::string_view unit_of(const PrintedNumber& number) {
  const std::string_view unit = number.unit;
  return unit == "k" || unit == "K" || unit == "M" || unit == "G" ? "" : unit;
}

class StatisticsCheck {
 public:
  StatisticsCheck(const Rows& rows, Audited& out) : rows_(rows), out_(out) {}

  void check(const RecordGroup& group) {
    std::vector<Named> names;
    for (const Field& field : group.front()) names.push_back(statistic_in(field.name));
    check_percentiles(group);
    if (std::all_of(names.begin(), names.end(), [](const Named& n) { return n.statistic == Statistic::none; })) return;
    std::vector<Sample> samples;
    for (const Record& record : group) samples_of(record, names, samples);
    for (const Sample& sample : samples) {
      check_order(sample);
      if (!check_mean(sample)) check_range_of_mean(sample);
      check_deviation(sample);
      check_whole(sample);
    }
    check_ratio(samples, Statistic::variation);
    check_ratio(samples, Statistic::error);
  }

 private:
  const PrintedNumber* number(const Sample& sample, Statistic statistic) const {
    const auto found = sample.find(statistic);
    return found == sample.end() ? nullptr : &number_at(rows_, found->second);
  }

  void samples_of(const Record& record, const std::vector<Named>& names, std::vector<Sample>& samples) const {
    std::map<std::string, Sample> by_name;
    std::optional<Spot> count;
    for (std::size_t f = 0; f < record.size(); ++f) {
      const Field& field = record[f];
      const Named& named = names[f];
      if (named.statistic == Statistic::count) count = field.spot;
      if (named.statistic == Statistic::none || named.statistic == Statistic::count) continue;
      if (number_at(rows_, field.spot).percent && named.statistic != Statistic::variation) continue;
      by_name[named.of].emplace(named.statistic, field.spot);
    }
    // "mean time" beside a bare "min" and "max": the bare ones are of the only thing there is.
    if (by_name.size() == 2 && by_name.contains("")) {
      Sample& bare = by_name[""];
      auto& other = by_name.rbegin()->second;
      bare.merge(other);
      if (other.empty()) by_name.erase(by_name.rbegin()->first);
    }
    for (auto& [name, sample] : by_name) {
      if (count) sample.emplace(Statistic::count, *count);
      if (same_units(sample)) samples.push_back(std::move(sample));
    }
  }

  bool same_units(const Sample& sample) const {
    const PrintedNumber* first = nullptr;
    for (const auto& [statistic, spot] : sample) {
      if (statistic == Statistic::count || statistic == Statistic::variation) continue;
      const PrintedNumber& one = number_at(rows_, spot);
      if (first != nullptr && unit_of(*first) != unit_of(one)) return false;
      first = &one;
    }
    return true;
  }

  /// 99.9 for "p99.9" or "99.9th", 100 for "max", 0 for "min".
  static std::optional<double> percentile_in(const std::string& name) {
    if (name == "max") return 100;
    if (name == "min") return 0;
    const bool p = name.starts_with('p'), th = name.ends_with("th");
    if (p == th || name.size() < 3) return std::nullopt;
    double value = 0;
    const char *begin = name.data() + (p ? 1 : 0), *end = name.data() + name.size() - (th ? 2 : 0);
    const auto parsed = std::from_chars(begin, end, value);
    return parsed.ec == std::errc() && parsed.ptr == end && value <= 100 ? std::optional(value) : std::nullopt;
  }

  /// No percentile is below a lower one of the same sample.
  void check_percentiles(const RecordGroup& group) {
    for (const Record& record : group) {
      std::map<double, Spot> by_share;
      for (const Field& field : record)
        if (const auto share = percentile_in(field.name); share && !number_at(rows_, field.spot).percent)
          by_share.emplace(*share, field.spot);
      if (by_share.size() < 3) continue;
      for (auto at = std::next(by_share.begin()); at != by_share.end(); ++at) {
        const Spot below = std::prev(at)->second;
        const PrintedNumber &low = number_at(rows_, below), &high = number_at(rows_, at->second);
        if (unit_of(low) != unit_of(high) || low.low() <= high.high()) continue;
        Finding finding = start(at->second, "order", Severity::wrong);
        finding.message = fmt::format("the {:g}th percentile must not be below the {:g}th: {} is below {}", at->first,
                                      std::prev(at)->first, finding.printed, printed_text(rows_, below));
        finding.slip = "two cells swapped, or a digit wrong in one of them";
        out_.findings.push_back(std::move(finding));
        break;
      }
    }
  }

  std::optional<double> count_of(const Sample& sample) const {
    const PrintedNumber* n = number(sample, Statistic::count);
    if (n == nullptr || n->value < 2 || n->value != std::floor(n->value) || n->decimals > 0 || !n->unit.empty())
      return std::nullopt;
    return n->value;
  }

  Finding start(Spot spot, std::string kind, Severity severity) const {
    Finding finding = finding_at(rows_, spot);
    finding.kind = std::move(kind);
    finding.severity = severity;
    finding.confidence = "likely";
    return finding;
  }

  /// The first of min <= mean <= max that does not hold.
  void check_order(const Sample& sample) {
    std::vector<Statistic> middles;
    for (const Statistic middle : {Statistic::mean, Statistic::median})
      if (sample.contains(middle)) middles.push_back(middle);
    for (const Statistic middle : middles) {
      compare(sample, Statistic::min, middle, "the minimum must not be above the mean");
      compare(sample, middle, Statistic::max, "the mean must not be above the maximum");
    }
    if (middles.empty()) compare(sample, Statistic::min, Statistic::max, "the minimum must not be above the maximum");
  }

  void compare(const Sample& sample, Statistic low, Statistic high, std::string_view rule) {
    const PrintedNumber *below = number(sample, low), *above = number(sample, high);
    if (below == nullptr || above == nullptr || below->low() <= above->high()) return;
    Finding finding = start(sample.at(low), "order", Severity::wrong);
    finding.message = fmt::format("{}: {} is above {}", rule, finding.printed, printed_text(rows_, sample.at(high)));
    finding.slip = "two cells swapped, or a digit wrong in one of them";
    finding.confidence = "certain";
    out_.findings.push_back(std::move(finding));
  }

  bool in_order(const Sample& sample) const {
    const PrintedNumber *min = number(sample, Statistic::min), *max = number(sample, Statistic::max);
    return min != nullptr && max != nullptr && min->value <= max->value;
  }

  /// At n = 3 the third sample is 3 mean - min - max. Whether the check applied.
  bool check_mean(const Sample& sample) {
    const PrintedNumber* mean = number(sample, Statistic::mean);
    if (mean == nullptr || !in_order(sample) || count_of(sample) != 3) return false;
    const PrintedNumber *min = number(sample, Statistic::min), *max = number(sample, Statistic::max);
    const double third = 3 * mean->value - min->value - max->value;
    const double room = 3 * mean->half_unit + min->half_unit + max->half_unit;
    if (third + room >= min->low() && third - room <= max->high()) {
      out_.held.push_back(fmt::format("line {}: the third of 3 samples is {:.{}f}, between the minimum and the maximum",
                                      rows_[sample.at(Statistic::mean).row].line->number, third, mean->decimals));
      return true;
    }
    Finding finding = start(sample.at(Statistic::mean), "mean-bounds", Severity::wrong);
    finding.recomputed = Range{third - room, third, third + room};
    finding.message = fmt::format("a mean of {} of 3 samples from {} to {} needs a third of {:.{}f}, outside them",
                                  finding.printed, printed_text(rows_, sample.at(Statistic::min)),
                                  printed_text(rows_, sample.at(Statistic::max)), third, mean->decimals);
    finding.slip = "a digit wrong in one of the three";
    out_.findings.push_back(std::move(finding));
    return true;
  }

  /// n - 1 samples at one end and one at the other: the mean cannot be nearer to an end.
  void check_range_of_mean(const Sample& sample) {
    const PrintedNumber* mean = number(sample, Statistic::mean);
    const auto n = count_of(sample);
    if (mean == nullptr || !n || !in_order(sample)) return;
    const PrintedNumber *min = number(sample, Statistic::min), *max = number(sample, Statistic::max);
    if (mean->value < min->value || mean->value > max->value) return;  // said by the order
    const double least = min->low() + (max->low() - min->low()) / *n;
    const double most = max->high() - (max->high() - min->high()) / *n;
    if (mean->high() >= least && mean->low() <= most) return;
    Finding finding = start(sample.at(Statistic::mean), "mean-bounds", Severity::wrong);
    finding.recomputed = Range{least, mean->value, most};
    finding.message = fmt::format(
        "{} cannot be the mean of {} samples from {} to {}: it lies between {:.6g} and {:.6g}", finding.printed, *n,
        printed_text(rows_, sample.at(Statistic::min)), printed_text(rows_, sample.at(Statistic::max)), least, most);
    out_.findings.push_back(std::move(finding));
  }

  /// Half of n at each end is the most a standard deviation can be; all but two in the middle the least.
  void check_deviation(const Sample& sample) {
    const PrintedNumber* deviation = number(sample, Statistic::deviation);
    if (deviation == nullptr || !in_order(sample)) return;
    const PrintedNumber *min = number(sample, Statistic::min), *max = number(sample, Statistic::max);
    const auto n = count_of(sample);
    const double widest = max->high() - min->low(), narrowest = std::max(0.0, max->low() - min->high());
    const double most = n ? widest / 2 * std::sqrt(*n / (*n - 1)) : widest / std::sqrt(2.0);
    const double least = n ? narrowest / std::sqrt(2 * *n) : 0;
    if (deviation->low() <= most && deviation->high() >= least) return;
    const bool large = deviation->low() > most;
    Finding finding = start(sample.at(Statistic::deviation), "spread-bounds", Severity::wrong);
    finding.recomputed = Range{least, deviation->value, most};
    finding.message =
        fmt::format("a standard deviation of {} is {} than values from {} to {} allow: {} {:.4g}{}", finding.printed,
                    large ? "more" : "less", printed_text(rows_, sample.at(Statistic::min)),
                    printed_text(rows_, sample.at(Statistic::max)), large ? "at most" : "at least",
                    large ? most : least, n ? fmt::format(" at n = {}", *n) : "");
    finding.slip = large ? "a spread of another row, or a variance" : "perhaps a standard error";
    out_.findings.push_back(std::move(finding));
  }

  /// A mean of n whole numbers is a whole number over n (GRIM), when its digits are fine enough to tell.
  void check_whole(const Sample& sample) {
    const PrintedNumber *mean = number(sample, Statistic::mean), *min = number(sample, Statistic::min),
                        *max = number(sample, Statistic::max);
    const auto n = count_of(sample);
    const bool whole = min != nullptr && max != nullptr && min->decimals == 0 && max->decimals == 0 &&
                       min->unit.empty() && max->unit.empty() && max->value < 1e6;
    if (mean == nullptr || !n || !whole || mean->decimals == 0 || !mean->unit.empty()) return;
    const double room = mean->half_unit * *n;
    if (room >= 0.25 || std::fabs(mean->value * *n - std::round(mean->value * *n)) <= room + 1e-9) return;
    Finding finding = start(sample.at(Statistic::mean), "granularity", Severity::doubtful);
    finding.message =
        fmt::format("{} times {} is {:.6g}: no mean of {} whole numbers", finding.printed, *n, mean->value * *n, *n);
    finding.slip = "another number of samples, or samples that are no whole numbers";
    finding.confidence = "possible";
    out_.findings.push_back(std::move(finding));
  }

  /// What the printed figures give for SD / mean in percent, or for SD / sqrt(n).
  std::optional<Range> expected(const Sample& sample, Statistic what) const {
    const PrintedNumber *deviation = number(sample, Statistic::deviation), *mean = number(sample, Statistic::mean);
    if (deviation == nullptr || deviation->value < 0) return std::nullopt;
    if (what == Statistic::variation) {
      if (mean == nullptr || mean->low() <= 0) return std::nullopt;
      return Range{100 * deviation->low() / mean->high(), 100 * deviation->value / mean->value,
                   100 * deviation->high() / mean->low()};
    }
    const auto n = count_of(sample);
    if (!n) return std::nullopt;
    return Range{deviation->low() / std::sqrt(*n), deviation->value / std::sqrt(*n), deviation->high() / std::sqrt(*n)};
  }

  bool agrees(const PrintedNumber& printed, const Range& range) const {
    if (fit(printed, range).reach != Reach::none) return true;
    const Range share{range.low / 100, range.middle / 100, range.high / 100};  // 0.012 for 1.2 %
    return !printed.percent && fit(printed, share).reach != Reach::none;
  }

  /// Wrong only where another row of the table shows that this is what the column means.
  void check_ratio(const std::vector<Sample>& samples, Statistic what) {
    std::vector<const Sample*> off;
    std::size_t holds = 0;
    for (const Sample& sample : samples) {
      const auto range = expected(sample, what);
      const PrintedNumber* printed = number(sample, what);
      if (!range || printed == nullptr) continue;
      if (agrees(*printed, *range))
        ++holds;
      else
        off.push_back(&sample);
    }
    const std::string_view rule = what == Statistic::variation ? "SD / mean" : "SD / sqrt(n)";
    if (off.empty() && holds > 0) out_.held.push_back(fmt::format("{} holds in {} rows", rule, holds));
    if (holds < off.size() || holds == 0) return;
    for (const Sample* sample : off) {
      Finding finding = start(sample->at(what), "ratio", Severity::wrong);
      finding.recomputed = expected(*sample, what);
      finding.message = fmt::format("{} is not {}, which is {:.4g} here and holds in the other rows", finding.printed,
                                    rule, finding.recomputed->middle);
      out_.findings.push_back(std::move(finding));
    }
  }

  const Rows& rows_;
  Audited& out_;
};

}  // namespace

void check_statistics(const Rows& rows, const std::vector<RecordGroup>& groups, Audited& out) {
  StatisticsCheck check(rows, out);
  for (const RecordGroup& group : groups) check.check(group);
}

}  // namespace tollgate::audit
