// tollgate trace import | info: recordings of real programs.
#include <fmt/core.h>

#include <cstdio>

#include "base/text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/trace_info.h"
#include "trace/examine.h"
#include "trace/import.h"

namespace tollgate::cli {
namespace {

std::string import_summary(const std::string& output, const trace::ImportReport& report) {
  const trace::TraceTotals& totals = report.totals;
  const auto count = [](std::uint64_t number) { return with_commas(static_cast<long long>(number)); };
  return fmt::format("{}: references {} (instructions {}, reads {}, writes {}), pages {}, from {} of text to {}\n",
                     output, count(totals.references()), count(totals.instructions()), count(totals.reads()),
                     count(totals.writes()), count(totals.pages), human_bytes(static_cast<double>(report.input_bytes)),
                     human_bytes(static_cast<double>(report.output_bytes)));
}

Result<ExitStatus> run_import(const Arguments& arguments) {
  const std::string output = arguments.text("-o");
  if (output.empty()) return fail("name the trace to write with -o OUT");
  trace::ImportOptions options;
  options.architecture = arguments.text("--architecture");
  options.origin = arguments.text("--origin");
  trace::ImportReport report;
  {
    ProgressBar bar("importing");
    options.progress = bar.callback();
    report = TRY(trace::import_trace(arguments.text("FILE"), output, options));
  }
  for (const std::string& warning : report.warnings)
    fmt::print(stderr, "tollgate trace import: warning: {}\n", warning);
  // The trace itself may have gone to standard output.
  fmt::print(stderr, "{}", import_summary(output, report));
  return ExitStatus::kDone;
}

Result<ExitStatus> run_info(const Arguments& arguments) {
  const std::string path = arguments.text("FILE");
  trace::Examination found;
  {
    ProgressBar bar("checking");
    found = TRY(trace::examine(path, bar.callback()));
  }
  if (arguments.text("--format") == "json")
    print(trace_info_json(path, found));
  else
    print(report::render_text(trace_info_document(path, found)));
  if (found.damage) return tl::unexpected(*found.damage);
  return ExitStatus::kDone;
}

CommandSpec import_command() {
  return {
      .name = "import",
      .summary = "make a trace of the text that Valgrind's lackey prints",
      .description =
          "Reads the output of valgrind --tool=lackey --trace-mem=yes, from a file or, with -, from standard "
          "input, and writes a Tollgate trace: page references, collapsed into runs and compressed. Memory "
          "stays constant however long the text is.",
      .positionals = {{"FILE", "the text; - for standard input"}},
      .options = {{"-o", "OUT", "the trace to write (required)"},
                  {"--architecture", "NAME", "what the program ran on", "x86_64"},
                  {"--origin", "TEXT", "what was recorded, for the header; by default what the text says of itself"}},
      .examples = {"tollgate trace import lackey.txt -o program.tgt",
                   "valgrind --tool=lackey --trace-mem=yes --log-fd=9 PROGRAM 9>&1 >/dev/null | "
                   "tollgate trace import - -o program.tgt"},
      .run = run_import};
}

CommandSpec info_command() {
  return {.name = "info",
          .summary = "say what a trace holds, and whether it is whole",
          .description =
              "Checks every checksum of a trace and prints its totals. Of a damaged trace it prints what is "
              "good before the damage, and exits with 2.",
          .positionals = {{"FILE", "the trace"}},
          .options = {{"--format", "FORMAT", "the form of the output", "text", {"text", "json"}}},
          .examples = {"tollgate trace info program.tgt"},
          .run = run_info};
}

}  // namespace

CommandSpec trace_command() {
  return {.name = "trace",
          .summary = "import and inspect recordings of real programs",
          .description = "Traces hold the page references of a real run; `compare --workload trace:FILE` prices them.",
          .subcommands = {import_command(), info_command()}};
}

}  // namespace tollgate::cli
