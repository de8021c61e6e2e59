// Collector: what importers add values to. It keeps them honest: every value is finite and not negative, a metric has one
// unit, a series has samples or a summary; what a reader must know to take the numbers for what they are becomes a
// warning.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "evidence/measurement.h"
#include "import/number.h"
#include "import/source.h"

namespace tollgate::import {

// Metrics that several formats have, by the names that the rest of the project uses.
evidence::MetricInfo elapsed_metric();
evidence::MetricInfo user_metric();
evidence::MetricInfo sys_metric();
evidence::MetricInfo max_rss_metric();
/// A count of events that cost: fewer are better.
evidence::MetricInfo count_metric(std::string name);

/// Finite and not negative.
Result<void> check_value(const evidence::MetricInfo& metric, double value, unsigned line);

/// That the number of runs is the user's word.
std::string told_runs_note(std::uint64_t runs);

/// Warns of variants that were not run equally often.
void warn_of_unequal_counts(evidence::Measurement& measurement);

class Collector {
 public:
  explicit Collector(const Source& source) : source_(source) {}

  /// One more run's value of `metric`, in the order of the runs.
  Result<void> sample(const std::string& variant, const evidence::MetricInfo& metric, const Number& value,
                      unsigned line);
  Result<void> sample(const std::string& variant, const evidence::MetricInfo& metric, double value, unsigned line) {
    return sample(variant, metric, Number{value, 0, ""}, line);
  }
  /// All that is known of a series whose samples the file does not hold. `half_step`: of the mean, as in Series.
  Result<void> summary(const std::string& variant, const evidence::MetricInfo& metric,
                       const evidence::SummaryOnly& summary, unsigned line, double half_step = 0);
  /// Something a run was made under or came to.
  void condition(const std::string& variant, std::uint32_t run, std::string name, std::string value);
  void note(std::string text) { add_once(out_.notes, std::move(text)); }
  void warn(std::string text) { add_once(out_.warnings, std::move(text)); }
  /// With the place, for what is wrong in one line but does not stop the import. After many, the rest are only counted.
  void warn_at(unsigned line, std::string_view text);

  /// Reads and, where something had to be assumed, says so.
  Result<Number> number(std::string_view text, unsigned line, Comma comma = Comma::decimals);
  Result<Number> clock(std::string_view text, unsigned line);

  /// For formats in which a run gives a value of every metric: warns where a metric of a variant has fewer, for its values are
  /// then counted to the wrong runs, and where one of `always` is missing altogether.
  void warn_of_gaps(std::initializer_list<std::string_view> always = {});

  /// The number of runs that the user says, for what depends on it; it is noted.
  std::optional<std::uint64_t> told_runs();

  /// "make", or "make #2" where that variant is there already.
  std::string free_name(const std::string& variant) const;
  /// For title, machine, order.
  evidence::Measurement& measurement() { return out_; }
  std::size_t runs(const std::string& variant, const std::string& metric) const;

  /// The measurement; an error when it is empty.
  Result<evidence::Measurement> finish() &&;

 private:
  Result<evidence::Series*> series_of(const std::string& variant, const evidence::MetricInfo& metric, unsigned line);
  static void add_once(std::vector<std::string>& list, std::string text);
  Number remarked(Number number, unsigned line);
  void warn_of_rounding();

  const Source& source_;
  std::size_t placed_ = 0;  // warnings with a place
  evidence::Measurement out_;
  std::set<std::string> known_variants_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;  // variant and metric to out_.series
  std::map<std::string, std::pair<std::string, unsigned>> units_;     // metric to unit and the line that said it
};

}  // namespace tollgate::import
