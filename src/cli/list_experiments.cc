#include "cli/list_experiments.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "cli/data_paths.h"
#include "cli/question.h"
#include "evidence/verdict.h"
#include "lab/metrics.h"
#include "report/json_writer.h"
#include "report/numbers.h"
#include "report/sections.h"

namespace tollgate::cli {
namespace {

using evidence::PublishedRow;
using lab::Experiment;
using lab::VariantSpec;

/// An experiment with the titles of what it names, and the rows that name it.
struct ListedQuestion {
  Experiment experiment;
  std::string machine_title, workload_title, kernel_title;
  workload::Extent extent = workload::Extent::window;
  std::vector<PublishedRow> published;
};

Result<ListedQuestion> read_question(const std::string& name) {
  ListedQuestion question;
  question.experiment = TRY(lab::load_experiment(TRY(find_data("experiments", name))));
  const Experiment& experiment = question.experiment;
  question.machine_title = TRY(hw::load_machine(TRY(find_data("machines", experiment.machine)))).title;
  const auto workload = TRY(workload::read_workload(TRY(find_data("workloads", experiment.workload)), {}));
  question.workload_title = workload.title;
  question.extent = workload.kind->extent;
  question.kernel_title = TRY(kernel::load_era(TRY(find_data("kernels", experiment.kernel)))).title;
  for (PublishedRow& row : TRY(published_rows()))
    if (row.question == experiment.name) question.published.push_back(std::move(row));
  return question;
}

std::string asked_of(const VariantSpec& variant) {
  return variant.only_without_pcid ? "machines without PCIDs" : "every machine";
}

std::string window_text(const ListedQuestion& question) {
  if (question.extent == workload::Extent::completion)
    return "A sample runs until its programs have exited, and is measured whole.";
  return fmt::format("A sample runs for {} us, and is then measured for {} us.",
                     report::number_text(question.experiment.warm_us),
                     report::number_text(question.experiment.measure_us));
}

report::Table parts_table(const ListedQuestion& question) {
  const Experiment& experiment = question.experiment;
  return {{{"part"}, {"name"}, {"title"}},
          {{"machine", experiment.machine, question.machine_title},
           {"workload", experiment.workload, question.workload_title},
           {"kernel", experiment.kernel, question.kernel_title}}};
}

report::Table metric_table(const Experiment& experiment) {
  report::Table table{{{"metric"}, {"unit"}, {"better"}, {"meaning"}}, {}};
  for (const std::string& name : experiment.metrics) {
    const lab::Metric& metric = *lab::find_metric(name);
    table.rows.push_back({name, metric.info.unit, std::string(to_text(metric.info.better)), metric.meaning});
  }
  return table;
}

report::Table variant_table(const Experiment& experiment) {
  report::Table table{{{"variant"}}, {}};
  for (const auto& info : kernel::policy_catalogue()) table.columns.push_back({std::string(info.key)});
  table.columns.push_back({"asked of"});
  for (const VariantSpec& variant : experiment.variants) {
    std::vector<std::string> row{variant.name};
    for (std::string& value : kernel::policy_values(variant.policy)) row.push_back(std::move(value));
    row.push_back(asked_of(variant));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// What each value that a variant has means.
report::Bullets value_meanings(const Experiment& experiment) {
  report::Bullets bullets;
  const auto& catalogue = kernel::policy_catalogue();
  for (std::size_t i = 0; i < catalogue.size(); ++i) {
    const auto has = [&](std::string_view value) {
      return std::any_of(experiment.variants.begin(), experiment.variants.end(),
                         [&](const VariantSpec& variant) { return kernel::policy_values(variant.policy)[i] == value; });
    };
    for (const auto& [value, meaning] : catalogue[i].choices)
      if (has(value)) bullets.items.push_back(fmt::format("{} = {}: {}", catalogue[i].key, value, meaning));
  }
  return bullets;
}

void add_layout(report::Document& document, const Experiment& experiment) {
  if (!experiment.layout) return;
  std::vector<std::string> values;
  for (const double value : experiment.layout->values) values.push_back(fmt::format("{}", value));
  document.emplace_back(report::Heading{2, "Layout"});
  document.emplace_back(
      report::Paragraph{fmt::format("`explain` asks it again with {} = {}: {}.", experiment.layout->key,
                                    join(values, ", "), experiment.layout->meaning)});
}

void add_published_rows(report::Document& document, const ListedQuestion& question) {
  if (question.published.empty()) return;
  report::Table table{{{"row"},
                       {"use"},
                       {"machine"},
                       {"workload"},
                       {"variant"},
                       {"metric"},
                       {"published", report::Align::right},
                       {"source"}},
                      {}};
  const Experiment& experiment = question.experiment;
  for (const PublishedRow& row : question.published)
    table.rows.push_back({row.id, std::string(to_text(row.use)), row.machine.empty() ? experiment.machine : row.machine,
                          row.workload.empty() ? experiment.workload : row.workload,
                          row.baseline.empty() ? row.variant : fmt::format("{} against {}", row.variant, row.baseline),
                          row.metric, report::percent_text(row.delta_percent), row.source});
  document.emplace_back(report::Heading{2, "Published results"});
  document.emplace_back(table);
}

report::Document experiment_document(const ListedQuestion& question) {
  const Experiment& experiment = question.experiment;
  report::Document document{report::Heading{1, fmt::format("{}: {}", experiment.name, experiment.title)},
                            parts_table(question),
                            report::Paragraph{window_text(question)},
                            report::Heading{2, "Metrics, the primary one first"},
                            metric_table(experiment),
                            report::Heading{2, "Variants, the baseline first"},
                            variant_table(experiment),
                            value_meanings(experiment)};
  add_layout(document, experiment);
  report::add_list(document, "Notes", experiment.notes);
  report::add_list(document, "Missing inputs", experiment.missing_inputs);
  add_published_rows(document, question);
  return document;
}

void write_metrics(report::JsonWriter& json, const Experiment& experiment) {
  json.key("metrics").begin_array();
  for (const std::string& name : experiment.metrics) {
    const lab::Metric& metric = *lab::find_metric(name);
    json.begin_object().key("name").text(name).key("unit").text(metric.info.unit);
    json.key("better").text(to_text(metric.info.better)).key("meaning").text(metric.meaning).end_object();
  }
  json.end_array();
}

void write_variants(report::JsonWriter& json, const Experiment& experiment) {
  json.key("variants").begin_array();
  for (const VariantSpec& variant : experiment.variants) {
    json.begin_object().key("name").text(variant.name).key("policy").begin_object();
    const std::vector<std::string> values = kernel::policy_values(variant.policy);
    for (std::size_t i = 0; i < values.size(); ++i) json.key(kernel::policy_catalogue()[i].key).text(values[i]);
    json.end_object().key("only_without_pcid").flag(variant.only_without_pcid).end_object();
  }
  json.end_array();
}

void write_layout(report::JsonWriter& json, const Experiment& experiment) {
  json.key("layout");
  if (!experiment.layout) {
    json.null();
    return;
  }
  json.begin_object().key("key").text(experiment.layout->key).key("values").numbers(experiment.layout->values);
  json.key("meaning").text(experiment.layout->meaning).end_object();
}

void write_published(report::JsonWriter& json, const PublishedRow& row) {
  json.begin_object().key("id").text(row.id).key("use").text(to_text(row.use));
  json.key("machine").text(row.machine).key("workload").text(row.workload).key("baseline").text(row.baseline);
  json.key("variant").text(row.variant).key("metric").text(row.metric).key("delta_percent").number(row.delta_percent);
  json.key("source").text(row.source).end_object();
}

std::string experiment_json(const ListedQuestion& question) {
  const Experiment& experiment = question.experiment;
  report::JsonWriter json;
  json.begin_object().key("schema").text("tollgate.experiment/1");
  json.key("name").text(experiment.name).key("title").text(experiment.title);
  json.key("machine").text(experiment.machine).key("workload").text(experiment.workload);
  json.key("kernel").text(experiment.kernel).key("run").begin_object();
  json.key("warm_us").number(experiment.warm_us).key("measure_us").number(experiment.measure_us).end_object();
  write_metrics(json, experiment);
  write_variants(json, experiment);
  write_layout(json, experiment);
  json.key("notes").texts(experiment.notes).key("missing_inputs").texts(experiment.missing_inputs);
  json.key("published").begin_array();
  for (const PublishedRow& row : question.published) write_published(json, row);
  json.end_array().end_object();
  return std::move(json).finish();
}

}  // namespace

Result<std::vector<ListEntry>> experiment_entries() {
  return file_entries("experiments", [](const std::string& path) -> Result<std::string> {
    return TRY(lab::load_experiment(path)).title;
  });
}

Result<ListDetail> experiment_detail(const std::string& name, const std::vector<std::string>&) {
  const ListedQuestion question = TRY(read_question(name));
  return ListDetail{experiment_document(question), experiment_json(question)};
}

}  // namespace tollgate::cli
