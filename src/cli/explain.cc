// tollgate explain EXPERIMENT: where the delta comes from, and what it hangs on.
#include "lab/explain.h"

#include "cli/progress.h"
#include "cli/question.h"

namespace tollgate::cli {
namespace {

Result<report::Explanation> answer(const Arguments& arguments) {
  Asked asked = TRY(load_asked(arguments));
  ProgressBar running("runs");
  asked.options.progress = running.callback();
  return lab::explain(asked.request, asked.question, find_data, asked.options, asked.published);
}

Result<ExitStatus> run_explain(const Arguments& arguments) {
  return deliver<report::Explanation>(
      arguments, TRY(answer(arguments)),
      {report::explanation_text, report::explanation_markdown, report::explanation_json});
}

}  // namespace

CommandSpec explain_command() {
  return {
      .name = "explain",
      .summary = "why the variants differ, and which inputs the answer hangs on",
      .description =
          "The delta by account, misses by cause, exposure; the ten machine figures with the largest effect and every "
          "other uncertain input, each rerun "
          "at both ends of its range; where the answer steps in the layout; and what would decide the rest.",
      .positionals = {{"EXPERIMENT", "a name (tollgate list experiments) or the path of a file"}},
      .options = question_options(),
      .examples = {"tollgate explain pti-global-lseek", "tollgate explain pti-off-on --machine denverton-server"},
      .run = run_explain,
  };
}

}  // namespace tollgate::cli
