// What `tollgate trace info` prints of a trace, as a document and as JSON.
#pragma once

#include <string>

#include "report/document.h"
#include "trace/examine.h"
#include "trace/working_set.h"

namespace tollgate::cli {

/// `memory`: nullptr for a damaged trace, whose records were not all read.
report::Document trace_info_document(const std::string& path, const trace::Examination& found,
                                     const trace::WorkingSet* memory);
std::string trace_info_json(const std::string& path, const trace::Examination& found, const trace::WorkingSet* memory);

}  // namespace tollgate::cli
