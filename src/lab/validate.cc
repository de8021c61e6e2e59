#include "lab/validate.h"

#include <map>
#include <tuple>

namespace tollgate::lab {
namespace {

using Setting = std::tuple<std::string, std::string, std::string>;  // question, machine, workload

Setting setting_of(const evidence::PublishedRow& row) { return {row.question, row.machine, row.workload}; }

Result<evidence::Comparison> ask(const evidence::PublishedRow& row, const DataFinder& find,
                                 const CompareOptions& options) {
  QuestionRequest request;
  request.experiment = row.question;
  if (!row.machine.empty()) request.machine = row.machine;
  if (!row.workload.empty()) request.workload = row.workload;
  return compare(TRY(load_question(request, find, nullptr)), options, {});
}

}  // namespace

Result<report::Validation> validate(const std::vector<evidence::PublishedRow>& published, const DataFinder& find,
                                    const CompareOptions& options) {
  std::map<Setting, const evidence::PublishedRow*> settings;
  for (const auto& row : published)
    if (!row.question.empty()) settings.emplace(setting_of(row), &row);
  CompareOptions quiet = options;
  quiet.progress = nullptr;
  std::map<Setting, evidence::Comparison> answers;
  for (const auto& [setting, row] : settings) {
    if (options.progress) options.progress(answers.size(), settings.size());
    answers.emplace(setting, TRY(ask(*row, find, quiet)));
  }
  report::Validation validation{{}, options.seed, std::size_t(options.samples)};
  for (const auto& row : published) {
    const auto at = answers.find(setting_of(row));
    validation.rows.push_back(report::validation_row(row, at == answers.end() ? nullptr : &at->second));
  }
  return validation;
}

}  // namespace tollgate::lab
