#include "lab/explain.h"

#include <fmt/core.h>

#include <algorithm>

#include "lab/sensitivity.h"
#include "statistics/quantiles.h"

namespace tollgate::lab {

namespace {

constexpr std::size_t kReruns = 10;
constexpr int kLeastRerunDraws = 5;

Result<std::vector<report::LayoutStep>> sweep_layout(const QuestionRequest& request, const LayoutSweep& sweep,
                                                     const DataFinder& find, const CompareOptions& options) {
  std::vector<std::vector<report::LayoutStep>> by_variant;
  for (const double value : sweep.values) {
    QuestionRequest at = request;
    std::erase_if(at.settings, [&](const std::string& setting) { return setting.starts_with(sweep.key + "="); });
    at.settings.push_back(fmt::format("{}={}", sweep.key, value));
    const Question question = TRY(load_question(at, find, nullptr));
    const evidence::Summaries summaries = summarize_primary(question, TRY(simulate_all(question, options)));
    by_variant.resize(summaries.variants.size() - 1);
    const std::vector<double>& baseline = summaries.variants[0].samples;
    for (std::size_t v = 1; v < summaries.variants.size(); ++v) {
      std::vector<double> deltas = summaries.variants[v].samples;
      for (std::size_t i = 0; i < deltas.size(); ++i) deltas[i] = 100 * (deltas[i] - baseline[i]) / baseline[i];
      const auto quantiles = statistics::quantiles(deltas, {0.05, 0.5, 0.95});
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
  // Reruns take some of the answer's own draws and streams; a bar stands beside the delta of those same draws.
  CompareOptions reruns = options;
  reruns.samples = std::min(options.samples, std::max(kLeastRerunDraws, options.samples / 4));
  reruns.replicates = 1;
  reruns.until_mc_percent.reset();
  const std::vector<Input> inputs = rank_inputs(question, explanation.comparison.variants, kReruns);
  explanation.sensitivity = TRY(rerun_at_both_ends(question, reruns, inputs));
  reruns.samples = std::max(2, options.samples / 2);
  if (question.experiment.layout)
    explanation.layout = TRY(sweep_layout(request, *question.experiment.layout, find, reruns));
  return explanation;
}

}  // namespace tollgate::lab
