// --from FILE: result files and kept sessions as one measurement, for the verbs that compare them.
#pragma once

#include <vector>

#include "cli/command.h"
#include "evidence/measurement.h"
#include "import/import.h"

namespace tollgate::cli {

/// --as FORMAT and --runs N: what the user says of files.
std::vector<OptionSpec> told_options();
/// A name that no format has is an error.
Result<import::Told> told_of(const Arguments& arguments);

/// --from, --as, --runs, --metric, --baseline, --margin, --store.
std::vector<OptionSpec> from_options();

/// The files and kept sessions of --from, read, merged, under the terms of the other options.
Result<evidence::Measurement> load_from(const Arguments& arguments);

}  // namespace tollgate::cli
