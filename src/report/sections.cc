#include "report/sections.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/text.h"
#include "evidence/ledger_difference.h"
#include "evidence/names.h"
#include "evidence/verdict.h"
#include "report/numbers.h"

namespace tollgate::report {
namespace {

using evidence::Comparison;
using evidence::MetricInfo;
using evidence::MetricSummary;
using evidence::VariantResult;

std::vector<const MetricSummary*> metric_of_all(const Comparison& comparison, std::string_view name) {
  std::vector<const MetricSummary*> found;
  for (const auto& variant : comparison.variants) found.push_back(find_metric(variant, name));
  return found;
}

int decimals_of_means(const std::vector<const MetricSummary*>& metrics) {
  std::vector<double> values;
  for (const auto* metric : metrics)
    if (metric) values.push_back(metric->mean);
  return decimals_for(values);
}

/// "?" where a printed summary does not say it.
std::string count_text(const MetricSummary& metric) {
  const std::uint64_t count = metric.printed_count.value_or(metric.samples.size());
  return count == 0 ? "?" : fmt::format("{}", count);
}

// The cells of one metric of one variant; `metric` may be null.

std::vector<std::string> value_cells(const MetricSummary* metric, int decimals) {
  if (!metric) return {"-", "-", "-", "-"};
  return {count_text(*metric), fixed_text(metric->mean, decimals), fixed_text(metric->min, decimals),
          fixed_text(metric->max, decimals)};
}

/// Delta and interval over the draws.
std::vector<std::string> simulated_cells(const MetricSummary* metric) {
  if (!metric) return {"-", "-"};
  return {percent_text(metric->delta_percent),
          metric->delta_percent ? interval_text(metric->interval_percent, metric->mc_error_percent) : std::string("-")};
}

/// Delta, shift, the shift's interval and the verdict.
std::vector<std::string> real_cells(const MetricSummary* metric) {
  if (!metric || !metric->estimate) return {"-", "-", "-", "-"};
  const auto& estimate = *metric->estimate;
  return {percent_text(metric->delta_percent), percent_text(estimate.shift_percent),
          interval_text(estimate.interval_percent), finding_text(estimate, metric->info.better)};
}

Table whole_table(const Comparison& comparison, std::string_view name) {
  const auto metrics = metric_of_all(comparison, name);
  const int decimals = decimals_of_means(metrics);
  Table table{{{"variant", Align::left},
               {"samples", Align::right},
               {"mean", Align::right},
               {"min", Align::right},
               {"max", Align::right},
               {"delta mean", Align::right}},
              {}};
  if (comparison.session) table.columns.push_back({"shift", Align::right});
  table.columns.push_back({interval_header(comparison), Align::right});
  if (comparison.session) table.columns.push_back({"verdict", Align::left});
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    std::vector<std::string> row{comparison.variants[i].name};
    const auto compared = comparison.session ? real_cells(metrics[i]) : simulated_cells(metrics[i]);
    for (const auto& cells : {value_cells(metrics[i], decimals), compared})
      row.insert(row.end(), cells.begin(), cells.end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table short_table(const Comparison& comparison, std::string_view name) {
  Table table = whole_table(comparison, name);
  for (std::size_t column : {4u, 3u, 1u}) {  // max, min, samples
    table.columns.erase(table.columns.begin() + std::ptrdiff_t(column));
    for (auto& row : table.rows) row.erase(row.begin() + std::ptrdiff_t(column));
  }
  return table;
}

std::string p_text(double p) { return p < 1e-4 ? "< 0.0001" : fmt::format("= {:.2g}", p); }

std::string values_text(const evidence::RealEstimate& estimate) {
  if (estimate.design == evidence::Design::paired) return fmt::format("{} pairs", estimate.baseline_values);
  const std::string group = estimate.levels ? estimate.levels->group : "run";
  return fmt::format("{} and {} {}s", estimate.baseline_values, estimate.variant_values, group);
}

std::string levels_text(const evidence::Levels& levels) {
  if (!levels.share_between) return "";
  return fmt::format("; {:.0f} % of the variance lies between {}s, all runs are worth {:.3g}",
                     100 * *levels.share_between, levels.group, *levels.effective_samples);
}

std::vector<evidence::LedgerDifference> differences_of(const Comparison& comparison) {
  std::vector<evidence::LedgerDifference> out;
  for (std::size_t i = 1; i < comparison.variants.size(); ++i)
    out.push_back(ledger_difference(comparison.variants[0], comparison.variants[i]));
  return out;
}

/// Accounts in the order of their largest difference in any variant.
std::vector<std::size_t> accounts_that_differ(const std::vector<evidence::LedgerDifference>& differences) {
  std::array<double, evidence::kAccounts> largest{};
  for (const auto& difference : differences)
    for (const auto& row : largest_first(difference)) {
      double& seen = largest[static_cast<std::size_t>(row.account)];
      seen = std::max(seen, std::abs(row.percent));
    }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < largest.size(); ++i)
    if (largest[i] > 0) order.push_back(i);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return largest[a] > largest[b]; });
  return order;
}

/// Percentages of `difference` for `shown` accounts and, last, for all others together.
std::vector<double> percents_of(const evidence::LedgerDifference& difference, const std::vector<std::size_t>& shown) {
  std::vector<double> values;
  double rest = 0;
  for (const auto& row : difference.accounts)
    if (std::ranges::find(shown, static_cast<std::size_t>(row.account)) == shown.end()) rest += row.percent;
  for (std::size_t account : shown) values.push_back(difference.accounts[account].percent);
  values.push_back(rest);
  return values;
}

std::string why_heading(const evidence::LedgerDifference& first) {
  return fmt::format("why: cycles by account, variant minus baseline, in % of the baseline's {} cycles {}",
                     number_text(first.baseline_total), first.per_operation ? "per operation" : "per sample");
}

struct ExposureRow {
  std::string name;
  std::vector<std::string> cells;
};

std::vector<ExposureRow> exposure_rows(const Comparison& comparison) {
  std::vector<ExposureRow> rows;
  const auto add = [&](std::string name, auto is_there, auto text) {
    const auto there = [&](const VariantResult& variant) { return is_there(variant.exposure); };
    if (std::ranges::none_of(comparison.variants, there)) return;
    ExposureRow row{std::move(name), {}};
    for (const auto& variant : comparison.variants) row.cells.push_back(text(variant.exposure));
    rows.push_back(std::move(row));
  };
  for (std::size_t kind = 0; kind < evidence::kMemoryKinds; ++kind)
    add(
        std::string(evidence::kMemoryKindNames[kind]),
        [kind](const auto& e) { return e.mapped_bytes[kind] != 0 || e.cached_bytes[kind] != 0; },
        [kind](const auto& e) { return bytes_text(e.mapped_bytes[kind]) + " / " + bytes_text(e.cached_bytes[kind]); });
  const auto stale = [](const auto& e) { return e.stale_entries != 0; };
  add("stale entries", stale, [](const auto& e) { return number_text(e.stale_entries); });
  add("stale us, mean / max", stale,
      [](const auto& e) { return number_text(e.stale_mean_us) + " / " + number_text(e.stale_max_us); });
  return rows;
}

}  // namespace

std::string metric_heading(const MetricInfo& info) {
  std::vector<std::string> told;
  if (!info.unit.empty()) told.push_back(info.unit);
  if (info.better != evidence::Better::neither) told.push_back(fmt::format("{} is better", to_text(info.better)));
  return told.empty() ? info.name : fmt::format("{} ({})", info.name, join(told, ", "));
}

std::string estimate_line(const std::string& variant, const MetricSummary& metric) {
  const auto& estimate = *metric.estimate;
  std::string line = fmt::format("{}, {}: {}: {}", variant, metric.info.name,
                                 finding_text(estimate, metric.info.better), estimate.reason);
  if (!estimate.p) return line;
  line += fmt::format("; {} of {}, p {}", estimate.method, values_text(estimate), p_text(*estimate.p));
  if (estimate.p_holm && *estimate.p_holm != *estimate.p)
    line += fmt::format(", after Holm {}", p_text(*estimate.p_holm));
  if (metric.interval_percent) line += fmt::format("; delta mean within {}", interval_text(metric.interval_percent));
  if (estimate.levels) line += levels_text(*estimate.levels);
  return line;
}

std::string session_line(const Comparison& comparison) {
  const auto& session = *comparison.session;
  std::vector<std::string> parts;
  if (!comparison.machine.empty()) parts.push_back("machine " + comparison.machine);
  const bool ordered = session.terms.order == evidence::Order::random_blocks;
  parts.push_back(fmt::format("order of runs: {}", to_text(session.terms.order)) +
                  (ordered ? fmt::format(" (seed {})", session.terms.seed) : ""));
  parts.push_back(session.terms.margin_percent
                      ? fmt::format("margin +-{} %", number_text(*session.terms.margin_percent))
                      : std::string("no margin stated"));
  parts.push_back(session.noise_floor_percent ? fmt::format("noise floor {} %", size_text(*session.noise_floor_percent))
                                              : std::string("noise floor not measured"));
  for (const auto origin : session.origins)
    if (origin != evidence::Origin::measured) parts.push_back(std::string(to_text(origin)));
  return join(parts, ", ");
}

std::string interval_header(const Comparison& comparison) {
  return fmt::format("{}% interval{}", comparison.level, comparison.few_draws ? "*" : "");
}

std::string source_line(const evidence::PublishedRow& row) {
  std::string line = row.id.empty() ? row.variant + " " + row.metric : row.id;
  line += ": " + row.source;
  if (!row.note.empty()) line += "; " + row.note;
  return line;
}

void add_title(Document& document, const Comparison& comparison) {
  document.push_back(Heading{1, comparison.title.empty() ? comparison.experiment : comparison.title});
  if (comparison.session) {
    document.push_back(Paragraph{session_line(comparison)});
    return;
  }
  document.push_back(Paragraph{fmt::format("question {}, machine {}, workload {}, seed {}", comparison.experiment,
                                           comparison.machine, comparison.workload, comparison.seed)});
  if (!comparison.settings.empty())
    document.push_back(Paragraph{fmt::format("set: {}", join(comparison.settings, ", "))});
}

void add_metrics(Document& document, const Comparison& comparison) {
  if (comparison.variants.empty()) return;
  const auto& metrics = comparison.variants[0].metrics;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    document.push_back(Heading{2, metric_heading(metrics[i].info)});
    const bool whole =
        i == 0 || comparison.session;  // of real runs each metric's own may differ: failed ones lack some
    document.push_back(whole ? whole_table(comparison, metrics[i].info.name)
                             : short_table(comparison, metrics[i].info.name));
  }
}

void add_estimates(Document& document, const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const auto& variant : comparison.variants)
    for (const auto& metric : variant.metrics)
      if (metric.estimate) lines.push_back(estimate_line(variant.name, metric));
  add_list(document, "verdicts", lines);
}

void add_why(Document& document, const Comparison& comparison, std::size_t rows) {
  const auto differences = differences_of(comparison);
  auto shown = accounts_that_differ(differences);
  if (shown.empty()) return;
  const bool all_shown = shown.size() <= rows;
  shown.resize(std::min(shown.size(), rows));
  Table table{{{"account", Align::left}}, {}};
  for (std::size_t account : shown) table.rows.push_back({std::string(evidence::kAccountInfo[account].name)});
  if (!all_shown) table.rows.push_back({"all other accounts"});
  table.rows.push_back({"sum"});
  for (std::size_t i = 0; i < differences.size(); ++i) {
    table.columns.push_back({comparison.variants[i + 1].name, Align::right});
    auto column = percents_of(differences[i], shown);
    if (all_shown) column.pop_back();
    const auto texts = signed_column(column, percent_decimals(column));
    for (std::size_t line = 0; line < texts.size(); ++line) table.rows[line].push_back(texts[line]);
  }
  document.push_back(Heading{2, why_heading(differences[0])});
  document.push_back(std::move(table));
}

void add_exposure(Document& document, const Comparison& comparison) {
  auto rows = exposure_rows(comparison);
  if (rows.empty()) return;
  Table table{{{"memory", Align::left}}, {}};
  for (const auto& variant : comparison.variants) table.columns.push_back({variant.name, Align::right});
  for (auto& row : rows) {
    table.rows.push_back({row.name});
    for (auto& cell : row.cells) table.rows.back().push_back(std::move(cell));
  }
  document.push_back(Heading{2, "exposure of user mode: mapped / still cached in a TLB, mean over time"});
  document.push_back(std::move(table));
}

void add_published(Document& document, const Comparison& comparison) {
  if (comparison.published.empty()) return;
  Table table{{{"variant", Align::left},
               {"metric", Align::left},
               {"published", Align::right},
               {"predicted", Align::right},
               {interval_header(comparison), Align::right},
               {"verdict", Align::left},
               {"row", Align::left}},
              {}};
  std::vector<std::string> sources;
  for (const auto& row : comparison.published) {
    const auto prediction = predict(row, comparison);
    const std::string variant = row.baseline.empty() ? row.variant : row.variant + " over " + row.baseline;
    table.rows.push_back({variant, row.metric, percent_text(row.delta_percent), percent_text(prediction.delta_percent),
                          interval_text(prediction.interval_percent), std::string(to_text(judge(row, comparison))),
                          row.id});
    sources.push_back(source_line(row));
  }
  document.push_back(Heading{2, "published results beside the prediction"});
  document.push_back(std::move(table));
  document.push_back(Bullets{std::move(sources)});
}

void add_list(Document& document, const std::string& heading, const std::vector<std::string>& items) {
  if (items.empty()) return;
  document.push_back(Heading{2, heading});
  document.push_back(Bullets{items});
}

std::vector<std::string> notes_of(const Comparison& comparison) {
  std::vector<std::string> notes = comparison.notes;
  if (comparison.few_draws)
    notes.push_back(
        fmt::format("* fewer than 20 draws of the machine's figures: intervals are Student's {}% prediction "
                    "intervals for one more draw",
                    comparison.level));
  return notes;
}

}  // namespace tollgate::report
