#include "store/measurement.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "base/text.h"
#include "evidence/printed_steps.h"

namespace tollgate::store {
namespace {

using evidence::Measurement;

/// Indexes of the metrics, the primary one first.
std::vector<std::size_t> metric_order(const Session& session) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < session.metrics.size(); ++i) order.push_back(i);
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return session.metrics[i].info.name == session.terms.primary; });
  return order;
}

bool compares_kernels(const Session& session) {
  const auto& base = session.variants.front().boot;
  return base && std::any_of(session.variants.begin(), session.variants.end(), [&](const Variant& variant) {
           return variant.boot && variant.boot->kernel != base->kernel;
         });
}

Measurement without_samples(const Session& session, std::vector<std::string> variants) {
  Measurement measurement;
  measurement.title = session.name;
  measurement.machine = session.machine;
  measurement.variants = std::move(variants);
  measurement.terms = session.terms;
  if (compares_kernels(session)) measurement.terms.compared.emplace_back("kernel");
  return measurement;
}

/// Blocks that a reboot cut in two: their runs were not made together, so they are no pair. Where variants are boots, a block
/// is one boot of each.
std::set<std::uint32_t> cut_blocks(const Session& session, std::span<const Run> runs, RunKind kind) {
  std::map<std::uint32_t, std::set<std::string>> boots;
  for (const Run& run : runs)
    if (run.kind == kind) boots[run.block].insert(run.boot);
  std::set<std::uint32_t> cut;
  for (const auto& [block, of_block] : boots)
    if (session.boots == 0 && of_block.size() > 1) cut.insert(block);
  return cut;
}

bool has_value(const Run& run, std::size_t metric) {
  return metric < run.values.size() && !std::isnan(run.values[metric]);
}

/// Variants (or sides of the noise runs) whose runs all failed without a value of the metric.
std::set<std::uint32_t> variants_without(std::span<const Run> runs, RunKind kind, std::size_t metric) {
  std::set<std::uint32_t> without, with;
  for (const Run& run : runs)
    if (run.kind == kind) (has_value(run, metric) ? with : without).insert(run.variant);
  for (const std::uint32_t variant : with) without.erase(variant);
  return without;
}

/// Runs scheduled with one that gave no value of the metric: without it they are no pair. A block of boots holds many runs, of
/// which only the one without a value is lost; variants in `out` are in no pair at all.
std::set<std::uint32_t> blocks_without(const Session& session, std::span<const Run> runs, RunKind kind,
                                       std::size_t metric, const std::set<std::uint32_t>& out) {
  std::set<std::uint32_t> blocks;
  for (const Run& run : runs)
    if (session.boots == 0 && run.kind == kind && !has_value(run, metric) && !out.contains(run.variant))
      blocks.insert(run.block);
  return blocks;
}

/// What of a kernel's command line is not what the plan compares: the words that no variant's rule names.
std::string rest_of_command_line(const Session& session, const std::string& command_line) {
  std::set<std::string> named;
  for (const Variant& variant : session.variants) {
    if (!variant.boot) continue;
    named.insert(variant.boot->with.begin(), variant.boot->with.end());
    named.insert(variant.boot->without.begin(), variant.boot->without.end());
  }
  std::vector<std::string> rest;
  for (const std::string& word : split(command_line, ' '))
    if (!word.empty() && !named.contains(word) && !(compares_kernels(session) && word.starts_with("BOOT_IMAGE=")))
      rest.push_back(word);
  return join(rest, " ");
}

/// Where variants are boots, the kernel and the words of its command line that the plan names are what is compared, and no
/// confounders. The rest of the line may be one.
void add_condition(Measurement& measurement, const Session& session, const Run& run, const std::string& name,
                   const std::string& value) {
  if (name == kRemark || name == kGo || name == kMemoryFloor) return;
  const bool rest = session.boots > 0 && name == kCommandLine;
  measurement.conditions.push_back({measurement.variants[run.variant], run.number, rest ? "rest of the " + name : name,
                                    rest ? rest_of_command_line(session, value) : value});
}

/// The greatest of its runs' floors, in bytes; 0: none is at one.
double memory_floor(std::span<const Run> runs, RunKind kind, std::size_t variant) {
  double greatest = 0;
  for (const Run& run : runs) {
    const auto floor = run.conditions.find(std::string(kMemoryFloor));
    if (run.kind == kind && run.variant == variant && floor != run.conditions.end())
      greatest = std::max(greatest, std::strtod(floor->second.c_str(), nullptr));
  }
  return greatest;
}

double half_step_of(std::span<const Run> runs, RunKind kind, std::size_t metric) {
  std::vector<double> values;
  for (const Run& run : runs)
    if (run.kind == kind && has_value(run, metric)) values.push_back(run.values[metric]);
  return evidence::half_step_of(values);
}

void add_runs(Measurement& measurement, const Session& session, std::span<const Run> runs, RunKind kind) {
  const auto cut = cut_blocks(session, runs, kind);
  const auto block_of = [&](const Run& run) {
    return cut.contains(run.block) ? std::nullopt : std::optional(run.block);
  };
  for (const std::size_t metric : metric_order(session)) {
    const auto out = variants_without(runs, kind, metric);
    if (out.contains(0)) continue;  // nothing to compare with
    const auto without = blocks_without(session, runs, kind, metric, out);
    const auto counts = [&](const Run& run) { return has_value(run, metric) && !without.contains(run.block); };
    const double half_step = is_printed(session.metrics[metric]) ? half_step_of(runs, kind, metric) : 0;
    for (std::size_t variant = 0; variant < measurement.variants.size(); ++variant) {
      if (out.contains(std::uint32_t(variant))) continue;
      const Variant& planned = session.variants[kind == RunKind::noise ? 0 : variant];
      evidence::Series series{session.metrics[metric].info,
                              measurement.variants[variant],
                              evidence::Origin::measured,
                              {},
                              {},
                              planned.command};
      for (const Run& run : runs)
        if (run.kind == kind && run.variant == variant && counts(run))
          series.samples.push_back({run.values[metric], run.number, run.position, block_of(run), run.boot, run.start});
      series.half_step = half_step;
      if (session.metrics[metric].spec == kMemorySpec) series.floor = memory_floor(runs, kind, variant);
      measurement.series.push_back(std::move(series));
    }
  }
  for (const Run& run : runs)
    if (run.kind == kind && run.variant < measurement.variants.size())
      for (const auto& [name, value] : run.conditions) add_condition(measurement, session, run, name, value);
}

void note_failures(Measurement& measurement, std::span<const Run> runs) {
  for (std::size_t variant = 0; variant < measurement.variants.size(); ++variant) {
    std::size_t failed = 0;
    std::size_t made = 0;
    bool lost = false;  // a value of one of them
    std::set<int> statuses;
    for (const Run& run : runs) {
      if (run.kind != RunKind::measured || run.variant != variant) continue;
      ++made;
      if (run.exit_status == 0) continue;
      ++failed;
      statuses.insert(run.exit_status);
      lost = lost || std::any_of(run.values.begin(), run.values.end(), [](double value) { return std::isnan(value); });
    }
    if (failed == 0) continue;
    std::string list;
    for (const int status : statuses) list += (list.empty() ? "" : "; ") + exit_text(status);
    measurement.warnings.push_back(fmt::format("{} of {} runs of '{}' failed ({}) and are counted{}", failed, made,
                                               measurement.variants[variant], list,
                                               lost ? " where they gave a value" : ""));
  }
}

void note_lost_values(Measurement& measurement, const Session& session, std::span<const Run> runs) {
  for (std::size_t metric = 0; metric < session.metrics.size(); ++metric) {
    for (std::size_t variant = 0; variant < measurement.variants.size(); ++variant) {
      const auto is_of = [&](const Run& run) { return run.kind == RunKind::measured && run.variant == variant; };
      const auto lost = std::count_if(runs.begin(), runs.end(),
                                      [&](const Run& run) { return is_of(run) && !has_value(run, metric); });
      if (lost == 0) continue;
      const auto made = std::count_if(runs.begin(), runs.end(), is_of);
      const std::string& name = session.metrics[metric].info.name;
      if (lost == made) {
        measurement.warnings.push_back(fmt::format("none of {} runs of '{}' gave a value of {}: it is not compared",
                                                   made, measurement.variants[variant], name));
        continue;
      }
      measurement.warnings.push_back(fmt::format(
          "{} of {} runs of '{}' failed without a value of {}: left out{}", lost, made, measurement.variants[variant],
          name, session.boots == 0 ? ", with the runs that they were paired with" : ""));
    }
  }
}

void note_remarks(Measurement& measurement, std::span<const Run> runs) {
  std::map<std::string, std::size_t> counts;
  for (const Run& run : runs) {
    const auto found = run.conditions.find(std::string(kRemark));
    if (run.kind == RunKind::measured && found != run.conditions.end()) ++counts[found->second];
  }
  for (const auto& [remark, count] : counts) measurement.warnings.push_back(fmt::format("{} ({} runs)", remark, count));
}

/// What of the values themselves the reader must know: steps of printed ones, and the floor of what is seen.
void note_values(Measurement& measurement) {
  for (std::string& rounding : evidence::visible_rounding(measurement.series))
    measurement.warnings.push_back(std::move(rounding));
  for (const evidence::Series& series : measurement.series) {
    const auto low = std::count_if(series.samples.begin(), series.samples.end(),
                                   [&](const evidence::Sample& sample) { return sample.value <= series.floor; });
    if (series.floor > 0 && low > 0)
      measurement.warnings.push_back(
          fmt::format("{} of '{}': {} of {} runs are no larger than what starting a process takes ({:.3g} MB): the "
                      "true values may be "
                      "lower, and differences from them larger",
                      series.metric.name, series.variant, low, series.samples.size(), 1e-6 * series.floor));
  }
}

void note_boots(Measurement& measurement, const Session& session, std::span<const Run> runs) {
  std::set<std::string> boots;
  for (const Run& run : runs)
    if (run.kind == RunKind::measured) boots.insert(run.boot);
  if (session.boots == 0 && boots.size() > 1)
    measurement.warnings.push_back(fmt::format(
        "the session was resumed after a reboot: its runs are of {} boots, and a block that it cut in two is no pair",
        boots.size()));
}

void note_missing(Measurement& measurement, const Session& session, std::span<const Run> runs) {
  const auto made = std::uint64_t(
      std::count_if(runs.begin(), runs.end(), [](const Run& run) { return run.kind == RunKind::measured; }));
  if (const std::uint64_t planned = planned_runs(session); made < planned)
    measurement.unfinished = fmt::format("{} of {} planned runs were made", made, planned);
  if (!measurement.unfinished.empty()) measurement.warnings.push_back(measurement.unfinished);
}

/// Every second block of abba is the reverse of the one before it: only an even number of them cancels a drift.
void note_odd_blocks(Measurement& measurement, const Session& session) {
  const std::uint32_t blocks = session.boots > 0 ? session.boots : session.terms.runs;
  if (session.terms.order == evidence::Order::abba && blocks % 2 == 1)
    measurement.warnings.push_back(fmt::format(
        "abba in an odd number of blocks ({}): the last has no reverse, so a drift is not cancelled", blocks));
}

std::string duration_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 7200) return fmt::format("{:.3g} min", seconds / 60);
  return fmt::format("{:.3g} h", seconds / 3600);
}

/// A session that was stopped and resumed. A pause is from the start of the last run before it to that of the first after it.
void note_goes(Measurement& measurement, const Session& session, std::span<const Run> runs) {
  std::map<std::string, std::pair<double, double>> goes;  // earliest and latest start of each
  for (const Run& run : runs) {
    const auto go = run.conditions.find(std::string(kGo));
    if (run.kind != RunKind::measured || go == run.conditions.end()) continue;
    auto& [first, last] = goes.emplace(go->second, std::pair(run.start, run.start)).first->second;
    first = std::min(first, run.start);
    last = std::max(last, run.start);
  }
  if (session.boots > 0 || goes.size() < 2) return;
  std::vector<std::pair<double, double>> in_time;
  for (const auto& [go, span] : goes) in_time.push_back(span);
  std::sort(in_time.begin(), in_time.end());
  double longest = 0;
  for (std::size_t i = 1; i < in_time.size(); ++i)
    longest = std::max(longest, in_time[i].first - in_time[i - 1].second);
  measurement.notes.push_back(fmt::format("made in {} goes, with a pause of {}{}", goes.size(),
                                          goes.size() > 2 ? "up to " : "", duration_text(longest)));
}

}  // namespace

Measurement measurement_of(const Session& session, std::span<const Run> runs) {
  std::vector<std::string> variants;
  for (const auto& variant : session.variants) variants.push_back(variant.name);
  Measurement measurement = without_samples(session, std::move(variants));
  add_runs(measurement, session, runs, RunKind::measured);
  const auto is_primary = [&](const evidence::Series& series) { return series.metric.name == session.terms.primary; };
  if (std::none_of(measurement.series.begin(), measurement.series.end(), is_primary)) measurement.terms.primary.clear();
  note_missing(measurement, session, runs);
  note_failures(measurement, runs);
  note_lost_values(measurement, session, runs);
  note_remarks(measurement, runs);
  note_values(measurement);
  note_boots(measurement, session, runs);
  note_odd_blocks(measurement, session);
  note_goes(measurement, session, runs);
  return measurement;
}

Measurement noise_of(const Session& session, std::span<const Run> runs) {
  Measurement measurement = without_samples(session, {session.variants.front().name, second_side(session)});
  add_runs(measurement, session, runs, RunKind::noise);
  return measurement;
}

}  // namespace tollgate::store
