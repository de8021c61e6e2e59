#include "lab/published.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <span>

#include "base/text.h"
#include "config/document.h"
#include "config/text_file.h"

namespace tollgate::lab {
namespace {

using config::Choice;
using config::Document;
using config::Table;
using evidence::PublishedRow;
using evidence::PublishedUse;

constexpr std::array<Choice<PublishedUse>, 5> kUses{{{"calibrate", PublishedUse::calibrate},
                                                     {"validate", PublishedUse::validate},
                                                     {"sign", PublishedUse::sign},
                                                     {"context", PublishedUse::context},
                                                     {"noise", PublishedUse::noise}}};

// Files state deltas to two decimals.
constexpr double kRounding = 0.005000001;

struct PlacedRow {
  PublishedRow row;
  SourcePlace place;
};

Result<std::string> text_or_empty(const Table& table, std::string_view key) {
  return TRY(table.optional_text(key)).value_or("");
}

/// Rows that a question predicts say which variant and metric; the others only say what was measured.
Result<void> read_question(const Table& table, PublishedRow& row) {
  row.question = TRY(text_or_empty(table, "question"));
  row.workload = TRY(text_or_empty(table, "workload"));
  row.machine = TRY(text_or_empty(table, "machine"));
  row.baseline = TRY(text_or_empty(table, "baseline"));
  row.variant = TRY(text_or_empty(table, "variant"));
  row.metric = TRY(table.text("metric"));
  if (!row.question.empty() && row.variant.empty())
    return fail(fmt::format("row '{}' names the question '{}' but no variant of it", row.id, row.question),
                table.place());
  for (const char* key : {"workload", "machine", "baseline", "variant"})
    if (row.question.empty() && table.has(key))
      return fail(fmt::format("row '{}' has '{}' but no question", row.id, key), table.place_of(key));
  return {};
}

Result<void> read_delta(const Table& table, PublishedRow& row) {
  row.base_value = TRY(table.optional_number("base_value"));
  row.variant_value = TRY(table.optional_number("variant_value"));
  if (row.base_value.has_value() != row.variant_value.has_value())
    return fail(fmt::format("row '{}' has one of base_value and variant_value, both or none are wanted", row.id),
                table.place());
  if (!row.base_value) {
    row.delta_percent = TRY(table.number("delta_percent"));
    return {};
  }
  if (*row.base_value == 0)
    return fail(fmt::format("row '{}' compares with a base of 0", row.id), table.place_of("base_value"));
  row.delta_percent = 100 * (*row.variant_value - *row.base_value) / *row.base_value;
  const std::optional<double> stated = TRY(table.optional_number("delta_percent"));
  if (!stated || std::abs(*stated - row.delta_percent) <= kRounding) return {};
  return fail(fmt::format("row '{}' states {} %, but its values make {:.2f} %", row.id, *stated, row.delta_percent),
              table.place_of("delta_percent"));
}

Result<PlacedRow> read_row(const Table& table) {
  PlacedRow placed{{}, table.place()};
  PublishedRow& row = placed.row;
  row.id = TRY(table.text("id"));
  if (row.id.empty()) return fail("a row's id is empty", table.place_of("id"));
  row.measured = TRY(table.text("measured"));
  row.source = TRY(table.text("source"));
  if (trim(row.source).empty()) return fail(fmt::format("row '{}' has no source", row.id), table.place_of("source"));
  row.use = TRY(table.choice<PublishedUse>("use", kUses));
  row.note = TRY(text_or_empty(table, "note"));
  TRY(read_question(table, row));
  TRY(read_delta(table, row));
  return placed;
}

Result<void> refuse_double_ids(const std::vector<PlacedRow>& rows) {
  std::map<std::string, SourcePlace> first;
  for (const auto& [row, place] : rows) {
    const auto [known, is_new] = first.emplace(row.id, place);
    if (!is_new)
      return fail(fmt::format("row '{}' is already in {}:{}", row.id, known->second.file, known->second.line), place);
  }
  return {};
}

Result<std::vector<PlacedRow>> read_rows(std::string_view text, const std::string& file) {
  Document document = TRY(Document::parse(text, file));
  std::vector<PlacedRow> rows;
  for (const Table& table : TRY(document.root().tables("row"))) rows.push_back(TRY(read_row(table)));
  TRY(document.finish());
  return rows;
}

Result<std::vector<PublishedRow>> unique_rows(std::vector<PlacedRow> placed) {
  TRY(refuse_double_ids(placed));
  std::vector<PublishedRow> rows;
  for (auto& [row, place] : placed) rows.push_back(std::move(row));
  return rows;
}

Result<std::vector<std::string>> toml_files(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  std::filesystem::directory_iterator entries(folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error))
    if (entries->path().extension() == ".toml") files.push_back(entries->path().string());
  if (error) return fail(fmt::format("cannot list the published results: {}", error.message()), {folder, 0, 0});
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string_view to_text(PublishedUse use) { return config::name_of<PublishedUse>(kUses, use); }

Result<std::vector<PublishedRow>> parse_published(std::string_view text, const std::string& file) {
  return unique_rows(TRY(read_rows(text, file)));
}

Result<std::vector<PublishedRow>> load_published(const std::string& folder) {
  std::vector<PlacedRow> all;
  for (const std::string& file : TRY(toml_files(folder))) {
    const std::string text = TRY(config::read_text_file(file));
    std::vector<PlacedRow> rows = TRY(read_rows(text, file));
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  return unique_rows(std::move(all));
}

}  // namespace tollgate::lab
