// What `tollgate trace info` prints of a trace, as a document and as JSON.
#pragma once

#include <string>

#include "report/document.h"
#include "trace/examine.h"

namespace tollgate::cli {

report::Document trace_info_document(const std::string& path, const trace::Examination& found);
std::string trace_info_json(const std::string& path, const trace::Examination& found);

}  // namespace tollgate::cli
