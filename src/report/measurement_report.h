// Measurements before statistics: what a result file held, for people and for programs. Says what is there, not what it
// means: that is the analysis's business.
#pragma once

#include <string>
#include <vector>

#include "evidence/measurement.h"
#include "report/document.h"
#include "report/json_writer.h"

namespace tollgate::report {

/// A measurement and where it came from.
struct FoundResults {
  std::string file;
  std::string format;
  evidence::Measurement measurement;
};

std::string found_text(const std::vector<FoundResults>& found);
std::string found_markdown(const std::vector<FoundResults>& found);
/// Schema "tollgate.import/1": docs/schema/import.schema.json.
std::string found_json(const std::vector<FoundResults>& found);

/// The measurement as a JSON object, whole: series with their samples, conditions, notes, warnings.
void write_measurement(JsonWriter& json, const evidence::Measurement& measurement);

}  // namespace tollgate::report
