#include "report/validation.h"

#include <fmt/core.h>

#include <array>

#include "evidence/summary.h"
#include "report/comparison_json.h"
#include "report/document.h"
#include "report/numbers.h"
#include "report/sections.h"

namespace tollgate::report {
namespace {

using evidence::PublishedUse;
using evidence::Verdict;

struct Group {
  PublishedUse use;
  std::string heading;
};
const std::array<Group, 5> kGroups{{
    {PublishedUse::validate, "validate: the published delta must lie in the interval"},
    {PublishedUse::sign, "sign: the direction must agree"},
    {PublishedUse::calibrate,
     "calibrate: a machine figure was taken from the row, so agreement proves nothing, but disagreement does"},
    {PublishedUse::context, "context: not the same experiment"},
    {PublishedUse::noise, "noise: the published effect is within its own noise"},
}};

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

std::vector<std::string> cells_of(const ValidationRow& row) {
  return {row.published.id,
          or_dash(row.published.question),
          percent_text(row.published.delta_percent),
          percent_text(row.predicted_percent),
          interval_text(row.interval_percent),
          std::string(to_text(row.verdict))};
}

void add_group(Document& document, const Group& group, const std::vector<ValidationRow>& rows) {
  Table table{{{"row", Align::left},
               {"question", Align::left},
               {"published", Align::right},
               {"predicted", Align::right},
               {"90% interval", Align::right},
               {"verdict", Align::left}},
              {}};
  std::vector<std::string> sources;
  for (const auto& row : rows) {
    if (row.published.use != group.use) continue;
    table.rows.push_back(cells_of(row));
    sources.push_back(source_line(row.published));
  }
  if (sources.empty()) return;
  document.push_back(Heading{2, group.heading});
  document.push_back(std::move(table));
  document.push_back(Bullets{std::move(sources)});
}

std::string count_of(std::size_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

Document build(const Validation& validation) {
  const auto& rows = validation.rows;
  Document document{Heading{1, "Published results beside their predictions"}};
  document.push_back(Paragraph{fmt::format(
      "seed {}, {} of each machine's figures{}", validation.seed, count_of(validation.samples, "draw", "draws"),
      validation.samples < evidence::kManyDraws ? "; fewer than 20: intervals are Student's prediction intervals, wide "
                                                  "enough to hit much"
                                                : "")});
  for (const auto& group : kGroups) add_group(document, group, rows);
  const auto counts = count_verdicts(rows);
  document.push_back(
      Paragraph{fmt::format("{}: {}, {}, {} not modelled, {} not scored", count_of(rows.size(), "row", "rows"),
                            count_of(counts.hits, "hit", "hits"), count_of(counts.misses, "miss", "misses"),
                            counts.not_modelled, counts.not_scored)});
  return document;
}

void write_row(JsonWriter& json, const ValidationRow& row) {
  json.begin_object();
  json.key("id").text(row.published.id);
  json.key("use").text(to_text(row.published.use));
  json.key("question").text(row.published.question);
  json.key("machine").text(row.published.machine);
  json.key("workload").text(row.published.workload);
  json.key("baseline").text(row.published.baseline);
  json.key("variant").text(row.published.variant);
  json.key("metric").text(row.published.metric);
  json.key("delta_percent").number(row.published.delta_percent);
  json.key("predicted_percent").number(row.predicted_percent);
  json.key("predicted_interval_percent");
  write_interval(json, row.interval_percent);
  json.key("verdict").text(to_text(row.verdict));
  json.key("source").text(row.published.source);
  json.key("note").text(row.published.note);
  json.end_object();
}

}  // namespace

ValidationRow validation_row(const evidence::PublishedRow& published, const evidence::Comparison* comparison) {
  if (!comparison) return {published, std::nullopt, std::nullopt, judge(published, evidence::Prediction{})};
  const auto prediction = predict(published, *comparison);
  return {published, prediction.delta_percent, prediction.interval_percent, judge(published, *comparison)};
}

ValidationCounts count_verdicts(const std::vector<ValidationRow>& rows) {
  ValidationCounts counts;
  for (const auto& row : rows) {
    if (row.verdict == Verdict::hit)
      ++counts.hits;
    else if (row.verdict == Verdict::miss || row.verdict == Verdict::calibrate_missed)
      ++counts.misses;
    else if (row.verdict == Verdict::not_modelled)
      ++counts.not_modelled;
    else
      ++counts.not_scored;
  }
  return counts;
}

std::string validation_text(const Validation& validation) { return render_text(build(validation)); }
std::string validation_markdown(const Validation& validation) { return render_markdown(build(validation)); }

std::string validation_json(const Validation& validation) {
  const auto& rows = validation.rows;
  const auto counts = count_verdicts(rows);
  JsonWriter json;
  json.begin_object();
  json.key("schema").text("tollgate.validation/1");
  json.key("seed").whole(validation.seed);
  json.key("samples").whole(validation.samples);
  json.key("rows").begin_array();
  for (const auto& row : rows) write_row(json, row);
  json.end_array();
  json.key("hits").whole(counts.hits);
  json.key("misses").whole(counts.misses);
  json.key("not_modelled").whole(counts.not_modelled);
  json.key("not_scored").whole(counts.not_scored);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace tollgate::report
