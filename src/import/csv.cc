#include "import/csv.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/check.h"

namespace tollgate::import {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<std::vector<CsvRecord>> parse() {
    std::vector<CsvRecord> records;
    while (at_ < text_.size()) {
      CsvRecord record = TRY(next_record());
      if (record.fields.size() > 1 || !record.fields[0].empty()) records.push_back(std::move(record));
    }
    return records;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\n'; }

  Result<CsvRecord> next_record() {
    CsvRecord record{{}, line_};
    while (true) {
      record.fields.push_back(TRY(next_field()));
      if (peek() == ',') {
        ++at_;
        continue;
      }
      ++at_;  // the line's end
      ++line_;
      return record;
    }
  }

  Result<std::string> next_field() {
    std::string field;
    if (peek() == '"') TRY(take_quoted(field));
    while (peek() != ',' && peek() != '\n') field += text_[at_++];
    if (field.ends_with('\r')) field.pop_back();
    return field;
  }

  Result<void> take_quoted(std::string& field) {
    const unsigned begin = line_;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        if (peek() != '"' || at_ >= text_.size()) return {};
      }
      line_ += text_[at_] == '\n';
      field += text_[at_];
    }
    return fail("a quoted field is never closed", {"", begin, 0});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
};

}  // namespace

Result<std::vector<CsvRecord>> parse_csv(std::string_view text) { return Parser(text).parse(); }

const std::string& CsvTable::field(const CsvRecord& row, std::string_view name) const {
  const auto column = std::ranges::find(header, name);
  CHECK(column != header.end(), "a column that the caller has looked for");
  return row.fields[static_cast<std::size_t>(column - header.begin())];
}

bool begins_with_columns(std::string_view first_line, std::string_view columns) {
  return first_line.starts_with(columns) && (first_line.size() == columns.size() || first_line[columns.size()] == ',');
}

Result<CsvTable> parse_csv_table(std::string_view text) {
  auto records = TRY(parse_csv(text));
  CsvTable table;
  if (records.empty()) return table;
  table.header = std::move(records.front().fields);
  table.rows.assign(std::make_move_iterator(records.begin() + 1), std::make_move_iterator(records.end()));
  for (const CsvRecord& row : table.rows)
    if (row.fields.size() != table.header.size())
      return fail(fmt::format("has {} fields, and the header {}: the file may be truncated", row.fields.size(),
                              table.header.size()),
                  {"", row.line, 0});
  return table;
}

}  // namespace tollgate::import
