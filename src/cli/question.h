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

Result<lab::QuestionRequest> question_request(const Arguments& arguments);
/// All but `progress`.
Result<lab::CompareOptions> compare_options(const Arguments& arguments);
/// Finds data files as the other verbs do.
Result<std::string> find_data(const std::string& kind, const std::string& name);
Result<std::vector<evidence::PublishedRow>> published_rows();
/// Prints the result, or writes it to the file of -o.
Result<ExitStatus> deliver(const Arguments& arguments, const std::string& text);

}  // namespace tollgate::cli
