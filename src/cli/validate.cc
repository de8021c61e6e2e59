// tollgate validate: every published row beside its prediction.
#include "lab/validate.h"

#include "cli/progress.h"
#include "cli/question.h"

namespace tollgate::cli {
namespace {

Result<report::Validation> answer(const Arguments& arguments) {
  lab::CompareOptions options = TRY(compare_options(arguments));
  const auto published = TRY(published_rows());
  ProgressBar running("questions");
  options.progress = running.callback();
  return lab::validate(published, find_data, options);
}

Result<ExitStatus> run_validate(const Arguments& arguments) {
  return deliver<report::Validation>(arguments, TRY(answer(arguments)),
                                     {report::validation_text, report::validation_markdown, report::validation_json});
}

}  // namespace

CommandSpec validate_command() {
  return {
      .name = "validate",
      .summary = "every published result beside its prediction, the misses too",
      .description =
          "Asks every question that a published row names, on the row's machine and workload, and judges the row "
          "by the answer. Rows that nothing models are listed as such.",
      .options = sampling_options(),
      .examples = {"tollgate validate", "tollgate validate --format markdown -o validation.md"},
      .run = run_validate,
  };
}

}  // namespace tollgate::cli
