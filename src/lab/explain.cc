#include "lab/explain.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "evidence/quantiles.h"
#include "evidence/summary.h"

namespace tollgate::lab {

using evidence::Event;
using hw::FigureId;

namespace {

constexpr std::size_t kReruns = 10;
constexpr double kLeastLeverage = 1e-4;  // of an operation's cycles: below that, a figure does not move the answer

double count(const evidence::VariantResult& variant, Event event) {
  return variant.events[static_cast<std::size_t>(event)];
}

/// Latency of a side's walks and second-level hits together, at typical prices: what its exposed share multiplies.
double side_latency(const evidence::VariantResult& variant, const hw::DrawnMachine& typical, Event misses,
                    Event walks) {
  const double all_walks = count(variant, Event::itlb_walks) + count(variant, Event::dtlb_walks);
  const double fetches = count(variant, Event::walk_fetches_near) * typical.value(FigureId::walk_fetch_near) +
                         count(variant, Event::walk_fetches_far) * typical.value(FigureId::walk_fetch_far);
  const double a_walk = typical.value(FigureId::walk_setup) + (all_walks > 0 ? fetches / all_walks : 0);
  return count(variant, walks) * a_walk +
         (count(variant, misses) - count(variant, walks)) * typical.value(FigureId::walk_stlb_hit);
}

}  // namespace

double times_paid(FigureId id, const evidence::VariantResult& variant, const hw::DrawnMachine& typical) {
  const auto n = [&](Event event) { return count(variant, event); };
  const double exposed = typical.value(FigureId::walk_exposed_data);
  switch (id) {
    case FigureId::walk_setup:
      return (n(Event::itlb_walks) + n(Event::dtlb_walks)) * exposed;
    case FigureId::walk_fetch_near:
      return n(Event::walk_fetches_near) * exposed;
    case FigureId::walk_fetch_far:
      return n(Event::walk_fetches_far) * exposed;
    case FigureId::walk_stlb_hit:
      return (n(Event::itlb_misses) + n(Event::dtlb_misses) - n(Event::itlb_walks) - n(Event::dtlb_walks)) * exposed;
    case FigureId::walk_exposed_instruction:
      return side_latency(variant, typical, Event::itlb_misses, Event::itlb_walks);
    case FigureId::walk_exposed_data:
      return side_latency(variant, typical, Event::dtlb_misses, Event::dtlb_walks);
    case FigureId::entry_syscall:
    case FigureId::entry_sysret:
      return n(Event::kernel_entries) - n(Event::page_faults);
    case FigureId::entry_exception:
      return n(Event::page_faults);
    case FigureId::entry_interrupt:
      return n(Event::ipis);
    case FigureId::entry_iret:
      return n(Event::ipis) + n(Event::page_faults);
    case FigureId::cr3_write:
      return n(Event::cr3_writes);
    case FigureId::flush_invlpg:
    case FigureId::flush_invpcid_address:
      return n(Event::flushes_page);
    case FigureId::flush_broadcast_issue:
    case FigureId::flush_broadcast_sync:
      return n(Event::flushes_broadcast);
    case FigureId::ipi_send:
    case FigureId::ipi_handler:
      return n(Event::ipis);
    case FigureId::ipi_latency:
      return n(Event::ipi_rounds);
    case FigureId::flush_broadcast_per_cpu:
      return n(Event::flushes_broadcast) * typical.topology.cpus;
    case FigureId::vm_exit:
    case FigureId::vm_entry:
      return n(Event::vm_exits);
    case FigureId::vcpu_load:
    case FigureId::vcpu_put:
      return n(Event::vcpu_loads);
    case FigureId::line_transfer_near:
      return n(Event::line_transfers_near) + n(Event::ipi_rounds);
    case FigureId::line_transfer_far:
      return n(Event::line_transfers_far);
    default:
      return 0;
  }
}

std::vector<report::SensitivityRow> rank_figures(const hw::Machine& machine, const evidence::VariantResult& baseline,
                                                 const evidence::VariantResult& variant, std::size_t most) {
  const hw::DrawnMachine typical = hw::typical_machine(machine);
  const auto per_operation = [](const evidence::VariantResult& of, double amount) {
    return amount / std::max(1.0, count(of, Event::operations));
  };
  const double cycles = per_operation(baseline, std::accumulate(baseline.ledger.begin(), baseline.ledger.end(), 0.0));
  std::vector<report::SensitivityRow> rows;
  for (const hw::FigureInfo& info : hw::kFigures) {
    const config::Figure& figure = machine.figure(info.id);
    if (!machine.has_figure(info.id) || figure.high <= figure.low) continue;
    const double difference = per_operation(variant, times_paid(info.id, variant, typical)) -
                              per_operation(baseline, times_paid(info.id, baseline, typical));
    const double scale = figure.unit == "ns" ? typical.value(FigureId::clock_ghz) : 1;
    const double leverage = (figure.high - figure.low) * scale * difference;
    if (leverage == 0 || std::abs(leverage) < kLeastLeverage * cycles) continue;
    rows.push_back({variant.name,
                    std::string(info.name),
                    figure.low,
                    figure.typical,
                    figure.high,
                    figure.unit,
                    std::string(config::to_text(figure.kind)),
                    figure.source,
                    leverage,
                    {},
                    {}});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.leverage) > std::abs(b.leverage); });
  if (rows.size() > most) rows.resize(most);
  return rows;
}

namespace {

/// Draws with one figure pinned to an end of its range.
hw::DrawnMachine pin(const hw::Machine& machine, hw::DrawnMachine drawn, std::string_view figure_name, double value) {
  for (const hw::FigureInfo& info : hw::kFigures)
    if (info.name == figure_name)
      drawn.values[static_cast<std::size_t>(info.id)] =
          machine.figure(info.id).unit == "ns" ? value * drawn.value(FigureId::clock_ghz) : value;
  return drawn;
}

/// The primary metric's samples of one variant, one a draw.
std::vector<double> samples_of(const Question& question, const std::vector<std::vector<RunResult>>& runs) {
  const Metric& metric = *find_metric(question.experiment.metrics.front());
  std::vector<double> samples;
  for (const auto& draw : runs) {
    double sum = 0;
    for (const RunResult& run : draw) sum += metric.of(run);
    samples.push_back(sum / double(draw.size()));
  }
  return samples;
}

/// A question of two variants only: the baseline and the one explained.
Question only(const Question& question, const std::string& variant) {
  Question two = question;
  std::erase_if(two.experiment.variants, [&](const VariantSpec& spec) {
    return spec.name != variant && spec.name != question.experiment.variants.front().name;
  });
  return two;
}

Result<std::optional<double>> delta_at(const Question& question, const CompareOptions& options,
                                       const report::SensitivityRow& row, double value) {
  const Question two = only(question, row.variant);
  const RunTable runs = TRY(simulate_all(two, options, [&](int draw) {
    return pin(two.machine, hw::draw_machine(two.machine, options.seed, std::uint64_t(draw)), row.figure, value);
  }));
  return evidence::delta_of_samples(samples_of(two, runs[0]), samples_of(two, runs[1])).delta_percent;
}

Result<void> rerun(const Question& question, const CompareOptions& options, std::vector<report::SensitivityRow>& rows) {
  std::uint64_t done = 0;
  CompareOptions quiet = options;
  quiet.progress = nullptr;
  for (report::SensitivityRow& row : rows) {
    row.delta_percent_low = TRY(delta_at(question, quiet, row, row.low));
    row.delta_percent_high = TRY(delta_at(question, quiet, row, row.high));
    if (options.progress) options.progress(++done, rows.size());
  }
  return {};
}

Result<std::vector<report::LayoutStep>> sweep_layout(const QuestionRequest& request, const LayoutSweep& sweep,
                                                     const DataFinder& find, const CompareOptions& options) {
  std::vector<std::vector<report::LayoutStep>> by_variant;
  for (const double value : sweep.values) {
    QuestionRequest at = request;
    at.settings.push_back(fmt::format("{}={}", sweep.key, value));
    const Question question = TRY(load_question(at, find, nullptr));
    const RunTable runs = TRY(simulate_all(question, options, [&](int draw) {
      return hw::draw_machine(question.machine, options.seed, std::uint64_t(draw));
    }));
    by_variant.resize(runs.size() - 1);
    const std::vector<double> baseline = samples_of(question, runs[0]);
    for (std::size_t v = 1; v < runs.size(); ++v) {
      std::vector<double> deltas = samples_of(question, runs[v]);
      for (std::size_t i = 0; i < deltas.size(); ++i) deltas[i] = 100 * (deltas[i] - baseline[i]) / baseline[i];
      const auto quantiles = evidence::quantiles(deltas, {0.05, 0.5, 0.95});
      by_variant[v - 1].push_back({question.experiment.variants[v].name, sweep.key, fmt::format("{}", value),
                                   quantiles[1], quantiles[0], quantiles[2]});
    }
  }
  std::vector<report::LayoutStep> steps;
  for (const auto& of : by_variant) steps.insert(steps.end(), of.begin(), of.end());
  return steps;
}

}  // namespace

Result<report::Explanation> explain(const QuestionRequest& request, const Question& question, const DataFinder& find,
                                    const CompareOptions& options,
                                    const std::vector<evidence::PublishedRow>& published) {
  report::Explanation explanation;
  explanation.comparison = TRY(compare(question, options, published));
  explanation.missing = question.experiment.missing_inputs;
  // Reruns share draws and streams with the answer, so that a few of them tell as much as many.
  CompareOptions reruns = options;
  reruns.samples = std::max(2, options.samples / 4);
  reruns.replicates = 1;
  reruns.until_mc_percent.reset();
  const auto& variants = explanation.comparison.variants;
  for (std::size_t v = 1; v < variants.size(); ++v) {
    auto rows = rank_figures(question.machine, variants[0], variants[v], kReruns);
    TRY(rerun(question, reruns, rows));
    explanation.sensitivity.insert(explanation.sensitivity.end(), rows.begin(), rows.end());
  }
  reruns.samples = std::max(2, options.samples / 2);
  if (question.experiment.layout)
    explanation.layout = TRY(sweep_layout(request, *question.experiment.layout, find, reruns));
  return explanation;
}

}  // namespace tollgate::lab
