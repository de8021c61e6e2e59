// tollgate explain EXPERIMENT: where the delta comes from, and what it hangs on.
#include "lab/explain.h"

#include "cli/output.h"
#include "cli/progress.h"
#include "cli/question.h"

namespace tollgate::cli {
namespace {

std::string rendered(const report::Explanation& explanation, const std::string& format) {
  if (format == "json") return report::explanation_json(explanation);
  return format == "markdown" ? report::explanation_markdown(explanation) : report::explanation_text(explanation);
}

Result<report::Explanation> answer(const Arguments& arguments) {
  lab::CompareOptions options = TRY(compare_options(arguments));
  const lab::QuestionRequest request = TRY(question_request(arguments));
  const auto published = TRY(published_rows());
  ProgressBar reading("reading");
  const lab::Question question = TRY(lab::load_question(request, find_data, reading.callback()));
  ProgressBar running("runs");
  options.progress = running.callback();
  return lab::explain(request, question, find_data, options, published);
}

Result<ExitStatus> run_explain(const Arguments& arguments) {
  return deliver(arguments, rendered(TRY(answer(arguments)), arguments.text("--format")));
}

}  // namespace

CommandSpec explain_command() {
  return {
      .name = "explain",
      .summary = "why the variants differ, and which machine figures the answer hangs on",
      .description =
          "The delta by account, misses by cause, exposure; the ten machine figures with the most leverage, each rerun "
          "at both ends of its range; where the answer steps in the layout; and what would decide the rest.",
      .positionals = {{"EXPERIMENT", "a name (tollgate list experiments) or the path of a file"}},
      .options = question_options(),
      .examples = {"tollgate explain pti-global-lseek", "tollgate explain pti-off-on --machine denverton-server"},
      .run = run_explain,
  };
}

}  // namespace tollgate::cli
