#include "lab/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/digest.h"
#include "base/interrupt.h"
#include "evidence/summary.h"

namespace tollgate::lab {

using evidence::Account;

RunResult simulate(const Question& question, const VariantSpec& variant, const hw::DrawnMachine& machine,
                   std::uint64_t seed, int draw, int replicate) {
  const auto index = std::uint64_t(draw);
  const workload::DrawnWorkload drawn =
      workload::draw_workload(question.workload, seed, index, std::uint64_t(replicate));
  world::WorldSetup setup;
  setup.machine = &machine;
  setup.era = &question.era;
  setup.policy = variant.policy;
  setup.cpus = question.cpus;
  setup.user_cpi = drawn.user_cpi;
  setup.kernel_cpi = drawn.kernel_cpi;
  setup.layout_seed = drawn.seed;
  setup.path_scale_draw = question.path_quantile.value_or(RandomStream::named(seed, "kernel paths", {index}).unit());
  world::World world(setup);
  question.workload.kind->start(world, question.workload, drawn);
  const double clock = machine.value(hw::FigureId::clock_ghz);
  const auto cycles = [&](double us) { return Cycles(std::int64_t(us * clock * 1e3)); };
  if (question.workload.kind->extent == workload::Extent::window)
    world.run_window(cycles(question.experiment.warm_us),
                     cycles(question.experiment.warm_us + question.experiment.measure_us));
  else
    world.run_to_completion();
  if (world.stopped()) return {};
  const evidence::Ledger ledger = world.ledger();
  return {ledger,
          world.events(),
          world.exposure(),
          world.elapsed().value,
          world.in_kernel().value - ledger[Account::idle],
          clock,
          question.cpus,
          question.workload.kind->work ? question.workload.kind->work(drawn) : 0};
}

Result<RunTable> simulate_all(const Question& question, const CompareOptions& options) {
  const auto& variants = question.experiment.variants;
  RunTable runs(variants.size(),
                std::vector<std::vector<RunResult>>(std::size_t(options.samples),
                                                    std::vector<RunResult>(std::size_t(options.replicates))));
  const std::size_t per_draw = variants.size() * std::size_t(options.replicates);
  const std::size_t total = per_draw * std::size_t(options.samples);
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  const auto work = [&] {
    for (std::size_t job = next++; job < total && !interrupted(); job = next++) {
      const std::size_t draw = job / per_draw;
      const std::size_t replicate = job % per_draw / variants.size();
      const std::size_t variant = job % variants.size();
      const hw::DrawnMachine machine = hw::draw_machine(question.machine, options.seed, draw);
      runs[variant][draw][replicate] =
          simulate(question, variants[variant], machine, options.seed, int(draw), int(replicate));
      if (options.progress) options.progress(++done, total);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 1; i < std::min<int>(options.threads, int(total)); ++i) threads.emplace_back(work);
    work();
  }
  if (interrupted()) return fail("interrupted");
  return runs;
}

namespace {

evidence::Summaries summarize_metric(const Question& question, const RunTable& runs, const Metric& metric) {
  std::vector<evidence::VariantSamples> samples;
  for (std::size_t v = 0; v < runs.size(); ++v) {
    evidence::VariantSamples of{question.experiment.variants[v].name, {}};
    for (const auto& draw : runs[v]) {
      of.values.emplace_back();
      for (const RunResult& run : draw) of.values.back().push_back(metric.of(run));
    }
    samples.push_back(std::move(of));
  }
  return evidence::summarize(metric.info, samples);
}

/// Means over all runs of one variant. What is "per operation" is the mean of the runs' own ratios, as metrics are: a
/// ratio of sums would give the draws in which much gets done more weight, and not the same in each variant.
void add_means(evidence::VariantResult& variant, const std::vector<std::vector<RunResult>>& runs) {
  double count = 0;
  double stale_us = 0;
  for (const auto& draw : runs) count += double(draw.size());
  for (const auto& draw : runs)
    for (const RunResult& run : draw) {
      const double operations = double(run.events[evidence::Event::operations]);
      const double per_operation = operations > 0 ? 1 / (operations * count) : 0;
      for (std::size_t i = 0; i < evidence::kAccounts; ++i) {
        variant.ledger[i] += double(run.ledger.cycles[i]) / count;
        variant.ledger_per_operation[i] += double(run.ledger.cycles[i]) * per_operation;
      }
      for (std::size_t i = 0; i < evidence::kEvents; ++i) {
        variant.events[i] += double(run.events.counts[i]) / count;
        variant.events_per_operation[i] += double(run.events.counts[i]) * per_operation;
      }
      for (std::size_t i = 0; i < evidence::kMemoryKinds; ++i) {
        variant.exposure.mapped_bytes[i] += run.exposure.mapped_bytes[i] / count;
        variant.exposure.cached_bytes[i] += run.exposure.cached_bytes[i] / count;
      }
      variant.exposure.stale_entries += run.exposure.stale_entries / count;
      stale_us += run.exposure.stale_mean_us * run.exposure.stale_entries / count;
      variant.exposure.stale_max_us = std::max(variant.exposure.stale_max_us, run.exposure.stale_max_us);
    }
  if (variant.exposure.stale_entries > 0) variant.exposure.stale_mean_us = stale_us / variant.exposure.stale_entries;
}

/// By name, so that an account or event that is new and not used changes no digest.
template <typename Infos, typename Values>
void add_nonzero(Digest& digest, const Infos& infos, const Values& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0) continue;
    digest.add(std::string_view(infos[i].name));
    digest.add(values[i]);
  }
}

std::string digest_of(const Question& question, const RunTable& runs) {
  Digest digest;
  for (std::size_t v = 0; v < runs.size(); ++v) {
    digest.add(std::string_view(question.experiment.variants[v].name));
    for (const auto& draw : runs[v])
      for (const RunResult& run : draw) {
        add_nonzero(digest, evidence::kAccountInfo, run.ledger.cycles);
        add_nonzero(digest, evidence::kEventInfo, run.events.counts);
        for (const auto& name : question.experiment.metrics) digest.add(find_metric(name)->of(run));
      }
  }
  return digest.hex();
}

int runs_without_operations(const RunTable& runs) {
  int count = 0;
  for (const auto& variant : runs)
    for (const auto& draw : variant)
      for (const RunResult& run : draw) count += run.events[evidence::Event::operations] == 0;
  return count;
}

evidence::Comparison assemble(const Question& question, const CompareOptions& options, const RunTable& runs) {
  evidence::Comparison comparison;
  comparison.experiment = question.experiment.name;
  comparison.title = question.experiment.title;
  comparison.machine = question.machine.name;
  comparison.workload = question.workload.name;
  comparison.seed = options.seed;
  comparison.settings = question.settings;
  // Notes are about the question as it is asked; with another machine, workload or setting they need not hold.
  const bool as_asked = question.settings.empty() && question.machine.name == question.experiment.machine &&
                        question.workload.name == question.experiment.workload;
  if (as_asked) comparison.notes = question.experiment.notes;
  comparison.warnings = question.warnings;
  for (const auto& variant : question.experiment.variants) {
    comparison.variants.emplace_back();
    comparison.variants.back().name = variant.name;
  }
  for (const auto& name : question.experiment.metrics) {
    evidence::Summaries summaries = summarize_metric(question, runs, *find_metric(name));
    comparison.few_draws = summaries.few_draws;
    evidence::append_unique(comparison.warnings, summaries.warnings);
    for (std::size_t v = 0; v < runs.size(); ++v)
      comparison.variants[v].metrics.push_back(std::move(summaries.variants[v]));
  }
  if (const int idle = runs_without_operations(runs); idle > 0)
    comparison.warnings.push_back(fmt::format(
        "in {} runs no operation finished, so that nothing an operation can be said: lengthen run.measure_us", idle));
  for (std::size_t v = 0; v < runs.size(); ++v) add_means(comparison.variants[v], runs[v]);
  comparison.digest = digest_of(question, runs);
  return comparison;
}

double largest_mc_error(const evidence::Comparison& comparison) {
  double largest = 0;
  for (const auto& variant : comparison.variants)
    largest = std::max(largest, variant.metrics.front().mc_error_percent.value_or(0));
  return largest;
}

}  // namespace

evidence::Summaries summarize_primary(const Question& question, const RunTable& runs) {
  return summarize_metric(question, runs, *find_metric(question.experiment.metrics.front()));
}

Result<evidence::Comparison> compare(const Question& question, const CompareOptions& wanted,
                                     const std::vector<evidence::PublishedRow>& published) {
  constexpr int kMostReplicates = 256;
  CompareOptions options = wanted;
  evidence::Comparison comparison;
  while (true) {
    comparison = assemble(question, options, TRY(simulate_all(question, options)));
    if (!options.until_mc_percent || largest_mc_error(comparison) <= *options.until_mc_percent) break;
    if (options.replicates >= kMostReplicates) {
      comparison.warnings.push_back(fmt::format("mc_error is still {:.3f} % after {} replicates of each draw",
                                                largest_mc_error(comparison), options.replicates));
      break;
    }
    options.replicates *= 2;
  }
  for (const auto& row : published)
    if (row.question == question.experiment.name) {
      comparison.published.push_back(row);
      evidence::PublishedRow& shown = comparison.published.back();
      if (shown.machine.empty()) shown.machine = question.experiment.machine;
      if (shown.workload.empty()) shown.workload = question.experiment.workload;
    }
  return comparison;
}

}  // namespace tollgate::lab
