// Importing: another tool's result file to a Measurement, told by content.
//
// A file of results is one or more variants; where the file does not name them, it is one variant, called as the file.
// Series hold samples, one a run, where the file has them, and a summary where not. Only in a
// session of our own are runs paired.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "evidence/measurement.h"

namespace tollgate::import {

struct Imported {
  std::string file;
  std::string format;  // the importer's name
  evidence::Measurement measurement;
  std::string digest;  // of the bytes: what has the same one holds the same runs
};

/// What the user says of a file.
struct Told {
  std::string format = "";                 // the importer's name; a file that is of another format is an error
  std::optional<std::uint64_t> runs = {};  // of each series; where the file says another number, an error
};

/// `file` names the bytes in messages. A file that no importer recognises is an error, and so is one that several recognise,
/// unless one of them is told.
Result<Imported> import_results(const std::string& file, std::string_view bytes, const Told& told = {});

}  // namespace tollgate::import
