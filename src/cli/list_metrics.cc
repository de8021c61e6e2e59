#include "cli/list_metrics.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "cli/data_paths.h"
#include "evidence/verdict.h"
#include "lab/experiment.h"
#include "lab/metrics.h"
#include "report/json_writer.h"

namespace tollgate::cli {
namespace {

using lab::Metric;

/// The questions that report the metric.
Result<std::vector<std::string>> questions_with(const Metric& metric) {
  std::vector<std::string> questions;
  for (const std::string& name : TRY(data_names("experiments"))) {
    const auto path = TRY(find_data_file("experiments", name));
    const auto metrics = TRY(lab::load_experiment(path.string())).metrics;
    if (std::find(metrics.begin(), metrics.end(), metric.info.name) != metrics.end()) questions.push_back(name);
  }
  return questions;
}

report::Document metric_document(const Metric& metric, const std::vector<std::string>& questions) {
  return {report::Heading{1, fmt::format("{}: {}", metric.info.name, metric.meaning)},
          report::Paragraph{fmt::format("Unit: {}. Better: {}.", metric.info.unit, to_text(metric.info.better))},
          report::Paragraph{
              fmt::format("Questions that report it: {}.", questions.empty() ? "none yet" : join(questions, ", "))}};
}

std::string metric_json(const Metric& metric, const std::vector<std::string>& questions) {
  report::JsonWriter json;
  json.begin_object().key("schema").text("tollgate.metric/1");
  json.key("name").text(metric.info.name).key("meaning").text(metric.meaning);
  json.key("unit").text(metric.info.unit).key("better").text(to_text(metric.info.better));
  json.key("experiments").texts(questions).end_object();
  return std::move(json).finish();
}

}  // namespace

Result<std::vector<ListEntry>> metric_entries() {
  std::vector<ListEntry> entries;
  for (const Metric& metric : lab::metric_catalogue())
    entries.push_back({metric.info.name, fmt::format("{} ({}, {} is better)", metric.meaning, metric.info.unit,
                                                     to_text(metric.info.better))});
  return entries;
}

Result<ListDetail> metric_detail(const std::string& name, const std::vector<std::string>&) {
  const Metric* metric = lab::find_metric(name);
  if (metric == nullptr)
    return fail(fmt::format("unknown metric '{}'{}", name, did_you_mean(name, lab::metric_names())));
  const std::vector<std::string> questions = TRY(questions_with(*metric));
  return ListDetail{metric_document(*metric, questions), metric_json(*metric, questions)};
}

}  // namespace tollgate::cli
