// Comma-separated values, RFC 4180: fields may be quoted, and quoted ones may hold commas, doubled quotes and line ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tollgate::import {

struct CsvRecord {
  std::vector<std::string> fields;
  unsigned line = 0;  // its first
};

/// Empty lines are left out. A quote that is never closed is an error.
Result<std::vector<CsvRecord>> parse_csv(std::string_view text);

/// A table whose first record names the columns; every record must have as many fields.
struct CsvTable {
  std::vector<std::string> header;
  std::vector<CsvRecord> rows;

  /// The field of the column `name`; the column must exist.
  const std::string& field(const CsvRecord& row, std::string_view name) const;
};
Result<CsvTable> parse_csv_table(std::string_view text);

/// Whether the first line names these columns, comma-separated, and perhaps more after them.
bool begins_with_columns(std::string_view first_line, std::string_view columns);

}  // namespace tollgate::import
