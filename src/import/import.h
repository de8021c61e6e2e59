// Importing: another tool's result file to a Measurement, told by content.
//
// A file of results is one or more variants; where the file does not name them, it is one variant, called as the file.
// Series hold samples, one a run, where the file has them, and a summary where not. Only in a
// session of our own are runs paired.
#pragma once

#include <span>
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

/// `file` names the bytes in messages. A file that no importer recognises is an error, and so is one that several recognise,
/// unless `wanted` names one of them; with that name of an importer, a file of another format is an error too.
Result<Imported> import_results(const std::string& file, std::string_view bytes, std::string_view wanted = "");

}  // namespace tollgate::import
