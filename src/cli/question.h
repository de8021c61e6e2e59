// What the verbs that ask questions share: the options that name a question, and the way from them to a loaded one.
#pragma once

#include <vector>

#include "cli/command.h"
#include "lab/compare.h"

namespace tollgate::cli {

/// --machine, --workload, --set, --samples, --seed, --threads, --format, -o.
std::vector<OptionSpec> question_options();

Result<lab::QuestionRequest> question_request(const Arguments& arguments);
/// All but `progress`.
Result<lab::CompareOptions> compare_options(const Arguments& arguments);
/// Finds data files as the other verbs do.
Result<std::string> find_data(const std::string& kind, const std::string& name);
Result<std::vector<evidence::PublishedRow>> published_rows();

}  // namespace tollgate::cli
