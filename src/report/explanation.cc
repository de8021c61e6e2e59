#include "report/explanation.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "evidence/ledger_difference.h"
#include "evidence/verdict.h"
#include "report/numbers.h"
#include "report/sections.h"
#include "report/tornado.h"

namespace tollgate::report {
namespace {

using evidence::Account;
using evidence::AccountDifference;
using evidence::Comparison;
using evidence::Event;
using evidence::LedgerDifference;
using evidence::VariantResult;

constexpr std::size_t kBarWidth = 41;

template <typename Get>
std::vector<double> values_of(const std::vector<AccountDifference>& rows, Get get) {
  std::vector<double> values;
  for (const auto& row : rows) values.push_back(get(row));
  return values;
}

/// Accounts that either variant charged, in their own order.
std::vector<AccountDifference> charged(const LedgerDifference& difference) {
  std::vector<AccountDifference> rows;
  for (const auto& row : difference.accounts)
    if (row.baseline != 0 || row.variant != 0) rows.push_back(row);
  return rows;
}

void add_ledger(Document& document, const VariantResult& baseline, const VariantResult& variant) {
  const LedgerDifference difference = ledger_difference(baseline, variant);
  const auto rows = charged(difference);
  if (rows.empty()) return;
  const auto differences = values_of(rows, [](const auto& row) { return row.difference; });
  const auto percents = values_of(rows, [](const auto& row) { return row.percent; });
  const double totals[] = {difference.baseline_total, difference.variant_total};
  const int decimals = std::max(decimals_for_largest(differences, 4), decimals_for_largest(totals, 5));
  const std::vector<std::vector<std::string>> columns{
      plain_column(values_of(rows, [](const auto& row) { return row.baseline; }), decimals),
      plain_column(values_of(rows, [](const auto& row) { return row.variant; }), decimals),
      signed_column(differences, decimals), signed_column(percents, percent_decimals(percents))};
  Table table{{{"account", Align::left},
               {baseline.name, Align::right},
               {variant.name, Align::right},
               {"difference", Align::right},
               {fmt::format("% of {}", baseline.name), Align::right}},
              {}};
  for (std::size_t i = 0; i <= rows.size(); ++i) {
    const bool last = i == rows.size();
    table.rows.push_back(
        {last ? "sum" : std::string(evidence::kAccountInfo[static_cast<std::size_t>(rows[i].account)].name)});
    for (const auto& column : columns) table.rows.back().push_back(column[i]);
  }
  document.push_back(
      Heading{2, fmt::format("cycles {} by account: {} minus {}",
                             difference.per_operation ? "per operation" : "per sample", variant.name, baseline.name)});
  document.push_back(std::move(table));
}

struct MissRow {
  std::string name;
  std::vector<double> values;  // one a variant
};

double operations_of(const VariantResult& variant) {
  return variant.events[static_cast<std::size_t>(Event::operations)];
}

bool all_count_operations(const Comparison& comparison) {
  return std::ranges::all_of(comparison.variants, [](const auto& variant) { return operations_of(variant) > 0; });
}

std::vector<MissRow> miss_rows(const Comparison& comparison) {
  const bool per_operation = all_count_operations(comparison);
  std::vector<MissRow> rows;
  const auto add = [&](std::string name, auto value) {
    MissRow row{std::move(name), {}};
    for (const auto& variant : comparison.variants) row.values.push_back(value(variant));
    if (std::ranges::any_of(row.values, [](double v) { return v != 0; })) rows.push_back(std::move(row));
  };
  const auto add_event = [&](std::string name, Event event) {
    add(std::move(name), [=](const VariantResult& variant) {
      return (per_operation ? variant.events_per_operation : variant.events)[static_cast<std::size_t>(event)];
    });
  };
  add_event("walks, cold", Event::walks_cold);
  add_event("walks, capacity", Event::walks_capacity);
  add_event("walks, refill after a flush", Event::walks_refill);
  for (auto account = std::size_t(Account::walk_cold); account <= std::size_t(Account::walk_refill_last); ++account)
    add(fmt::format("cycles, {}", evidence::kAccountInfo[account].name), [=](const VariantResult& variant) {
      return (per_operation ? variant.ledger_per_operation : variant.ledger)[account];
    });
  return rows;
}

void add_misses(Document& document, const Comparison& comparison) {
  const auto rows = miss_rows(comparison);
  if (rows.empty()) return;
  Table table{{{"cause", Align::left}}, {}};
  for (const auto& variant : comparison.variants) table.columns.push_back({variant.name, Align::right});
  for (const auto& row : rows) {
    table.rows.push_back({row.name});
    for (double value : row.values) table.rows.back().push_back(value == 0 ? "0" : number_text(value));
  }
  document.push_back(Heading{
      2, fmt::format("misses by cause, {}", all_count_operations(comparison) ? "per operation" : "per sample")});
  document.push_back(std::move(table));
}

/// What guests and their VMIDs went through.
void add_guests(Document& document, const Comparison& comparison) {
  static constexpr Event kRows[] = {Event::vm_exits,
                                    Event::vm_exits_forced,
                                    Event::vcpu_loads,
                                    Event::vcpu_preemptions,
                                    Event::vcpu_waits,
                                    Event::vcpu_waits_polled,
                                    Event::vmid_slow_paths,
                                    Event::lock_contended,
                                    Event::vmid_allocations,
                                    Event::vmid_rollovers,
                                    Event::flushes_broadcast,
                                    Event::ipis,
                                    Event::line_transfers_near,
                                    Event::line_transfers_far};
  const auto count = [](const VariantResult& variant, Event event) { return variant.events[std::size_t(event)]; };
  if (comparison.variants.empty() || count(comparison.variants[0], Event::vm_exits) == 0) return;
  Table table{{{"count", Align::left}}, {}};
  for (const auto& variant : comparison.variants) table.columns.push_back({variant.name, Align::right});
  for (const Event event : kRows) {
    table.rows.push_back({std::string(evidence::kEventInfo[std::size_t(event)].name)});
    for (const auto& variant : comparison.variants)
      table.rows.back().push_back(number_text(1000 * count(variant, event) / operations_of(variant)));
  }
  document.push_back(Heading{2, "guests: counts in 1,000 operations, each one exit of the guest's own"});
  document.push_back(std::move(table));
}

double swing_of(const SensitivityRow& row) {
  return row.delta_percent_low && row.delta_percent_high ? std::abs(*row.delta_percent_high - *row.delta_percent_low)
                                                         : -1;
}

Table tornado_table(const std::vector<SensitivityRow>& rows, std::optional<double> centre) {
  std::vector<TornadoBar> bars;
  for (const auto& row : rows) bars.push_back({row.delta_percent_low, row.delta_percent_high});
  const auto drawn = tornado(bars, centre, kBarWidth);
  Table table{{{"figure", Align::left},
               {"at low", Align::right},
               {"at high", Align::right},
               {"L low, H high, | as drawn", Align::left}},
              {}};
  for (std::size_t i = 0; i < rows.size(); ++i)
    table.rows.push_back(
        {rows[i].figure, percent_text(rows[i].delta_percent_low), percent_text(rows[i].delta_percent_high), drawn[i]});
  return table;
}

Table figure_table(const std::vector<SensitivityRow>& rows) {
  Table table{{{"figure", Align::left},
               {"low", Align::right},
               {"typical", Align::right},
               {"high", Align::right},
               {"unit", Align::left},
               {"leverage", Align::right},
               {"kind", Align::left}},
              {}};
  for (const auto& row : rows)
    table.rows.push_back({row.figure, number_text(row.low), number_text(row.typical), number_text(row.high), row.unit,
                          !row.leverage        ? "-"
                          : *row.leverage == 0 ? "0"
                                               : number_text(*row.leverage),
                          row.kind});
  return table;
}

void add_sensitivity(Document& document, const Explanation& explanation) {
  for (const auto& variant : explanation.comparison.variants) {
    std::vector<SensitivityRow> rows;
    std::ranges::copy_if(explanation.sensitivity, std::back_inserter(rows),
                         [&](const auto& row) { return row.variant == variant.name; });
    if (rows.empty()) continue;
    std::ranges::stable_sort(rows, [](const auto& a, const auto& b) { return swing_of(a) > swing_of(b); });
    const auto drawn = rows[0].delta_percent_drawn;
    document.push_back(Heading{2, fmt::format("{}: delta with one input at its low and at its high; as drawn {}",
                                              variant.name, percent_text(drawn))});
    document.push_back(tornado_table(rows, drawn));
    document.push_back(figure_table(rows));
    std::vector<std::string> sources;
    for (const auto& row : rows) sources.push_back(fmt::format("{}: {}", row.figure, row.source));
    document.push_back(Bullets{std::move(sources)});
  }
}

std::string tip_sentence(const TippingPoint& tip) {
  return fmt::format("{} tips between {} = {} and {}: the median moves from {} to {}", tip.variant, tip.key,
                     tip.before.value, tip.after.value, percent_text(tip.before.median_percent),
                     percent_text(tip.after.median_percent));
}

std::string unidentifiable_sentence(const Unidentifiable& is) {
  return fmt::format(
      "not identifiable: the size of {} ({}, published {}). From {} = {} to {} the median goes from {} to {}, and no "
      "input "
      "says which; the model can be held to the sign alone",
      is.row.variant, is.row.id, percent_text(is.row.delta_percent), is.least.key, is.least.value, is.most.value,
      percent_text(is.least.median_percent), percent_text(is.most.median_percent));
}

void add_layout(Document& document, const Comparison& comparison, const std::vector<LayoutStep>& layout) {
  if (layout.empty()) return;
  Table table{{{"variant", Align::left},
               {"layout", Align::left},
               {"value", Align::right},
               {"median", Align::right},
               {"5 to 95 %", Align::right}},
              {}};
  for (const auto& step : layout)
    table.rows.push_back({step.variant, step.key, step.value, percent_text(step.median_percent),
                          interval_text(evidence::Interval{step.low_percent, step.high_percent})});
  document.push_back(Heading{2, "delta by layout"});
  document.push_back(std::move(table));
  std::vector<std::string> tips;
  for (const auto& tip : tipping_points(layout)) tips.push_back(tip_sentence(tip));
  if (tips.empty())
    document.push_back(Paragraph{"No single step makes half of the range: the delta does not tip."});
  else
    document.push_back(Bullets{std::move(tips)});
  std::vector<std::string> unknown;
  for (const auto& row : unidentifiable(comparison, layout)) unknown.push_back(unidentifiable_sentence(row));
  if (!unknown.empty()) document.push_back(Bullets{std::move(unknown)});
}

Document build(const Explanation& explanation) {
  const Comparison& comparison = explanation.comparison;
  Document document;
  add_title(document, comparison);
  add_metrics(document, comparison);
  for (std::size_t i = 1; i < comparison.variants.size(); ++i)
    add_ledger(document, comparison.variants[0], comparison.variants[i]);
  add_misses(document, comparison);
  add_guests(document, comparison);
  add_exposure(document, comparison);
  add_sensitivity(document, explanation);
  add_layout(document, comparison, explanation.layout);
  add_list(document, "what would decide the rest", explanation.missing);
  add_list(document, "notes", notes_of(comparison));
  add_list(document, "warnings", comparison.warnings);
  document.push_back(Paragraph{"digest " + comparison.digest});
  return document;
}

/// The steps of each variant and key, in the order of first appearance.
std::vector<std::vector<LayoutStep>> grouped(const std::vector<LayoutStep>& layout) {
  std::vector<std::vector<LayoutStep>> groups;
  for (const auto& step : layout) {
    const auto found = std::ranges::find_if(
        groups, [&](const auto& group) { return group[0].variant == step.variant && group[0].key == step.key; });
    if (found == groups.end())
      groups.push_back({step});
    else
      found->push_back(step);
  }
  return groups;
}

/// Whether the range of the lowest step ends below that of the highest. If not, the map may be flat, and its bumps noise.
bool apart(const LayoutStep& low, const LayoutStep& high) { return low.high_percent < high.low_percent; }

}  // namespace

std::vector<TippingPoint> tipping_points(const std::vector<LayoutStep>& layout) {
  std::vector<TippingPoint> tips;
  for (const auto& steps : grouped(layout)) {
    const auto [low, high] = std::ranges::minmax_element(steps, {}, &LayoutStep::median_percent);
    if (!apart(*low, *high)) continue;
    const double range = high->median_percent - low->median_percent;
    for (std::size_t i = 1; i < steps.size(); ++i)
      if (std::abs(steps[i].median_percent - steps[i - 1].median_percent) >= range / 2)
        tips.push_back({steps[i].variant, steps[i].key, steps[i - 1], steps[i]});
  }
  return tips;
}

std::vector<Unidentifiable> unidentifiable(const Comparison& comparison, const std::vector<LayoutStep>& layout) {
  std::vector<Unidentifiable> found;
  if (comparison.variants.empty()) return found;
  for (const auto& row : comparison.published)
    for (const auto& steps : grouped(layout)) {
      const bool judged = row.use == evidence::PublishedUse::validate || row.use == evidence::PublishedUse::sign;
      if (!judged || row.variant != steps[0].variant || row.metric != comparison.variants[0].metrics[0].info.name)
        continue;
      const auto [low, high] = std::ranges::minmax_element(steps, {}, &LayoutStep::median_percent);
      const double sign = row.delta_percent < 0 ? -1 : 1;
      const double size = sign * row.delta_percent;
      const double smallest = std::min(sign * low->median_percent, sign * high->median_percent);
      const double largest = std::max(sign * low->median_percent, sign * high->median_percent);
      if (apart(*low, *high) && smallest < size / 2 && largest > 2 * size)
        found.push_back(sign > 0 ? Unidentifiable{row, *low, *high} : Unidentifiable{row, *high, *low});
    }
  return found;
}

std::string explanation_text(const Explanation& explanation) { return render_text(build(explanation)); }
std::string explanation_markdown(const Explanation& explanation) { return render_markdown(build(explanation)); }

}  // namespace tollgate::report
