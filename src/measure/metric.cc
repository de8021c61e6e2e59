#include "measure/metric.h"

#include <fmt/core.h>

#include "base/text.h"
#include "evidence/perf_event.h"
#include "import/collector.h"
#include "measure/expression.h"

namespace tollgate::measure {
namespace {

using evidence::Better;

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> names = {
      "wall",        "user",           "sys", "rss", "perf:EVENT", "regex:NAME=EXPRESSION", "json:NAME=POINTER",
      "output:NAME", "ftrace:FUNCTION"};
  return names;
}

/// "rate[op/s]=REST": the name, its unit, and what stands after the sign.
struct Named {
  std::string name;
  std::string unit;
  std::string rest;
};

Result<Named> parse_named(const std::string& text, const std::string& argument) {
  const std::size_t sign = argument.find('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == argument.size())
    return fail(fmt::format("metric '{}' wants NAME=WHAT or NAME[UNIT]=WHAT after its first colon", text));
  Named named{argument.substr(0, sign), "", argument.substr(sign + 1)};
  const std::size_t bracket = named.name.find('[');
  if (bracket == std::string::npos) return named;
  if (bracket == 0 || !named.name.ends_with(']'))
    return fail(fmt::format("metric '{}': a unit stands in brackets after the name: NAME[UNIT]=", text));
  named.unit = named.name.substr(bracket + 1, named.name.size() - bracket - 2);
  named.name.resize(bracket);
  return named;
}

std::vector<MetricSpec> function_metrics(const std::string& function) {
  const auto metric = [&](Source source, std::string_view what, std::string_view unit) {
    const std::string name = fmt::format("{}.{}", function, what);
    return MetricSpec{"ftrace:" + name, source, function, {name, std::string(unit), Better::lower}};
  };
  return {metric(Source::function_calls, "calls", evidence::kCountUnit), metric(Source::function_total, "total", "us"),
          metric(Source::function_mean, "mean", "us")};
}

/// ftrace:FUNCTION, or ftrace:FUNCTION.calls for one of its three.
Result<std::vector<MetricSpec>> parse_function(const std::string& text, const std::string& argument) {
  if (argument.empty() || argument.find_first_of(" \t*?[") != std::string::npos)
    return fail(fmt::format("metric '{}' wants the name of one kernel function", text));
  for (const std::string_view suffix : {".calls", ".total", ".mean"}) {
    if (!argument.ends_with(suffix)) continue;
    for (auto& metric : function_metrics(argument.substr(0, argument.size() - suffix.size())))
      if (metric.text == text) return std::vector{std::move(metric)};
  }
  return function_metrics(argument);
}

/// NAME, or NAME=WHAT for what the benchmark's reader calls WHAT. Readers' own names have signs too ("Encode/size=1k ns/op"), but
/// never without a slash or a space before.
MetricSpec output_metric(const std::string& text, const std::string& argument) {
  const std::size_t sign = argument.find_first_of("=/ ");
  const bool named = sign != std::string::npos && argument[sign] == '=' && sign > 0 && sign + 1 < argument.size();
  return {text,
          Source::output,
          named ? argument.substr(sign + 1) : argument,
          {named ? argument.substr(0, sign) : argument, "", Better::neither}};
}

Result<std::vector<MetricSpec>> parse_with_argument(const std::string& text, const std::string& kind,
                                                    const std::string& argument) {
  if (kind == "perf") {
    TRY(parse_perf_event(argument));
    const bool clock = argument.starts_with("task-clock");
    return std::vector<MetricSpec>{
        {text, Source::perf, argument, evidence::perf_event_metric(argument, clock ? "ns" : evidence::kCountUnit)}};
  }
  if (kind == "ftrace") return parse_function(text, argument);
  if (kind == "regex" || kind == "json") {
    const bool regex = kind == "regex";
    Named named = TRY(parse_named(text, argument));
    if (regex)
      if (const auto compiled = Expression::compile(named.rest); !compiled)
        return fail(fmt::format("metric '{}': {}", text, compiled.error().message));
    if (!regex && named.rest.front() != '/')
      return fail(fmt::format("metric '{}' wants a JSON pointer, such as /jobs/0/read/iops", text));
    return std::vector<MetricSpec>{{text,
                                    regex ? Source::regex : Source::json,
                                    std::move(named.rest),
                                    {std::move(named.name), std::move(named.unit), Better::neither}}};
  }
  if (kind == "output" && !argument.empty()) return std::vector{output_metric(text, argument)};
  return fail(fmt::format("unknown metric '{}'{}", text, did_you_mean(kind + ":", kinds())));
}

}  // namespace

Result<std::vector<MetricSpec>> parse_metric(const std::string& text) {
  const auto plain = [&](Source source, evidence::MetricInfo info) {
    return std::vector<MetricSpec>{{text, source, "", std::move(info)}};
  };
  if (text == "wall") return plain(Source::wall, import::elapsed_metric());
  if (text == "user") return plain(Source::user, import::user_metric());
  if (text == "sys") return plain(Source::sys, import::sys_metric());
  if (text == "rss") return plain(Source::rss, import::max_rss_metric());
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return fail(fmt::format("unknown metric '{}'{}", text, did_you_mean(text, kinds())));
  return parse_with_argument(text, text.substr(0, colon), text.substr(colon + 1));
}

bool reads_output(const MetricSpec& metric) {
  return metric.source == Source::regex || metric.source == Source::json || metric.source == Source::output;
}

bool is_of_function(const MetricSpec& metric) {
  return metric.source == Source::function_calls || metric.source == Source::function_total ||
         metric.source == Source::function_mean;
}

}  // namespace tollgate::measure
