// tollgate trace import | export | info: recordings of real programs; simulate is in trace_simulate.cc.
#include <fmt/core.h>

#include <cstdio>

#include "base/text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/trace_info.h"
#include "cli/trace_simulate.h"
#include "trace/drmemtrace_export.h"
#include "trace/examine.h"
#include "trace/import.h"
#include "trace/records.h"
#include "trace/working_set.h"

namespace tollgate::cli {
namespace {

std::string import_summary(const std::string& output, const trace::ImportReport& report) {
  const trace::TraceTotals& totals = report.totals;
  const auto count = [](std::uint64_t number) { return with_commas(static_cast<long long>(number)); };
  return fmt::format("{}: references {} (instructions {}, reads {}, writes {}), pages {}, from {} to {}\n", output,
                     count(totals.references()), count(totals.instructions()), count(totals.reads()),
                     count(totals.writes()), count(totals.pages), human_bytes(static_cast<double>(report.input_bytes)),
                     human_bytes(static_cast<double>(report.output_bytes)));
}

Result<ExitStatus> run_import(const Arguments& arguments) {
  const std::string output = arguments.text("-o");
  if (output.empty()) return fail("name the trace to write with -o OUT");
  trace::ImportOptions options;
  options.recording.architecture = arguments.text("--architecture");
  options.recording.origin = arguments.text("--origin");
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

Result<ExitStatus> run_export(const Arguments& arguments) {
  const std::string output = arguments.text("-o");
  if (output.empty()) return fail("name the file to write with -o OUT");
  trace::ExportReport report;
  {
    ProgressBar bar("exporting");
    report = TRY(trace::export_drmemtrace(arguments.text("FILE"), output, bar.callback()));
  }
  fmt::print(stderr, "{}: references {}, events {}, {}\n", output,
             with_commas(static_cast<long long>(report.references)), with_commas(static_cast<long long>(report.events)),
             human_bytes(static_cast<double>(report.output_bytes)));
  return ExitStatus::kDone;
}

Result<ExitStatus> run_info(const Arguments& arguments) {
  const std::string path = arguments.text("FILE");
  trace::Examination found;
  trace::WorkingSet memory;
  {
    ProgressBar bar("checking");
    found = TRY(trace::examine(path, bar.callback()));
    const auto take = [&](std::span<const trace::Record> records) -> Result<void> {
      memory.take(records);
      return {};
    };
    if (!found.damage) TRY(trace::read_records(path, take, bar.callback()));
  }
  const trace::WorkingSet* const known = found.damage ? nullptr : &memory;
  const std::string format = arguments.text("--format");
  if (format == "json")
    print(trace_info_json(path, found, known));
  else
    print((format == "markdown" ? report::render_markdown
                                : report::render_text)(trace_info_document(path, found, known)));
  if (found.damage) return tl::unexpected(*found.damage);
  return ExitStatus::kDone;
}

CommandSpec import_command() {
  return {
      .name = "import",
      .summary = "make a trace of another tool's recording: lackey text, DynamoRIO's drmemtrace",
      .description =
          "Reads the output of valgrind --tool=lackey --trace-mem=yes, or a DynamoRIO drmemtrace file or folder, "
          "packed "
          "(zip, gzip, zstd, xz, bzip2, lz4) or not, told by content; with -, from standard input. Writes a Tollgate "
          "trace: page references, collapsed into runs and compressed. Memory stays constant however long the "
          "recording "
          "is.",
      .positionals = {{"FILE", "the recording; - for standard input; a folder of drmemtrace files, one a thread"}},
      .options = {{"-o", "OUT", "the trace to write (required)"},
                  {.name = "--architecture",
                   .value_name = "NAME",
                   .help = "what the program ran on; by default what the recording says, or x86_64",
                   .choices = {"x86_64", "i386", "aarch64", "arm", "riscv64", "ppc64le", "s390x"}},
                  {"--origin", "TEXT", "what was recorded, for the header; by default what the recording says"}},
      .examples = {"tollgate trace import lackey.txt -o program.tgt",
                   "tollgate trace import drmemtrace.app.1234.dir -o app.tgt",
                   "valgrind --tool=lackey --trace-mem=yes --log-fd=9 PROGRAM 9>&1 >/dev/null | "
                   "tollgate trace import - -o program.tgt"},
      .run = run_import};
}

CommandSpec export_command() {
  return {
      .name = "export",
      .summary = "write a trace as DynamoRIO's drmemtrace",
      .description =
          "Writes one plain drmemtrace file (gzip it if you like), for tools that read that. A trace knows pages, so "
          "the addresses within them are made up; what a TLB sees is the same. Events become user-defined markers: "
          "docs/formats/drmemtrace.md.",
      .positionals = {{"FILE", "the trace"}},
      .options = {{"-o", "OUT", "the file to write (required)"}},
      .examples = {"tollgate trace export program.tgt -o program.drmemtrace"},
      .run = run_export};
}

CommandSpec info_command() {
  return {.name = "info",
          .summary = "say what a trace holds, and whether it is whole",
          .description =
              "Checks every checksum of a trace and prints its totals, its footprint in each page size, the "
              "working-set curve "
              "and its events. Of a damaged trace it prints what is "
              "good before the damage, and exits with 2.",
          .positionals = {{"FILE", "the trace"}},
          .options = {{"--format", "FORMAT", "the form of the output", "text", {"text", "markdown", "json"}}},
          .examples = {"tollgate trace info program.tgt"},
          .run = run_info};
}

}  // namespace

CommandSpec trace_command() {
  return {.name = "trace",
          .summary = "simulate TLBs on recordings of real programs; import, export and inspect them",
          .description =
              "Traces hold the page references of a real run. `simulate` says what TLBs make of them; "
              "`compare --workload trace:FILE` prices them.",
          .subcommands = {simulate_command(), info_command(), import_command(), export_command()}};
}

}  // namespace tollgate::cli
