// The catalogue: every format that is imported. A format is one file with a function that returns its Importer, and one
// line in catalogue.cc.
#pragma once

#include <span>
#include <string_view>

#include "evidence/measurement.h"
#include "import/source.h"

namespace tollgate::import {

// Schemas of our own JSON that are read.
inline constexpr std::string_view kSessionSchema = "tollgate.session/1";
inline constexpr std::string_view kImportSchema = "tollgate.import/1";

struct Importer {
  std::string_view name;  // "hyperfine JSON"
  std::string_view made;  // the command line that makes such a file
  /// By content alone, and cheap. At most one importer recognises a file.
  bool (*recognises)(const Source&) = nullptr;
  Result<evidence::Measurement> (*read)(const Source&) = nullptr;
};

std::span<const Importer> catalogue();

}  // namespace tollgate::import
