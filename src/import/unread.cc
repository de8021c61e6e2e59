#include "import/unread.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "import/catalogue.h"
#include "import/csv.h"

namespace tollgate::import {
namespace {

/// "3;fio-3.33;job;0;0;...": version, fio, the job's name. Version 2 lacks the second field; all have dozens (fio HOWTO, "Terse
/// output").
bool is_fio_terse(const Source& source) {
  return std::ranges::any_of(source.lines(), [](const Line& line) {
    if (line.text.size() < 2 || line.text[0] < '2' || line.text[0] > '9' || line.text[1] != ';') return false;
    return line.text.substr(2).starts_with("fio-") || (line.text[0] == '2' && std::ranges::count(line.text, ';') > 40);
  });
}

/// Of our own JSON: of a newer version, or of a verb whose answers are no results.
std::optional<std::string> own_json(const Source& source) {
  const JsonValue* schema = source.json() ? source.json()->find("schema") : nullptr;
  if (schema == nullptr || !schema->text.starts_with("tollgate.")) return std::nullopt;
  const auto kind = [](std::string_view text) { return text.substr(0, text.find('/')); };
  for (const std::string_view read : {kSessionSchema, kImportSchema})
    if (kind(schema->text) == kind(read))
      return fmt::format("of a newer Tollgate: its schema is {}, and this one reads {}", printable(schema->text), read);
  return fmt::format(
      "an answer of Tollgate ({}), not the results behind it: import reads what measure --export json and "
      "import --format json print",
      printable(schema->text));
}

bool is_own_csv(const Source& source) {
  return begins_with_columns(source.lines().front().text, "kind,variant,run,position,block,boot");
}

}  // namespace

std::optional<std::string> known_but_unread(const Source& source) {
  if (is_fio_terse(source)) return "fio's terse output: import reads fio --output-format=json";
  if (is_own_csv(source))
    return "measure's CSV, which lacks the terms of the measurement: import reads measure --export json";
  return own_json(source);
}

}  // namespace tollgate::import
