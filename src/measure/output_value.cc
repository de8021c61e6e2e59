#include "measure/output_value.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "import/import.h"
#include "import/json.h"
#include "measure/expression.h"

namespace tollgate::measure {
namespace {

using import::JsonValue;

Result<double> parse_number(const std::string& text) {
  double value = 0;
  const std::string_view digits = trim(text);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc() && end == digits.data() + digits.size() && std::isfinite(value)) return value;
  return fail(fmt::format("'{}' is no plain number", printable(text)));
}

Result<double> value_by_regex(const std::string& expression, const std::string& output) {
  const Expression compiled = TRY(Expression::compile(expression));
  const auto found = compiled.groups_in(output);
  if (found.empty()) return fail(fmt::format("the output does not match '{}'", expression));
  if (found.size() > 1) return fail(fmt::format("the output matches '{}' more than once", expression));
  if (!found.front()) return fail(fmt::format("'{}' matches without its group", expression));
  return parse_number(*found.front());
}

/// A step of a JSON pointer (RFC 6901) with its escapes undone: ~1 is a slash, ~0 a tilde.
std::string unescaped(std::string_view step) {
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool escaped = step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1');
    text += !escaped ? step[i] : step[i + 1] == '1' ? '/' : '~';
    i += escaped;
  }
  return text;
}

const JsonValue* child_of(const JsonValue& value, const std::string& step) {
  if (!value.is(JsonValue::Kind::array)) return value.find(step);
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  const bool is_index = error == std::errc() && end == step.data() + step.size();
  return is_index && index < value.items.size() ? &value.items[index] : nullptr;
}

/// Where the document begins: at the first line that begins with a bracket.
std::size_t document_start(const std::string& output) {
  for (std::size_t at = 0; at < output.size();) {
    if (output[at] == '{' || output[at] == '[') return at;
    const std::size_t end = output.find('\n', at);
    if (end == std::string::npos) break;
    at = end + 1;
  }
  return std::string::npos;
}

Result<double> value_by_pointer(const std::string& pointer, const std::string& output) {
  const std::size_t start = document_start(output);
  if (start == std::string::npos) return fail("the output has no JSON");
  const auto document = import::parse_json(std::string_view(output).substr(start), 1);
  if (!document) return fail(fmt::format("the output's JSON cannot be read: {}", document.error().message));
  const JsonValue* at = &*document;
  for (const auto& step : split(pointer.substr(1), '/')) {
    at = child_of(*at, unescaped(step));
    if (at == nullptr) return fail(fmt::format("the output's JSON has nothing at {}", pointer));
  }
  if (!at->is(JsonValue::Kind::number)) return fail(fmt::format("the output's JSON has no number at {}", pointer));
  return at->number;
}

Result<double> value_of_series(const evidence::Series& series) {
  if (!series.samples.empty()) {
    const auto sum = [](double total, const evidence::Sample& sample) { return total + sample.value; };
    return std::accumulate(series.samples.begin(), series.samples.end(), 0.0, sum) / double(series.samples.size());
  }
  if (series.summary && series.summary->mean) return *series.summary->mean;
  return fail("the output has no mean of it");
}

Result<OutputValue> value_by_reader(const std::string& name, const std::string& output) {
  const auto imported = TRY(import::import_results("output", output));
  std::vector<std::string> names;
  const evidence::Series* found = nullptr;
  for (const auto& series : imported.measurement.series) {
    names.push_back(series.metric.name);
    if (series.metric.name != name) continue;
    if (found != nullptr)
      return fail(fmt::format("the output holds it for '{}' and for '{}'", found->variant, series.variant));
    found = &series;
  }
  if (found == nullptr)
    return fail(fmt::format("the output, {}, has none{}", imported.format, did_you_mean(name, names)));
  return OutputValue{TRY(value_of_series(*found)), found->metric};
}

Result<OutputValue> find_value(const MetricSpec& metric, const std::string& output) {
  if (metric.source == Source::output) return value_by_reader(metric.argument, output);
  return OutputValue{TRY(metric.source == Source::regex ? value_by_regex(metric.argument, output)
                                                        : value_by_pointer(metric.argument, output)),
                     metric.info};
}

}  // namespace

Result<OutputValue> value_in_output(const MetricSpec& metric, const std::string& output) {
  return find_value(metric, output).map_error([&](const Error& error) {
    return Error{fmt::format("metric {}: {}", metric.info.name, error.message)};
  });
}

}  // namespace tollgate::measure
