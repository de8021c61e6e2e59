// tollgate validate: every published row beside its prediction.
#include "lab/validate.h"

#include "cli/output.h"
#include "cli/progress.h"
#include "cli/question.h"

namespace tollgate::cli {
namespace {

std::string rendered(const std::vector<report::ValidationRow>& rows, const std::string& format) {
  if (format == "json") return report::validation_json(rows);
  return format == "markdown" ? report::validation_markdown(rows) : report::validation_text(rows);
}

Result<std::vector<report::ValidationRow>> answer(const Arguments& arguments) {
  lab::CompareOptions options = TRY(compare_options(arguments));
  const auto published = TRY(published_rows());
  ProgressBar running("questions");
  options.progress = running.callback();
  return lab::validate(published, find_data, options);
}

Result<ExitStatus> run_validate(const Arguments& arguments) {
  return deliver(arguments, rendered(TRY(answer(arguments)), arguments.text("--format")));
}

}  // namespace

CommandSpec validate_command() {
  return {
      .name = "validate",
      .summary = "every published result beside its prediction, the misses too",
      .description = "Asks every question that a published row names, on the row's machine and workload, and judges the row "
                     "by the answer. Rows that nothing models are listed as such.",
      .options = sampling_options(),
      .examples = {"tollgate validate", "tollgate validate --format markdown -o validation.md"},
      .run = run_validate,
  };
}

}  // namespace tollgate::cli
