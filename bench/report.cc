#include "bench/report.h"

#include <fmt/core.h>

#include <cstdlib>
#include <fstream>

#include "base/text.h"

namespace tollgate::bench {
namespace {

std::string scaled(double value, const char* unit) {
  if (value >= 1e9) return fmt::format("{:.3g} G{}", value / 1e9, unit);
  if (value >= 1e6) return fmt::format("{:.3g} M{}", value / 1e6, unit);
  if (value >= 1e3) return fmt::format("{:.3g} k{}", value / 1e3, unit);
  return fmt::format("{:.3g} {}", value, unit);
}

std::string seconds(double value) {
  if (value >= 1) return fmt::format("{:.3g} s", value);
  if (value >= 1e-3) return fmt::format("{:.3g} ms", value * 1e3);
  if (value >= 1e-6) return fmt::format("{:.3g} us", value * 1e6);
  return fmt::format("{:.3g} ns", value * 1e9);
}

std::string shown(FigureKind kind, double value) {
  switch (kind) {
    case FigureKind::kSeconds:
    case FigureKind::kItemCostAdded:
      return seconds(value);
    case FigureKind::kBytesPerSecond:
      return scaled(value, "B/s");
    case FigureKind::kItemsPerSecond:
      return scaled(value, "/s");
    case FigureKind::kTimeRatio:
    case FigureKind::kItemCostRatio:
      return fmt::format("{:.2f}x", value);
  }
  return "";
}

std::string goal_text(const FigureSpec& figure, double value) {
  if (figure.goal == Goal::kNone) return "";
  const bool at_most = figure.goal == Goal::kAtMost;
  const bool met = at_most ? value <= figure.goal_value : value >= figure.goal_value;
  return fmt::format("{} {}: {}", at_most ? "<=" : ">=", shown(figure.kind, figure.goal_value), met ? "met" : "MISSED");
}

double ratio(double numerator, double denominator) { return denominator > 0 ? numerator / denominator : 0; }

double figure_of(FigureKind kind, const Measured& measured, const Measured& reference) {
  switch (kind) {
    case FigureKind::kSeconds:
      return measured.seconds;
    case FigureKind::kBytesPerSecond:
      return measured.bytes_per_second;
    case FigureKind::kItemsPerSecond:
      return measured.items_per_second;
    case FigureKind::kTimeRatio:
      return ratio(measured.seconds, reference.seconds);
    case FigureKind::kItemCostRatio:
      return ratio(reference.items_per_second, measured.items_per_second);
    case FigureKind::kItemCostAdded:
      return ratio(1, measured.items_per_second) - ratio(1, reference.items_per_second);
  }
  return 0;
}

}  // namespace

std::optional<double> figure_value(const FigureSpec& figure, const Measurements& measurements) {
  const auto measured = measurements.find(figure.benchmark);
  const auto reference = measurements.find(figure.reference.empty() ? figure.benchmark : figure.reference);
  if (measured == measurements.end() || reference == measurements.end()) return std::nullopt;
  const double value = figure_of(figure.kind, measured->second, reference->second);
  return value > 0 ? std::optional(value) : std::nullopt;
}

std::string report_table(const std::vector<FigureSpec>& figures, const Values& now, const Values& baseline) {
  std::string out = fmt::format("{:<40} {:>12} {:>12} {:>8}  goal\n", "figure", "now", "baseline", "change");
  for (const auto& figure : figures) {
    const auto value = now.find(figure.name);
    if (value == now.end()) continue;
    const auto before = baseline.find(figure.name);
    const bool known = before != baseline.end() && before->second > 0;
    out += fmt::format("{:<40} {:>12} {:>12} {:>8}  {}\n", figure.name, shown(figure.kind, value->second),
                       known ? shown(figure.kind, before->second) : "-",
                       known ? fmt::format("{:+.0f}%", 100 * (value->second / before->second - 1)) : "-",
                       goal_text(figure, value->second));
  }
  return out;
}

std::string baseline_json(const Values& values) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : values) lines.push_back(fmt::format("  \"{}\": {:.4g}", name, value));
  return "{\n" + join(lines, ",\n") + "\n}\n";
}

Result<Values> read_baseline(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Values{};  // the first run has none
  Values values;
  std::string line;
  for (unsigned number = 1; std::getline(file, line); ++number) {
    const auto text = trim(line);
    if (text.empty() || text == "{" || text == "}") continue;
    const auto name_end = text.find("\": ");
    char* end = nullptr;
    const double value = name_end == std::string_view::npos ? 0 : std::strtod(text.data() + name_end + 3, &end);
    if (text.front() != '"' || !(value > 0)) return fail("not a line as --update writes it", {path, number});
    values[std::string(text.substr(1, name_end - 1))] = value;
  }
  return values;
}

}  // namespace tollgate::bench
