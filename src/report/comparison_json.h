// The answer of `tollgate compare` for programs: one document of schema "tollgate.comparison/1", described by
// docs/schema/comparison.schema.json. Keys come in a fixed order; what is absent is null.
#pragma once

#include <string>

#include "evidence/comparison.h"
#include "report/json_writer.h"

namespace tollgate::report {

std::string comparison_json(const evidence::Comparison& comparison);

/// What was asked and which answer this is: experiment, machine, workload, seed, settings, digest.
void write_asked(JsonWriter& json, const evidence::Comparison& comparison);

/// [low, high], or null.
void write_interval(JsonWriter& json, const std::optional<evidence::Interval>& interval);

/// {user: {kind: {mapped_bytes, cached_bytes}}, stale: {entries, mean_us, max_us}}, all kinds.
void write_exposure(JsonWriter& json, const evidence::Exposure& exposure);

}  // namespace tollgate::report
