// tollgate import FILE...: what other tools' result files hold; with --keep, into the store that measure writes.
#include "import/import.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/digest.h"
#include "base/text.h"
#include "cli/from_files.h"
#include "cli/input_file.h"
#include "cli/kept.h"
#include "cli/question.h"
#include "import/catalogue.h"
#include "import/merge.h"
#include "report/measurement_report.h"

namespace tollgate::cli {
namespace {

using Found = std::vector<report::FoundResults>;
using Files = std::vector<import::NamedFile>;

bool wants_to_keep(const Arguments& arguments) {
  return arguments.flag("--keep") || arguments.given("--session") || arguments.given("--store");
}

/// A number would be taken for the id of a session of our own, and a line end for the end of a row.
Result<void> check_name(const std::string& name, const std::string& file) {
  if (file == input_name("-")) return fail("name what comes from standard input with --session", {file});
  if (std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }) || has_control(name))
    return fail(fmt::format("'{}' can be no session's name: choose one with --session", printable(name)), {file});
  return {};
}

store::ImportedSession session_of(std::string name, const import::Imported& file) {
  return {std::move(name), file.file, file.format, file.digest, now(), file.measurement};
}

/// All files as one session, as compare --from would take them together.
Result<store::ImportedSession> merged_session(std::string name, Files files) {
  if (files.size() == 1) return session_of(std::move(name), files[0].imported);
  store::ImportedSession session{std::move(name), "", "", "", now(), {}};
  std::vector<std::string> paths, formats;
  Digest digest;
  for (const auto& [no_name, file] : files) {
    digest.add(file.digest);
    paths.push_back(file.file);
    if (std::ranges::find(formats, file.format) == formats.end()) formats.push_back(file.format);
  }
  session.files = join(paths, ", ");
  session.format = join(formats, ", ");
  session.digest = digest.hex();
  session.measurement = TRY(import::merge(std::move(files)));
  return session;
}

/// A session a file, called as the file, or one session called as --session says.
Result<std::vector<store::ImportedSession>> sessions_of(const Arguments& arguments, Files files) {
  std::vector<store::ImportedSession> sessions;
  if (arguments.given("--session")) {
    const std::string name = arguments.text("--session");
    TRY(check_name(name, "--session"));
    sessions.push_back(TRY(merged_session(name, std::move(files))));
    return sessions;
  }
  for (const auto& [no_name, file] : files) {
    const std::string name = import::stem_of(file.file);
    TRY(check_name(name, file.file));
    sessions.push_back(session_of(name, file));
  }
  return sessions;
}

Result<void> keep(const Arguments& arguments, Files files) {
  const auto sessions = TRY(sessions_of(arguments, std::move(files)));
  const std::string path = TRY(store_path(arguments));
  store::Store kept = TRY(store::Store::open(path));
  const auto if_taken = arguments.flag("--replace") ? store::IfTaken::replace : store::IfTaken::refuse;
  TRY(kept.imports().add(sessions, if_taken).map_error([&](Error error) {
    if (if_taken == store::IfTaken::refuse) error.message += "; --replace replaces a session, --session names another";
    return error;
  }));
  for (const auto& session : sessions)
    fmt::print(stderr, "tollgate import: {} is kept as session '{}' in {}\n", printable(session.files),
               printable(session.name), path);
  return {};
}

Result<ExitStatus> run_import(const Arguments& arguments) {
  if (arguments.flag("--replace") && !wants_to_keep(arguments))
    return fail("--replace means nothing without --keep, --session or --store");
  const import::Told told = TRY(told_of(arguments));
  Files files;
  for (const std::string& path : arguments.list("FILE"))
    files.push_back({"", TRY(import::import_results(input_name(path), TRY(read_bytes(path)), told))});
  TRY(import::check_distinct(files));
  Found found;
  for (const auto& [no_name, file] : files) found.push_back({file.file, file.format, file.measurement});
  if (wants_to_keep(arguments)) TRY(keep(arguments, std::move(files)));
  return deliver<Found>(arguments, found, {report::found_text, report::found_markdown, report::found_json});
}

std::string description() {
  std::vector<std::string> formats;
  for (const auto& importer : import::catalogue())
    formats.push_back(fmt::format("{} ({})", importer.name, importer.made));
  return "Says what each FILE holds: variants, metrics, samples or only a summary. Files are told by their content, "
         "not by their name. To compare them: tollgate compare --from FILE --from FILE. With --keep, --session or "
         "--store the results are kept in the store that measure writes, a session a FILE, or one of all with "
         "--session; compare --from NAME and measure --list, --show and --export take it from there. Formats: " +
         join(formats, ", ") + ".";
}

}  // namespace

CommandSpec import_command() {
  std::vector<OptionSpec> options = told_options();
  options.insert(options.end(), {{"--keep", "", "keep the results as sessions, called as the files"},
                                 {"--session", "NAME", "keep them all as one session of that name"},
                                 store_option(),
                                 {"--replace", "", "in place of the imported session of that name"},
                                 {"--format", "FORMAT", "the form of the output", "text", {"text", "markdown", "json"}},
                                 {"-o", "FILE", "write there instead of to standard output"}});
  return {
      .name = "import",
      .summary = "read other tools' result files: hyperfine, perf stat, fio, time, hackbench and more",
      .description = description(),
      .positionals = {{"FILE", "what to read; - for standard input", Count::kMany}},
      .options = std::move(options),
      .examples = {"tollgate import results.json", "perf stat -x, -r 10 make 2>&1 >/dev/null | tollgate import -",
                   "tollgate import --session pti off.json on.json", "tollgate compare --from pti"},
      .run = run_import,
  };
}

}  // namespace tollgate::cli
