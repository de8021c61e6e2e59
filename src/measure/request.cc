#include "measure/request.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "evidence/analysis.h"
#include "evidence/real_estimate.h"
#include "measure/metric.h"
#include "store/names.h"

namespace tollgate::measure {
namespace {

constexpr std::size_t kLongestName = 200;    // bytes, of a session
constexpr std::size_t kLongestOfNames = 60;  // bytes, where variants name it

Result<void> check_variants(const Request& request) {
  if (request.variants.size() < 2)
    return fail("a measurement wants at least two variants: the baseline, and what to compare with it");
  std::set<std::string> names;
  for (const auto& variant : request.variants) {
    if (trim(variant.name).empty()) return fail("a variant wants a name");
    if (has_control(variant.name))
      return fail(fmt::format("variant {} has a control character in its name", names.size() + 1));
    if (trim(variant.command).empty()) return fail(fmt::format("variant '{}' wants a command", variant.name));
    if (!names.insert(variant.name).second) return fail(fmt::format("two variants are named '{}'", variant.name));
    if (variant.boot.has_value() != (request.boots > 0))
      return fail(
          fmt::format("variant '{}': either all variants are boots, with `boots` planned, or none is", variant.name));
  }
  if (request.boots > 0 && request.noise)
    return fail("boots have no noise floor of runs: the spread between boots is in the answer already");
  return {};
}

std::vector<std::string> names_of(const std::vector<store::Metric>& metrics) {
  std::vector<std::string> names;
  for (const auto& metric : metrics) names.push_back(metric.info.name);
  return names;
}

/// By its name, or as it was asked for: "elapsed_s" or "wall".
std::vector<store::Metric>::const_iterator find_metric(const std::vector<store::Metric>& metrics,
                                                       const std::string& called) {
  return std::find_if(metrics.begin(), metrics.end(),
                      [&](const auto& metric) { return metric.info.name == called || metric.spec == called; });
}

std::string instead(const std::vector<store::Metric>& metrics, const std::string& called) {
  auto names = names_of(metrics);
  for (const auto& metric : metrics)
    if (metric.spec != metric.info.name) names.push_back(metric.spec);
  return did_you_mean(called, names);
}

Result<evidence::Better> parse_better(const std::string& metric, const std::string& text) {
  if (const auto better = store::value_named(store::kBetter, text)) return *better;
  return fail(fmt::format("better of metric '{}' cannot be '{}'{}", metric, text,
                          did_you_mean(text, store::names_in(store::kBetter))));
}

/// How two metrics of one name can be measured together.
std::string other_name(const std::vector<store::Metric>& metrics, const std::string& name) {
  std::set<std::string> specs;
  for (const auto& metric : metrics)
    if (metric.info.name == name) specs.insert(metric.spec);
  const std::string output = "output:" + name;
  if (specs.size() < 2) return "";
  return specs.contains(output) ? fmt::format(": give one a name of its own, output:NAME={}", name)
                                : ": give one a name of its own before its sign";
}

Result<std::vector<store::Metric>> make_metrics(const Request& request) {
  std::vector<store::Metric> metrics;
  for (const auto& text : request.metrics)
    for (auto& spec : TRY(parse_metric(text))) metrics.push_back({spec.text, std::move(spec.info)});
  if (metrics.empty()) return fail("a measurement wants a metric");
  const auto names = names_of(metrics);
  for (const auto& name : names)
    if (std::count(names.begin(), names.end(), name) > 1)
      return fail(fmt::format("metric '{}' is given twice{}", name, other_name(metrics, name)));
  for (const auto& [name, text] : request.better) {
    const auto found = find_metric(metrics, name);
    if (found == metrics.end()) return fail(fmt::format("there is no metric '{}'{}", name, instead(metrics, name)));
    metrics[std::size_t(found - metrics.begin())].info.better = TRY(parse_better(name, text));
  }
  return metrics;
}

}  // namespace

Result<store::Session> make_session(const Request& request, const Host& host, double now) {
  TRY(check_variants(request));
  store::Session session;
  session.metrics = TRY(make_metrics(request));
  const auto primary =
      request.primary.empty() ? session.metrics.cbegin() : find_metric(session.metrics, request.primary);
  if (primary == session.metrics.cend())
    return fail(fmt::format("the primary metric '{}' is not measured{}", request.primary,
                            instead(session.metrics, request.primary)));
  std::vector<std::string> variants;
  for (const auto& variant : request.variants) variants.push_back(variant.name);
  if (has_control(request.name)) return fail("the session's name has a control character");
  if (request.name.size() > kLongestName)
    return fail(fmt::format("the session's name has {} bytes; {} are the most", request.name.size(), kLongestName));
  session.name = request.name.empty() ? shortened(join(variants, " / "), kLongestOfNames) : request.name;
  session.created = now;
  session.machine = host.cpu_model;
  session.variants = request.variants;
  session.terms.primary = primary->info.name;
  session.terms.margin_percent = request.margin_percent;
  session.terms.order = request.order;
  session.terms.seed = request.seed;
  session.terms.runs = request.runs;
  TRY(evidence::check_terms(session.terms));
  session.boots = request.boots;
  session.warmup = request.warmup;
  session.noise = request.noise;
  session.on_failure = request.on_failure;
  session.prepare = request.prepare;
  return session;
}

std::optional<std::string> why_too_few_runs(const store::Session& session) {
  const bool paired = session.terms.order != evidence::Order::in_sequence;
  const std::size_t values = session.boots > 0 ? session.boots : session.terms.runs;
  const std::size_t comparisons = session.metrics.size() * (session.variants.size() - 1);
  const std::size_t least = evidence::least_values(paired ? evidence::Design::paired : evidence::Design::unpaired,
                                                   values, session.terms, comparisons);
  if (least == values) return std::nullopt;
  return fmt::format("{} {}{} of each variant {} too few to show any change{}: it takes {}", values,
                     session.boots > 0 ? "boot" : "run", values == 1 ? "" : "s", values == 1 ? "is" : "are",
                     comparisons > 1 ? fmt::format(" after Holm's correction for {} comparisons", comparisons) : "",
                     least);
}

}  // namespace tollgate::measure
