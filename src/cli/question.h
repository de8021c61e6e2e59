// What the verbs that ask questions share: the options that name a question, and the way from them to a loaded one.
#pragma once

#include <vector>

#include "cli/command.h"
#include "lab/compare.h"

namespace tollgate::cli {

/// --samples, --seed, --threads, --until, --format, -o.
std::vector<OptionSpec> sampling_options();
/// Those, and --machine, --workload, --set.
std::vector<OptionSpec> question_options();

/// A question as the command line asks it, loaded; `options` lacks only its progress.
struct Asked {
  lab::QuestionRequest request;
  lab::Question question;
  lab::CompareOptions options;
  std::vector<evidence::PublishedRow> published;
};
Result<Asked> load_asked(const Arguments& arguments);
/// All but `progress`.
Result<lab::CompareOptions> compare_options(const Arguments& arguments);
/// Finds data files as the other verbs do.
Result<std::string> find_data(const std::string& kind, const std::string& name);
Result<std::vector<evidence::PublishedRow>> published_rows();

/// A result's three forms.
template <typename Answer>
struct Forms {
  std::string (*text)(const Answer&);
  std::string (*markdown)(const Answer&);
  std::string (*json)(const Answer&);
};
/// Prints the text, or writes it to the file of -o.
Result<ExitStatus> deliver(const Arguments& arguments, const std::string& text);
/// Delivers `answer` in the form that --format asks for.
template <typename Answer>
Result<ExitStatus> deliver(const Arguments& arguments, const Answer& answer, const Forms<Answer>& forms) {
  const std::string format = arguments.text("--format");
  return deliver(arguments, format == "json"       ? forms.json(answer)
                            : format == "markdown" ? forms.markdown(answer)
                                                   : forms.text(answer));
}

}  // namespace tollgate::cli
