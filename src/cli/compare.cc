// tollgate compare EXPERIMENT: every variant of a question on the same draws; the table that is posted.
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "report/comparison_json.h"
#include "report/comparison_report.h"

namespace tollgate::cli {
namespace {

std::string rendered(const evidence::Comparison& comparison, const std::string& format) {
  if (format == "json") return report::comparison_json(comparison);
  return format == "markdown" ? report::table_markdown(comparison) : report::table_text(comparison);
}

Result<evidence::Comparison> answer(const Arguments& arguments) {
  lab::CompareOptions options = TRY(compare_options(arguments));
  const lab::QuestionRequest request = TRY(question_request(arguments));
  const auto published = TRY(published_rows());
  ProgressBar reading("reading");
  const lab::Question question = TRY(lab::load_question(request, find_data, reading.callback()));
  ProgressBar running("runs");
  options.progress = running.callback();
  return lab::compare(question, options, published);
}

Result<ExitStatus> run_compare(const Arguments& arguments) {
  return deliver(arguments, rendered(TRY(answer(arguments)), arguments.text("--format")));
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
