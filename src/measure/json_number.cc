// Finding one number in the JSON that a benchmark prints. The JSON library is used here alone.
#include <fmt/core.h>

#include <simdjson.h>
#include <cmath>

#include "measure/metric.h"

namespace tollgate::measure {
namespace {

/// Where a document may begin: an opening bracket at the start of a line.
std::size_t document_start(const std::string& text) {
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    if (text[at] == '{' || text[at] == '[') return at;
    if (text.find('\n', at) == std::string::npos) break;
  }
  return std::string::npos;
}

}  // namespace

Result<double> number_in_json(const std::string& text, const std::string& pointer) {
  const std::size_t start = document_start(text);
  if (start == std::string::npos) return fail("the output has no JSON");
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  if (const auto error = parser.parse(text.substr(start)).get(document); error != simdjson::SUCCESS)
    return fail(fmt::format("the output's JSON cannot be read: {}", simdjson::error_message(error)));
  simdjson::dom::element element;
  if (document.at_pointer(pointer).get(element) != simdjson::SUCCESS)
    return fail(fmt::format("the output's JSON has nothing at {}", pointer));
  double value = 0;
  if (element.get(value) != simdjson::SUCCESS || !std::isfinite(value))
    return fail(fmt::format("the output's JSON has no number at {}", pointer));
  return value;
}

}  // namespace tollgate::measure
