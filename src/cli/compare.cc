// tollgate compare EXPERIMENT: every variant of a question on the same draws; the table that is posted.
#include "cli/progress.h"
#include "cli/question.h"
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

Result<ExitStatus> run_compare(const Arguments& arguments) {
  return deliver<evidence::Comparison>(arguments, TRY(answer(arguments)),
                                       {report::table_text, report::table_markdown, report::comparison_json});
}

}  // namespace

CommandSpec compare_command() {
  return {
      .name = "compare",
      .summary = "answer a question: what its variants cost on a machine, with the reasons",
      .description =
          "Runs every variant of EXPERIMENT on the same draws of the machine's figures and prints the table people "
          "post, the accounts that differ, the exposure, and published results beside the prediction.",
      .positionals = {{"EXPERIMENT", "a name (tollgate list experiments) or the path of a file"}},
      .options = question_options(),
      .examples = {"tollgate compare pti-global-lseek", "tollgate compare pti-global-lseek --machine denverton-server",
                   "tollgate compare pti-global-compile --workload trace:my.tgt --samples 40"},
      .run = run_compare,
  };
}

}  // namespace tollgate::cli
