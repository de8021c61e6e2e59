#include "import/import.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/check.h"
#include "base/digest.h"
#include "base/text.h"
#include "evidence/summary.h"
#include "import/catalogue.h"
#include "import/collector.h"
#include "import/source.h"
#include "import/unread.h"

namespace tollgate::import {
namespace {

std::string names_of(const std::vector<const Importer*>& importers) {
  std::vector<std::string> names;
  for (const Importer* importer : importers) names.emplace_back(importer->name);
  return join(names, ", ");
}

/// Why `importer` cannot read the source, which `found` recognise.
Error why_not(const Importer& importer, const Source& source, const std::vector<const Importer*>& found) {
  const std::string what = fmt::format("is not of the format '{}': ", importer.name);
  if (!found.empty()) return {what + "it is " + names_of(found)};
  if (const auto known = known_but_unread(source)) return {what + "it is " + *known};
  if (importer.name.ends_with("JSON") && source.json_error())
    return {what + source.json_error()->message, source.json_error()->place};
  if (importer.name.ends_with("JSON") && source.json() == nullptr) return {what + "it is no JSON"};
  return {fmt::format("{}nothing in it is as `{}` prints it", what, importer.made)};
}

Result<const Importer*> importer_of(const Source& source, std::string_view wanted) {
  std::vector<const Importer*> tried, found;
  const Importer* asked_for = nullptr;
  for (const Importer& importer : catalogue()) {
    tried.push_back(&importer);
    if (importer.recognises(source)) found.push_back(&importer);
    if (importer.name == wanted) asked_for = &importer;
  }
  CHECK(wanted.empty() || asked_for != nullptr, "a format that the caller has looked for");
  if (asked_for != nullptr && std::ranges::find(found, asked_for) != found.end()) return asked_for;
  if (asked_for != nullptr) return tl::unexpected(why_not(*asked_for, source, found));
  if (found.size() == 1) return found[0];
  if (!found.empty())
    return fail(fmt::format("is ambiguous: it could be {}; choose one with --as FORMAT", names_of(found)));
  if (const auto known = known_but_unread(source)) return fail("is " + *known);
  if (source.json_error()) return tl::unexpected(*source.json_error());
  return fail(fmt::format("holds no results that import knows; tried: {}", names_of(tried)));
}

/// Where the file does not say how many runs there were, the user does.
Result<void> tell_runs(std::uint64_t runs, evidence::Measurement& measurement) {
  for (auto& series : measurement.series) {
    std::optional<std::uint64_t> known = series.samples.size();
    if (series.summary) known = series.summary->count;
    if (known && *known != runs)
      return fail(fmt::format("holds {} of {} of '{}', not {}", counted(static_cast<long long>(*known), "run"),
                              series.metric.name, printable(series.variant), runs));
    if (known) continue;
    series.summary->count = runs;
    evidence::append_unique(measurement.notes, std::array{told_runs_note(runs)});
  }
  return {};
}

Result<Imported> read(const std::string& file, std::string_view bytes, const Told& told) {
  Source source = TRY(Source::open(file, bytes));
  source.tell_runs(told.runs);
  const Importer* importer = TRY(importer_of(source, told.format));
  auto measurement = TRY(importer->read(source));
  if (told.runs) TRY(tell_runs(*told.runs, measurement));
  for (const auto& [lines, where] :
       {std::pair{source.lines_before_json(), "before"}, {source.lines_after_json(), "after"}})
    if (source.json() != nullptr && lines > 0)
      measurement.warnings.push_back(fmt::format("{}: {} lines {} the JSON were skipped", file, lines, where));
  // JSON says itself where it ends; a text that is cut may end in the beginning of a value.
  if (source.json() == nullptr && !bytes.ends_with('\n'))
    measurement.warnings.push_back(
        fmt::format("{}:{}: the last line has no end: the file may be cut, and the last value with it", file,
                    source.lines().back().number));
  Digest digest;
  digest.add(bytes);
  return Imported{file, std::string(importer->name), std::move(measurement), digest.hex()};
}

}  // namespace

Result<Imported> import_results(const std::string& file, std::string_view bytes, const Told& told) {
  return read(file, bytes, told).map_error([&](Error error) {
    error.place.file = file;
    return error;
  });
}

}  // namespace tollgate::import
