// tollgate compare EXPERIMENT: every variant of a question on the same draws; the table that is posted.
// tollgate compare --from FILE...: the same of results that others measured.
#include <fmt/core.h>

#include "cli/from_files.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "evidence/analysis.h"
#include "report/comparison_json.h"
#include "report/comparison_report.h"

namespace tollgate::cli {
namespace {

Result<evidence::Comparison> answer(const Arguments& arguments) {
  Asked asked = TRY(load_asked(arguments));
  ProgressBar running("runs");
  asked.options.progress = running.callback();
  return lab::compare(asked.question, asked.options, asked.published);
}

/// Options of the one kind have no meaning for the other.
Result<void> check_kind(const Arguments& arguments) {
  const bool from = arguments.given("--from");
  if (from && arguments.given("EXPERIMENT"))
    return fail("name an EXPERIMENT to simulate or result files with --from, not both");
  if (!from && !arguments.given("EXPERIMENT"))
    return fail("name an EXPERIMENT (tollgate list experiments) or result files with --from");
  for (const char* option : {"--machine", "--workload", "--set", "--samples", "--seed", "--threads", "--until"})
    if (from && arguments.given(option)) return fail(fmt::format("{} means nothing to results --from files", option));
  for (const char* option : {"--as", "--runs", "--metric", "--baseline", "--margin", "--store"})
    if (!from && arguments.given(option)) return fail(fmt::format("{} is for results --from files", option));
  return {};
}

Result<evidence::Comparison> answer_or_from(const Arguments& arguments) {
  TRY(check_kind(arguments));
  if (arguments.given("--from")) return evidence::analyse(TRY(load_from(arguments)));
  return answer(arguments);
}

std::vector<OptionSpec> compare_verb_options() {
  std::vector<OptionSpec> options = question_options();
  for (OptionSpec& option : from_options()) options.push_back(std::move(option));
  return options;
}

Result<ExitStatus> run_compare(const Arguments& arguments) {
  return deliver<evidence::Comparison>(arguments, TRY(answer_or_from(arguments)),
                                       {report::table_text, report::table_markdown, report::comparison_json});
}

}  // namespace

CommandSpec compare_command() {
  return {
      .name = "compare",
      .summary = "answer a question: what its variants cost on a machine, with the reasons",
      .description =
          "Runs every variant of EXPERIMENT on the same draws of the machine's figures and prints the table people "
          "post, the accounts that differ, the exposure, and published results beside the prediction. With --from, "
          "compares results that other tools measured, with the same table and a verdict.",
      .positionals = {{"EXPERIMENT", "a name (tollgate list experiments) or the path of a file", Count::kOptional}},
      .options = compare_verb_options(),
      .examples = {"tollgate compare pti-global-lseek", "tollgate compare pti-global-lseek --machine denverton-server",
                   "tollgate compare pti-global-compile --workload trace:my.tgt --samples 40",
                   "tollgate compare --from before.json --from after.json --margin 1%"},
      .run = run_compare,
  };
}

}  // namespace tollgate::cli
