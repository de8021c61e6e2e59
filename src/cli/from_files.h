// --from FILE: result files and kept sessions as one measurement, for the verbs that compare them.
#pragma once

#include <vector>

#include "cli/command.h"
#include "evidence/measurement.h"

namespace tollgate::cli {

/// --as FORMAT, for files that several formats fit.
OptionSpec as_option();
/// What --as names, or ""; a name that no format has is an error.
Result<std::string> wanted_format(const Arguments& arguments);

/// --from, --as, --metric, --baseline, --margin, --store.
std::vector<OptionSpec> from_options();

/// The files and kept sessions of --from, read, merged, under the terms of the other options.
Result<evidence::Measurement> load_from(const Arguments& arguments);

}  // namespace tollgate::cli
