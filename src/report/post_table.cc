#include "report/post_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "evidence/names.h"
#include "evidence/verdict.h"
#include "report/document.h"
#include "report/numbers.h"
#include "report/sections.h"

namespace tollgate::report {
namespace {

using evidence::Comparison;
using evidence::Measurement;
using evidence::MetricInfo;
using evidence::MetricSummary;
using evidence::Series;

/// How one metric is printed: its unit, and the decimals that all its values share.
struct Look {
  std::string unit;
  double factor = 1;
  int decimals = 0;

  std::string text(double value) const { return fixed_text(value * factor, decimals); }
  /// Between the figures as they are printed, so that a reader who subtracts finds the same.
  std::string difference(double from, double to) const {
    const double printed = printed_value(to) - printed_value(from);
    return (printed > 0 ? "+" : "") + fixed_text(printed, decimals);
  }

 private:
  double printed_value(double value) const { return std::stod(fmt::format("{:.{}f}", value * factor, decimals)); }
};

struct Scale {
  double below;
  std::string_view unit;
  double factor;
};
constexpr Scale kScales[] = {{1e-7, "ns", 1e9}, {1e-4, "us", 1e6}, {0.1, "ms", 1e3}};

/// Seconds are printed in the unit that shows the smallest mean with digits before the point.
Look look_of(const MetricInfo& info, const std::vector<double>& means) {
  Look look{info.unit};
  double smallest = 0;
  for (const double mean : means)
    if (mean != 0 && std::isfinite(mean))
      smallest = smallest == 0 ? std::abs(mean) : std::min(smallest, std::abs(mean));
  if (info.unit == "s" && smallest > 0)
    for (const Scale& scale : kScales)
      if (smallest < scale.below) {
        look.unit = scale.unit;
        look.factor = scale.factor;
        break;
      }
  std::vector<double> scaled;
  for (const double mean : means) scaled.push_back(mean * look.factor);
  look.decimals = decimals_for(scaled);
  return look;
}

Look look_of(const Comparison& comparison, const MetricInfo& info) {
  std::vector<double> means;
  for (const auto& variant : comparison.variants)
    if (const MetricSummary* metric = find_metric(variant, info.name)) means.push_back(metric->mean);
  return look_of(info, means);
}

std::string delta_text(const MetricSummary& metric) {
  return metric.delta_percent ? signed_text(*metric.delta_percent) + "%" : "";
}

std::string count_text(const MetricSummary& metric) {
  const std::uint64_t count = metric.printed_count.value_or(metric.samples.size());
  return count == 0 ? "?" : with_commas(static_cast<long long>(count));
}

std::string heading_of(const MetricInfo& info, const Look& look) {
  MetricInfo shown = info;
  shown.unit = look.unit;
  return metric_heading(shown);
}

Table variants_table(const Comparison& comparison, const MetricInfo& info, const Look& look) {
  Table table{{{"variant", Align::left},
               {"samples", Align::right},
               {"mean", Align::right},
               {"min", Align::right},
               {"max", Align::right},
               {"delta mean", Align::right}},
              {}};
  for (const auto& variant : comparison.variants) {
    const MetricSummary* metric = find_metric(variant, info.name);
    if (metric == nullptr) continue;
    table.rows.push_back({variant.name, count_text(*metric), look.text(metric->mean), look.text(metric->min),
                          look.text(metric->max), delta_text(*metric)});
  }
  return table;
}

const Series* find_series(const Measurement& measurement, std::string_view metric, std::string_view variant) {
  const auto found = std::ranges::find_if(measurement.series, [&](const Series& series) {
    return series.metric.name == metric && series.variant == variant;
  });
  return found == measurement.series.end() ? nullptr : &*found;
}

/// The standard error of the mean in percent of the mean, as perf prints it; nothing for fewer than two samples.
std::optional<double> error_percent(const Series& series, const MetricSummary& metric) {
  std::optional<double> error;
  if (series.summary) error = series.summary->standard_error;
  const auto count = static_cast<double>(metric.samples.size());
  if (metric.samples.size() > 1) {
    double sum = 0;
    for (const double value : metric.samples) sum += (value - metric.mean) * (value - metric.mean);
    error = std::sqrt(sum / (count - 1) / count);
  }
  if (series.summary && !error && series.summary->deviation && series.summary->count.value_or(0) > 1)
    error = *series.summary->deviation / std::sqrt(static_cast<double>(*series.summary->count));
  if (!error || metric.mean == 0) return std::nullopt;
  return 100 * *error / std::abs(metric.mean);
}

std::string perf_words(const MetricInfo& info, const Look& look) {
  if (info.name == "elapsed_s" && look.unit == "s") return "seconds time elapsed";
  // "1/s" beside a figure would read as another figure; such metrics are rates by name.
  return look.unit.empty() || look.unit == "count" || look.unit == "1/s" ? info.name : look.unit + " " + info.name;
}

std::string perf_line(const std::string& name, const std::string& value, std::string_view words,
                      const std::optional<double>& error) {
  std::string line = fmt::format("{}  {} {}", name, value, words);
  if (error) line += fmt::format("  ( +- {:5.2f}% )", *error);
  return line + "\n";
}

/// perf's line for each variant, and under all but the first the difference to the first.
std::string perf_block(const Measurement& measurement, const Comparison& comparison, const MetricInfo& info) {
  const Look look = look_of(comparison, info);
  const std::string words = perf_words(info, look);
  std::size_t width = 0, digits = 0;
  for (const auto& variant : comparison.variants) {
    const MetricSummary* metric = find_metric(variant, info.name);
    if (metric == nullptr) continue;
    width = std::max(width, display_width(variant.name) + 1);
    digits = std::max(digits, look.text(metric->mean).size());
  }
  const MetricSummary* base = find_metric(comparison.variants[0], info.name);
  std::string out;
  for (const auto& variant : comparison.variants) {
    const MetricSummary* metric = find_metric(variant, info.name);
    const Series* series = find_series(measurement, info.name, variant.name);
    if (metric == nullptr || series == nullptr) continue;
    const std::string name = variant.name + ":" + std::string(width - display_width(variant.name) - 1, ' ');
    out +=
        perf_line(name, fmt::format("{:>{}}", look.text(metric->mean), digits), words, error_percent(*series, *metric));
    if (!metric->delta_percent || base == nullptr) continue;
    out += fmt::format("{}  {:>{}} {} ({})\n", std::string(width, ' '), look.difference(base->mean, metric->mean),
                       digits, words, delta_text(*metric));
  }
  return out;
}

std::string before_after_table(const Comparison& comparison, std::size_t variant) {
  const auto& base = comparison.variants[0];
  std::vector<std::vector<std::string>> lines{{"", base.name, comparison.variants[variant].name, "change"}};
  for (const MetricSummary& metric : base.metrics) {
    const MetricSummary* other = find_metric(comparison.variants[variant], metric.info.name);
    if (other == nullptr) continue;
    const Look look = look_of(metric.info, {metric.mean, other->mean});
    const std::string unit = look.unit.empty() ? "" : fmt::format(" ({})", look.unit);
    lines.push_back({metric.info.name + unit, look.text(metric.mean), look.text(other->mean), delta_text(*other)});
  }
  std::vector<std::size_t> widths(4, 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < 4; ++i) widths[i] = std::max(widths[i], display_width(line[i]));
  lines.insert(lines.begin() + 1,
               {"", std::string(widths[1], '-'), std::string(widths[2], '-'), std::string(widths[3], '-')});
  std::string out;
  for (const auto& line : lines) {
    std::string text = line[0] + std::string(widths[0] - display_width(line[0]), ' ');
    for (std::size_t i = 1; i < 4; ++i) text += "   " + std::string(widths[i] - display_width(line[i]), ' ') + line[i];
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

/// "on: 10 samples, min 37.39, max 37.58"; of printed figures what they say of their spread.
std::string spread_of(const std::string& variant, const MetricSummary& metric, const Series& series, const Look& look) {
  std::string text = fmt::format("{}: {} samples", variant, count_text(metric));
  if (metric.samples.empty()) {
    const auto error = error_percent(series, metric);
    text += error ? fmt::format(", spread {} (standard error of the mean)", look.text(*error / 100 * metric.mean))
                  : ", spread not known";
  }
  if (std::isfinite(metric.min) && std::isfinite(metric.max))
    text += fmt::format(", min {}, max {}", look.text(metric.min), look.text(metric.max));
  return text;
}

std::string spread_line(const Measurement& measurement, const Comparison& comparison, const MetricInfo& info,
                        const Look& look) {
  std::vector<std::string> parts;
  for (const auto& variant : comparison.variants) {
    const MetricSummary* metric = find_metric(variant, info.name);
    const Series* series = find_series(measurement, info.name, variant.name);
    if (metric && series) parts.push_back(spread_of(variant.name, *metric, *series, look));
  }
  return fmt::format("{}: {}", info.name, join(parts, "; "));
}

bool is_paired(const Comparison& comparison) {
  return std::ranges::any_of(comparison.variants, [](const auto& variant) {
    return std::ranges::any_of(variant.metrics, [](const MetricSummary& metric) {
      return metric.estimate && metric.estimate->design == evidence::Design::paired;
    });
  });
}

/// What a table of this style does not show itself: number of runs and spread.
std::vector<std::string> spread_lines(const Measurement& measurement, const Comparison& comparison, TableStyle style) {
  std::vector<std::string> lines;
  if (style == TableStyle::perf_stat) {
    lines.push_back("the +- is the standard error of the mean in percent of the mean");
    if (is_paired(comparison))
      lines.push_back(
          "runs were paired: the +- is each variant's own and holds what paired runs share, which the interval of "
          "the shift does not");
  }
  if (style != TableStyle::box && style != TableStyle::markdown)
    for (const MetricSummary& metric : comparison.variants[0].metrics)
      lines.push_back(spread_line(measurement, comparison, metric.info, look_of(comparison, metric.info)));
  return lines;
}

std::string verdict_line(const Comparison& comparison, const std::string& variant, const MetricSummary& metric) {
  std::string line = estimate_line(variant, metric);
  const auto& estimate = *metric.estimate;
  if (estimate.shift_percent)
    line += fmt::format("; shift of the centres {}, {}% interval {}", percent_text(estimate.shift_percent),
                        comparison.level, interval_text(estimate.interval_percent));
  return line;
}

/// Of the percentages of a post only those in the table stand for two figures beside them; a reader, or an audit, should not
/// have to tell a drift or a margin from a claim.
void spell_percent(std::string& line) {
  for (std::size_t at; (at = line.find(" %")) != std::string::npos;) line.replace(at, 2, " percent");
}

std::vector<std::string> footer_of(const Measurement& measurement, const Comparison& comparison, TableStyle style) {
  std::vector<std::string> lines = spread_lines(measurement, comparison, style);
  for (const auto& variant : comparison.variants)
    for (const auto& metric : variant.metrics)
      if (metric.estimate) lines.push_back(verdict_line(comparison, variant.name, metric));
  lines.push_back(session_line(comparison));
  for (const std::string& warning : comparison.warnings) lines.push_back(warning);
  for (std::string& line : lines) spell_percent(line);
  return lines;
}

std::string body_of(const Measurement& measurement, const Comparison& comparison, TableStyle style) {
  std::string out;
  if (style == TableStyle::before_after) {
    for (std::size_t i = 1; i < comparison.variants.size(); ++i) out += before_after_table(comparison, i) + "\n";
    return out;
  }
  for (const MetricSummary& metric : comparison.variants[0].metrics) {
    const Look look = look_of(comparison, metric.info);
    if (style == TableStyle::perf_stat)
      out += perf_block(measurement, comparison, metric.info) + "\n";
    else if (style == TableStyle::box)
      out += heading_of(metric.info, look) + "\n" + render_boxed(variants_table(comparison, metric.info, look)) + "\n";
    else
      out +=
          render_markdown({Paragraph{heading_of(metric.info, look)}, variants_table(comparison, metric.info, look)}) +
          "\n";
  }
  return out;
}

constexpr std::size_t kWidestName = 40;

/// Commands make wide tables, and a pipe in one reads as a column's end: such variants are called A, B, ... and explained.
std::vector<std::string> shorten_names(Measurement& measurement, Comparison& comparison) {
  std::vector<std::string> legend;
  const bool fits = std::ranges::all_of(comparison.variants, [](const auto& variant) {
    return display_width(variant.name) <= kWidestName && variant.name.find('|') == std::string::npos;
  });
  if (fits || comparison.variants.size() > 26) return legend;
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    std::string& name = comparison.variants[i].name;
    const std::string letter(1, static_cast<char>('A' + i));
    legend.push_back(fmt::format("{} is: {}", letter, name));
    for (Series& series : measurement.series)
      if (series.variant == name) series.variant = letter;
    name = letter;
  }
  return legend;
}

}  // namespace

std::optional<TableStyle> table_style(std::string_view name) {
  if (name == "box") return TableStyle::box;
  if (name == "perf-stat") return TableStyle::perf_stat;
  if (name == "before-after") return TableStyle::before_after;
  if (name == "markdown") return TableStyle::markdown;
  return std::nullopt;
}

std::string post_table(const Measurement& given, const Comparison& analysed, TableStyle style) {
  Measurement measurement = given;
  Comparison comparison = analysed;
  auto lines = shorten_names(measurement, comparison);
  for (std::string& line : footer_of(measurement, comparison, style)) lines.push_back(std::move(line));
  const Document footer{Bullets{std::move(lines)}};
  return body_of(measurement, comparison, style) +
         (style == TableStyle::markdown ? render_markdown(footer) : render_text(footer));
}

}  // namespace tollgate::report
