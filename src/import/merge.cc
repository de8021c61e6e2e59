#include "import/merge.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "evidence/summary.h"
#include "import/collector.h"
#include "import/units.h"

namespace tollgate::import {
namespace {

using evidence::Measurement;
using evidence::Series;

constexpr double kChanceStep = 1e-4;  // of a value: figures in coarser steps are often equal by chance

/// Whether another run may well have printed the same.
bool may_come_again(const Measurement& measurement) {
  return std::ranges::all_of(measurement.series, [](const Series& series) {
    return series.samples.size() == 1 && series.half_step > kChanceStep * series.samples[0].value;
  });
}

/// Whether two files that the user did not name hold variants of one name.
bool names_clash(const std::vector<NamedFile>& files) {
  std::set<std::string> seen;
  for (const NamedFile& file : files) {
    if (!file.name.empty()) continue;
    for (const std::string& variant : file.imported.measurement.variants)
      if (!seen.insert(variant).second) return true;
  }
  return false;
}

/// The files' names without folders and endings, or whole where those are not told apart by them.
std::vector<std::string> names_of_files(const std::vector<NamedFile>& files) {
  std::vector<std::string> stems;
  for (const NamedFile& file : files) stems.push_back(stem_of(file.imported.file));
  std::vector<std::string> sorted = stems;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) == sorted.end()) return stems;
  for (std::size_t i = 0; i < files.size(); ++i) stems[i] = files[i].imported.file;
  return stems;
}

void convert(Series& series, double factor) {
  if (factor == 1) return;
  for (auto& sample : series.samples) sample.value *= factor;
  if (auto& known = series.summary)
    for (auto* value :
         {&known->mean, &known->median, &known->min, &known->max, &known->deviation, &known->standard_error})
      if (*value) **value *= factor;
  series.half_step *= factor;
}

/// Makes the file's variants one, called `name`.
void become_one_variant(const std::string& name, Measurement& measurement) {
  const bool several = measurement.variants.size() > 1;
  if (several) measurement.terms.primary = measurement.variants[0] + "." + measurement.terms.primary;
  for (Series& series : measurement.series) {
    if (several) series.metric.name = series.variant + "." + series.metric.name;
    series.variant = name;
  }
  for (auto& condition : measurement.conditions) condition.variant = name;
  measurement.variants = {name};
}

class Merger {
 public:
  Result<Measurement> merge(std::vector<NamedFile> files) {
    for (NamedFile& file : files) {
      titles_.push_back(file.imported.file);
      TRY(add(file.imported.measurement));
    }
    if (files.size() > 1) forget_order();
    warn_of_tools(files);
    out_.title = join(titles_, ", ");
    set_machine();
    warn_of_unequal_counts(out_);
    return std::move(out_);
  }

 private:
  Result<void> add(Measurement& one) {
    if (out_.series.empty()) out_.terms = one.terms;
    if (!one.machine.empty()) machines_.insert(one.machine);
    for (const std::string& variant : one.variants)
      if (std::ranges::find(out_.variants, variant) == out_.variants.end()) out_.variants.push_back(variant);
    for (auto& condition : one.conditions) {
      condition.run += static_cast<std::uint32_t>(runs_of(condition.variant));
      out_.conditions.push_back(std::move(condition));
    }
    for (Series& series : one.series) TRY(add_series(std::move(series)));
    if (one.noise_floor_percent)
      out_.noise_floor_percent = std::max(out_.noise_floor_percent.value_or(0), *one.noise_floor_percent);
    if (out_.unfinished.empty()) out_.unfinished = one.unfinished;
    evidence::append_unique(out_.notes, one.notes);
    evidence::append_unique(out_.warnings, one.warnings);
    return {};
  }

  std::size_t runs_of(const std::string& variant) const {
    std::size_t runs = 0;
    for (const Series& series : out_.series)
      if (series.variant == variant) runs = std::max(runs, series.samples.size());
    return runs;
  }

  Result<void> add_series(Series series) {
    const Series& first = of_metric(series);
    const auto factor = factor_between(series.metric.unit, first.metric.unit);
    if (!factor)
      return fail(fmt::format("mixed units: {} is in '{}' here and in '{}' at {}", series.metric.name,
                              series.metric.unit, first.metric.unit, first.source),
                  {series.source});
    convert(series, *factor);
    series.metric.unit = first.metric.unit;
    const auto [at, fresh] = index_.try_emplace({series.variant, series.metric.name}, out_.series.size());
    if (fresh) {
      out_.series.push_back(std::move(series));
      return {};
    }
    Series* same = &out_.series[at->second];
    if (same->summary || series.summary)
      return fail(fmt::format("{} of '{}' is only a summary here or at {}: it cannot be added to other runs",
                              series.metric.name, series.variant, same->source),
                  {series.source});
    same->half_step = std::max(same->half_step, series.half_step);
    same->floor = std::max(same->floor, series.floor);
    for (auto& sample : series.samples) {
      sample.run = static_cast<std::uint32_t>(same->samples.size());
      same->samples.push_back(std::move(sample));
    }
    return {};
  }

  void forget_order() {
    out_.terms.order = evidence::Order::unknown;
    for (Series& series : out_.series)
      for (auto& sample : series.samples) {
        sample.position.reset();
        sample.block.reset();
      }
  }

  /// Two tools do not time a run in the same way: one counts its own start, another the shell's.
  void warn_of_tools(const std::vector<NamedFile>& files) {
    std::set<std::string> tools, formats;
    for (const NamedFile& file : files) {
      const std::string& format = file.imported.format;
      tools.insert(format.substr(0, format.find(' ')));
      formats.insert(format);
    }
    if (tools.size() > 1)
      out_.warnings.push_back(
          fmt::format("the files are of different tools ({}): where they measure otherwise, that is in the difference",
                      join(std::vector(formats.begin(), formats.end()), ", ")));
  }

  void set_machine() {
    if (machines_.size() == 1) out_.machine = *machines_.begin();
    if (machines_.size() > 1)
      out_.warnings.push_back(fmt::format("the files are of different machines: {}",
                                          join(std::vector(machines_.begin(), machines_.end()), "; ")));
  }

  /// The first series of the metric, or this one.
  const Series& of_metric(const Series& series) {
    const auto [first, fresh] = first_of_metric_.try_emplace(series.metric.name, out_.series.size());
    return fresh ? series : out_.series[first->second];
  }

  Measurement out_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;  // variant and metric to out_.series
  std::map<std::string, std::size_t> first_of_metric_;                // to out_.series
  std::vector<std::string> titles_;
  std::set<std::string> machines_;
};

/// Leaves the metrics that are chosen, so that what else the files hold need not agree; how many that were planned are left out.
Result<std::size_t> keep_metrics(const std::vector<std::string>& chosen, std::vector<NamedFile>& files) {
  if (chosen.empty()) return 0;
  std::set<std::string> names;
  for (const NamedFile& file : files)
    for (const Series& series : file.imported.measurement.series) names.insert(series.metric.name);
  const std::vector<std::string> known(names.begin(), names.end());
  for (const std::string& metric : chosen)
    if (!names.contains(metric)) return fail(fmt::format("no metric '{}'{}", metric, did_you_mean(metric, known)));
  std::set<std::string> left_out;
  for (NamedFile& file : files)
    std::erase_if(file.imported.measurement.series, [&](const Series& series) {
      const bool goes = std::ranges::find(chosen, series.metric.name) == chosen.end();
      if (goes && file.imported.measurement.terms.runs > 0) left_out.insert(series.metric.name);
      return goes;
    });
  return left_out.size();
}

void choose_margin(double percent, Measurement& measurement) {
  const auto planned = measurement.terms.margin_percent;
  if (planned && *planned != percent)
    measurement.warnings.push_back(fmt::format(
        "the margin of +-{:g} % was chosen after the runs, which were planned with +-{:g} %", percent, *planned));
  measurement.terms.margin_percent = percent;
}

Result<void> choose_baseline(const std::string& name, Measurement& measurement) {
  const auto found = std::ranges::find(measurement.variants, name);
  if (found == measurement.variants.end())
    return fail(fmt::format("no variant '{}'{}", name, did_you_mean(name, measurement.variants)));
  std::rotate(measurement.variants.begin(), found, found + 1);
  return {};
}

/// Sets the metric that decides; where another was planned, the reader must know.
void choose_primary(const std::string& metric, Measurement& measurement) {
  if (metric == measurement.terms.primary) return;
  if (measurement.terms.runs > 0 && !measurement.terms.primary.empty())
    measurement.warnings.push_back(fmt::format("{} was chosen to decide after the runs, which were planned with {}",
                                               metric, measurement.terms.primary));
  measurement.noise_floor_percent.reset();  // it was the other metric's
  measurement.terms.primary = metric;
}

/// What a plan fixed is not forgotten where less is asked for.
void count_left_out(std::size_t metrics, Measurement& measurement) {
  if (metrics == 0) return;
  measurement.left_out = static_cast<std::uint32_t>(metrics * (measurement.variants.size() - 1));
  measurement.warnings.push_back(fmt::format("{} of the plan {} left out: Holm's correction counts {} comparisons too",
                                             counted(static_cast<long long>(metrics), "metric"),
                                             metrics == 1 ? "is" : "are", metrics == 1 ? "its" : "their"));
}

}  // namespace

Result<void> check_distinct(std::span<NamedFile> files) {
  std::map<std::string_view, const Imported*> firsts;  // by digest
  for (NamedFile& named : files) {
    Imported& file = named.imported;
    const auto [first, fresh] = firsts.try_emplace(file.digest, &file);
    if (fresh) continue;
    const std::string& twin = first->second->file;
    if (twin == file.file) return fail("is given twice: the same runs count once", {file.file});
    const std::string same = fmt::format("holds the same as {}", printable(twin));
    if (!may_come_again(file.measurement)) return fail(same + ": the same runs count once", {file.file});
    file.measurement.warnings.push_back(
        fmt::format("{} {}: two runs may print the same, or it is a copy", file.file, same));
  }
  return {};
}

Result<Measurement> merge(std::vector<NamedFile> files, const Choice& choice) {
  const bool clash = names_clash(files);
  const auto own_names = names_of_files(files);
  for (std::size_t i = 0; i < files.size(); ++i)
    if (clash || !files[i].name.empty())
      become_one_variant(files[i].name.empty() ? own_names[i] : files[i].name, files[i].imported.measurement);
  const std::size_t left_out = TRY(keep_metrics(choice.metrics, files));
  Measurement merged = TRY(Merger().merge(std::move(files)));
  if (choice.margin_percent) choose_margin(*choice.margin_percent, merged);
  if (!choice.baseline.empty()) TRY(choose_baseline(choice.baseline, merged));
  if (!choice.metrics.empty()) choose_primary(choice.metrics.front(), merged);
  count_left_out(left_out, merged);
  std::ranges::stable_partition(merged.series,
                                [&](const Series& series) { return series.metric.name == merged.terms.primary; });
  return merged;
}

Result<void> check_common_metric(const Measurement& measurement) {
  if (measurement.variants.size() < 2) return {};
  const std::string& baseline = measurement.variants.front();
  std::map<std::string, std::vector<std::string>> metrics;  // by variant
  for (const Series& series : measurement.series) metrics[series.variant].push_back(series.metric.name);
  for (const auto& [variant, names] : metrics)
    for (const std::string& name : names)
      if (variant != baseline && std::ranges::find(metrics[baseline], name) != metrics[baseline].end()) return {};
  std::vector<std::string> told;
  for (const std::string& variant : measurement.variants)
    told.push_back(
        fmt::format("'{}' has {}", variant, metrics[variant].empty() ? "none" : join(metrics[variant], ", ")));
  return fail(fmt::format("the baseline has no metric in common with another variant: {}", join(told, "; ")));
}

}  // namespace tollgate::import
