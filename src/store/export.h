// A kept session, whole, for other programs: every run with its conditions as JSON, every value as a line of CSV.
#pragma once

#include <span>
#include <string>

#include "store/session.h"

namespace tollgate::store {

/// One document, schema "tollgate.session/1" (docs/schema/session.schema.json).
std::string session_json(const Session& session, std::span<const Run> runs);

/// RFC 4180, with a header; one line a value.
std::string session_csv(const Session& session, std::span<const Run> runs);

/// Imported results under the same header: `kind` is "imported" for a run's value, or what a summary's figure is ("count",
/// "mean", "median", "min", "max", "deviation", "standard error"). What is not known is empty.
std::string measurement_csv(const evidence::Measurement& measurement);

}  // namespace tollgate::store
