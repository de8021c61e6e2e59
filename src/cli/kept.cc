#include "cli/kept.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "base/text.h"
#include "cli/output.h"
#include "cli/question.h"
#include "evidence/analysis.h"
#include "evidence/noise_floor.h"
#include "report/comparison_json.h"
#include "report/comparison_report.h"
#include "report/measurement_report.h"
#include "store/export.h"
#include "store/measurement.h"

namespace tollgate::cli {
namespace {

constexpr const char* kOwnFormat = "Tollgate session";

Result<std::string> default_store() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data != '\0') return std::string(data) + "/tollgate/measurements.db";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0')
    return fail("neither XDG_DATA_HOME nor HOME is set: name the store with --store");
  return std::string(home) + "/.local/share/tollgate/measurements.db";
}

/// Of each variant there must be a run to show.
Result<void> check_shown(const Arguments& arguments, const store::Session& session, std::span<const store::Run> runs) {
  std::vector<std::string> missing;
  for (std::size_t variant = 0; variant < session.variants.size(); ++variant)
    if (std::none_of(runs.begin(), runs.end(), [&](const store::Run& run) {
          return run.kind == store::RunKind::measured && run.variant == variant;
        }))
      missing.push_back("'" + session.variants[variant].name + "'");
  if (missing.empty()) return {};
  const std::string of = missing.size() == session.variants.size() ? "" : " of " + join(missing, ", ");
  return fail(fmt::format("session {} ('{}') has no runs{} yet; go on with: {}", session.id, printable(session.name),
                          of, resume_text(arguments, session.id)));
}

}  // namespace

OptionSpec store_option() {
  return {
      .name = "--store", .value_name = "FILE", .help = "where sessions are kept (default: in the user's data folder)"};
}

Result<std::string> store_path(const Arguments& arguments) {
  std::string path = arguments.given("--store") ? arguments.text("--store") : TRY(default_store());
  note_input(path);
  return path;
}

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

std::string resume_text(const Arguments& arguments, std::int64_t id) {
  return fmt::format("tollgate measure --resume {}{}", id,
                     arguments.given("--store") ? " --store " + arguments.text("--store") : "");
}

Result<evidence::Measurement> measured(const Arguments& arguments, const store::Session& session,
                                       std::span<const store::Run> runs) {
  TRY(check_shown(arguments, session, runs));
  auto measurement = store::measurement_of(session, runs);
  if (!session.noise || measurement.terms.primary != session.terms.primary) return measurement;
  const auto floor = evidence::noise_floor_percent(store::noise_of(session, runs));
  if (floor)
    measurement.noise_floor_percent = *floor;
  else
    measurement.warnings.push_back("no noise floor: " + floor.error().text());
  return measurement;
}

Result<std::int64_t> find_own(store::Store& kept, const std::string& id_or_name) {
  auto id = kept.find(id_or_name);
  if (id) return id;
  std::vector<std::string> names;
  for (const auto& line : TRY(kept.imports().list())) names.push_back(line.name);
  if (names.empty()) return id;
  std::string wrong = id.error().message + "; imported ones: " + join(names, ", ");
  if (TRY(kept.list()).empty())
    wrong = id_or_name.empty() ? "no session of measure is kept there; imported ones: " + join(names, ", ")
                               : fmt::format("there is no session '{}'{}", id_or_name, did_you_mean(id_or_name, names));
  else if (!nearest(id_or_name, names).empty())
    wrong = fmt::format("there is no session '{}'{}", id_or_name, did_you_mean(id_or_name, names));
  return fail(std::move(wrong), id.error().place);
}

Result<import::Imported> kept_results(const Arguments& arguments, store::Store& kept, const std::string& name) {
  if (auto imported = TRY(kept.imports().find(name)))
    return import::Imported{name, std::move(imported->format), std::move(imported->measurement),
                            std::move(imported->digest)};
  const std::int64_t id = TRY(find_own(kept, name));
  auto measurement = TRY(measured(arguments, TRY(kept.session(id)), TRY(kept.runs(id))));
  return import::Imported{name, kOwnFormat, std::move(measurement), fmt::format("session {}", id)};
}

Result<ExitStatus> deliver_imported(const Arguments& arguments, const store::ImportedSession& session) {
  if (arguments.flag("--resume"))
    return fail(fmt::format("session '{}' was imported: there is nothing to resume", printable(session.name)));
  if (arguments.text("--export") == "csv") return deliver(arguments, store::measurement_csv(session.measurement));
  if (arguments.given("--export"))
    return deliver(arguments, report::found_json({{session.files, session.format, session.measurement}}));
  return deliver<evidence::Comparison>(arguments, TRY(evidence::analyse(session.measurement)),
                                       {report::table_text, report::table_markdown, report::comparison_json});
}

}  // namespace tollgate::cli
