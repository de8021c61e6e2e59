// tollgate import FILE...: what other tools' result files hold.
#include "import/import.h"

#include <fmt/core.h>

#include "base/text.h"
#include "cli/input_file.h"
#include "cli/question.h"
#include "import/catalogue.h"
#include "report/measurement_report.h"

namespace tollgate::cli {
namespace {

using Found = std::vector<report::FoundResults>;

Result<ExitStatus> run_import(const Arguments& arguments) {
  Found found;
  for (const std::string& path : arguments.list("FILE")) {
    const std::string bytes = TRY(read_bytes(path));
    auto imported = TRY(import::import_results(input_name(path), bytes));
    found.push_back({imported.file, std::string(imported.format), std::move(imported.measurement)});
  }
  return deliver<Found>(arguments, found, {report::found_text, report::found_markdown, report::found_json});
}

std::string description() {
  std::vector<std::string> formats;
  for (const auto& importer : import::catalogue())
    formats.push_back(fmt::format("{} ({})", importer.name, importer.made));
  return "Says what each FILE holds: variants, metrics, samples or only a summary. Files are told by their content, "
         "not "
         "by their name. To compare them: tollgate compare --from FILE --from FILE. Formats: " +
         join(formats, ", ") + ".";
}

}  // namespace

CommandSpec import_command() {
  return {
      .name = "import",
      .summary = "read other tools' result files: hyperfine, perf stat, fio, time, hackbench and more",
      .description = description(),
      .positionals = {{"FILE", "what to read; - for standard input", Count::kMany}},
      .options = {{"--format", "FORMAT", "the form of the output", "text", {"text", "markdown", "json"}},
                  {"-o", "FILE", "write there instead of to standard output"}},
      .examples = {"tollgate import results.json", "perf stat -x, -r 10 make 2>&1 >/dev/null | tollgate import -"},
      .run = run_import,
  };
}

}  // namespace tollgate::cli
