// tollgate table --from FILE...: results as a table ready to post.
#include "cli/from_files.h"
#include "cli/question.h"
#include "evidence/analysis.h"
#include "report/post_table.h"

namespace tollgate::cli {
namespace {

Result<ExitStatus> run_table(const Arguments& arguments) {
  if (!arguments.given("--from")) return fail("name result files with --from");
  const auto measurement = TRY(load_from(arguments));
  const auto comparison = TRY(evidence::analyse(measurement));
  const auto style = report::table_style(arguments.text("--style"));
  return deliver(arguments, report::post_table(measurement, comparison, *style));
}

}  // namespace

CommandSpec table_command() {
  std::vector<OptionSpec> options = from_options();
  options.push_back({"--style",
                     "STYLE",
                     "boxes, the lines of perf stat, before | after | change, or Markdown",
                     "box",
                     {"box", "perf-stat", "before-after", "markdown"}});
  options.push_back({"-o", "FILE", "write there instead of to standard output"});
  return {
      .name = "table",
      .summary = "write measured results as a table ready to post",
      .description =
          "Reads result files as compare --from does and writes the table that goes into a mail or a commit message, "
          "with "
          "number of runs, spread, order of runs and verdict. tollgate audit finds nothing wrong in it.",
      .options = std::move(options),
      .examples = {"tollgate table --from results.json --metric elapsed_s",
                   "tollgate table --from off=1.json --from on=2.json --style markdown"},
      .run = run_table,
  };
}

}  // namespace tollgate::cli
