#include "measure/metric.h"

#include <fmt/core.h>
#include <regex.h>

#include <charconv>
#include <cmath>
#include <memory>

#include "base/text.h"

namespace tollgate::measure {
namespace {

using evidence::Better;

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> names = {
      "wall", "user", "sys", "rss", "perf:EVENT", "regex:NAME=EXPRESSION", "json:NAME=POINTER", "ftrace:FUNCTION"};
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

using Expression = std::unique_ptr<regex_t, void (*)(regex_t*)>;

Result<Expression> compile(const std::string& text, const std::string& expression) {
  const auto problem = [&](std::string_view what) { return fail(fmt::format("metric '{}': {}", text, what)); };
  if (expression.find("\\d") != std::string::npos)
    return problem("\\d is not known to POSIX extended expressions: write [0-9]");
  auto compiled = std::make_unique<regex_t>();
  if (const int error = regcomp(compiled.get(), expression.c_str(), REG_EXTENDED | REG_NEWLINE); error != 0) {
    char message[200];
    regerror(error, compiled.get(), message, sizeof message);
    return problem(message);
  }
  Expression owner(compiled.release(), [](regex_t* old) {
    regfree(old);
    delete old;
  });
  if (owner->re_nsub == 0) return problem("the number wants a group: regex:time=Time: ([0-9.]+)");
  return owner;
}

std::vector<MetricSpec> function_metrics(const std::string& function) {
  const auto metric = [&](Source source, std::string_view what, std::string_view unit) {
    const std::string name = fmt::format("{}.{}", function, what);
    return MetricSpec{"ftrace:" + name, source, function, {name, std::string(unit), Better::lower}};
  };
  return {metric(Source::function_calls, "calls", "1"), metric(Source::function_total, "total", "us"),
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

Result<std::vector<MetricSpec>> parse_with_argument(const std::string& text, const std::string& kind,
                                                    const std::string& argument) {
  if (kind == "perf") {
    TRY(parse_perf_event(argument));
    const std::string unit = argument.starts_with("task-clock") ? "ns" : "1";
    return std::vector<MetricSpec>{{text, Source::perf, argument, {argument, unit, Better::lower}}};
  }
  if (kind == "ftrace") return parse_function(text, argument);
  if (kind == "regex" || kind == "json") {
    const bool regex = kind == "regex";
    Named named = TRY(parse_named(text, argument));
    if (regex) TRY(compile(text, named.rest));
    if (!regex && named.rest.front() != '/')
      return fail(fmt::format("metric '{}' wants a JSON pointer, such as /jobs/0/read/iops", text));
    return std::vector<MetricSpec>{{text,
                                    regex ? Source::regex : Source::json,
                                    std::move(named.rest),
                                    {std::move(named.name), std::move(named.unit), Better::neither}}};
  }
  return fail(fmt::format("unknown metric '{}'{}", text, did_you_mean(kind + ":", kinds())));
}

Result<double> parse_number(const std::string& text, const MetricSpec& metric) {
  double value = 0;
  const std::string_view digits = trim(text);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc() && end == digits.data() + digits.size() && std::isfinite(value)) return value;
  return fail(fmt::format("metric {}: '{}' is no plain number", metric.info.name, printable(text)));
}

Result<double> value_by_regex(const MetricSpec& metric, const std::string& output) {
  const auto expression = TRY(compile(metric.text, metric.argument));
  regmatch_t found[2];
  if (regexec(expression.get(), output.c_str(), 2, found, 0) != 0)
    return fail(fmt::format("metric {}: the output does not match '{}'", metric.info.name, metric.argument));
  if (found[1].rm_so < 0)
    return fail(fmt::format("metric {}: '{}' matches without its group", metric.info.name, metric.argument));
  const std::string number = output.substr(std::size_t(found[1].rm_so), std::size_t(found[1].rm_eo - found[1].rm_so));
  regmatch_t again[1];
  const char* rest = output.c_str() + std::max(found[0].rm_eo, found[0].rm_so + 1);
  if (*rest != '\0' && regexec(expression.get(), rest, 1, again, REG_NOTBOL) == 0)
    return fail(fmt::format("metric {}: the output matches '{}' more than once", metric.info.name, metric.argument));
  return parse_number(number, metric);
}

}  // namespace

Result<std::vector<MetricSpec>> parse_metric(const std::string& text) {
  const auto plain = [&](Source source, std::string_view unit) {
    return std::vector<MetricSpec>{{text, source, "", {text, std::string(unit), Better::lower}}};
  };
  if (text == "wall") return plain(Source::wall, "s");
  if (text == "user") return plain(Source::user, "s");
  if (text == "sys") return plain(Source::sys, "s");
  if (text == "rss") return plain(Source::rss, "B");
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return fail(fmt::format("unknown metric '{}'{}", text, did_you_mean(text, kinds())));
  return parse_with_argument(text, text.substr(0, colon), text.substr(colon + 1));
}

bool reads_output(const MetricSpec& metric) { return metric.source == Source::regex || metric.source == Source::json; }

bool is_of_function(const MetricSpec& metric) {
  return metric.source == Source::function_calls || metric.source == Source::function_total ||
         metric.source == Source::function_mean;
}

Result<double> value_in_output(const MetricSpec& metric, const std::string& output) {
  if (metric.source == Source::regex) return value_by_regex(metric, output);
  const auto value = number_in_json(output, metric.argument);
  if (value) return *value;
  return fail(fmt::format("metric {}: {}", metric.info.name, value.error().message));
}

}  // namespace tollgate::measure
