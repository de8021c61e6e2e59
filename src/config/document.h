// Document and Table: the strict reader of every TOML file of the project. Each value is read by key, type and range; an
// error says file:line:col, what is wrong and what is wanted. Every key read is marked, and finish() refuses the first key
// nobody read, so a slip of the pen cannot be silently ignored.
//
//   Document document = TRY(Document::load("machines/skylake-desktop.toml"));
//   TRY(document.set("walk.exposed_data=0.4"));
//   Table root = document.root();
//   const std::string name = TRY(root.text("name"));
//   ...
//   TRY(document.finish());
//
// A Table is a view: the Document must outlive it and must not be changed (set, inherit) after the first root().
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "config/dimension.h"
#include "config/figure.h"

namespace tollgate::config {

struct Node;

/// One name a key may have as its value, and what it means.
template <typename Enum>
struct Choice {
  std::string_view name;
  Enum value;
};

template <typename Enum>
std::string_view name_of(std::span<const Choice<std::type_identity_t<Enum>>> choices, Enum value) {
  for (const auto& choice : choices)
    if (choice.value == value) return choice.name;
  return "?";
}

class Table {
 public:
  // Each reader marks the key as known. Without the key, the plain form is an error at the table's place, and the
  // optional form is empty. A value of the wrong type or out of range is an error in both.
  Result<std::string> text(std::string_view key) const;
  Result<std::int64_t> integer(std::string_view key, std::int64_t min, std::int64_t max) const;
  /// A finite number, whole or not.
  Result<double> number(std::string_view key, double min = std::numeric_limits<double>::lowest(),
                        double max = std::numeric_limits<double>::max()) const;
  Result<bool> boolean(std::string_view key) const;
  Result<std::vector<std::string>> text_list(std::string_view key) const;
  Result<std::vector<double>> number_list(std::string_view key, double min, double max) const;
  Result<Table> table(std::string_view key) const;
  /// An array of tables, [[key]], in file order; at least one.
  Result<std::vector<Table>> tables(std::string_view key) const;
  /// { low, typical, high, unit, kind, source }, checked: low <= typical <= high inside the bounds of `dimension`.
  Result<Figure> figure(std::string_view key, Dimension dimension) const;
  template <typename Enum>
  Result<Enum> choice(std::string_view key, std::span<const Choice<std::type_identity_t<Enum>>> choices) const;

  Result<std::optional<std::string>> optional_text(std::string_view key) const;
  Result<std::optional<std::int64_t>> optional_integer(std::string_view key, std::int64_t min, std::int64_t max) const;
  Result<std::optional<double>> optional_number(std::string_view key,
                                                double min = std::numeric_limits<double>::lowest(),
                                                double max = std::numeric_limits<double>::max()) const;
  Result<std::optional<bool>> optional_boolean(std::string_view key) const;
  Result<std::optional<std::vector<std::string>>> optional_text_list(std::string_view key) const;
  Result<std::optional<Table>> optional_table(std::string_view key) const;
  /// As tables(); empty when the key is absent.
  Result<std::vector<Table>> optional_tables(std::string_view key) const;
  Result<std::optional<Figure>> optional_figure(std::string_view key, Dimension dimension) const;

  /// Whether the key is there; marks it as known but not as read.
  bool has(std::string_view key) const;
  /// Whether the key is there and its value is a table (a figure, too), a text, a number.
  bool has_table(std::string_view key) const;
  bool has_text(std::string_view key) const;
  bool has_number(std::string_view key) const;
  /// Whether the key is there and its value was given by a setting, --set, and not by the file.
  bool was_set(std::string_view key) const;
  /// All keys in file order, for tables whose keys are names of the user's choice. Reading each is still up to the caller.
  std::vector<std::string> keys() const;

  /// "walk" or "tlb.l1d-4k": the name of this table in messages and settings; "" for the whole file.
  const std::string& path() const { return path_; }
  /// "walk.setup": the full name of a key of this table.
  std::string path_of(std::string_view key) const;
  SourcePlace place() const;
  /// Of the value, or of the table when the key is absent.
  SourcePlace place_of(std::string_view key) const;

 private:
  friend class Document;
  friend Result<Figure> read_figure(const Table& table, std::string_view key, Dimension dimension);
  Table(Node* node, std::string path) : node_(node), path_(std::move(path)) {}
  Node* find(std::string_view key) const;
  Result<Node*> require(std::string_view key) const;
  Result<std::size_t> choice_index(std::string_view key, std::vector<std::string> names) const;

  Node* node_;
  std::string path_;
};

class Document {
 public:
  /// `file` names the text in messages.
  static Result<Document> parse(std::string_view text, const std::string& file);
  static Result<Document> load(const std::string& path);

  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  /// Applies one "KEY=VALUE". KEY is a dotted path; an element of an array of tables is named by its `name` or `id`:
  /// "tlb.l1d-4k.entries=32". A figure takes one number (low = typical = high), "low..high" or "low,typical,high" in its
  /// own unit; its kind stays and its source becomes "--set". A key the file does not have is added, and refused by
  /// finish() when nobody reads it. A leading "PART." is no part of the key: it says which
  /// of a question's files is meant, and what such a file says of itself (name, title) cannot be set. Errors name the setting, as given, as their place.
  Result<void> set(const std::string& setting, std::string_view part = "");
  Result<void> set_all(std::span<const std::string> settings, std::string_view part = "");

  /// Takes from `parent` every key this document lacks. Tables [x] merge key by key, arrays of tables element by element
  /// of one `name`; all else, figures too, is taken whole. Places keep pointing into the file they came from.
  void inherit(Document parent);
  /// Removes a key, for those an heir must state itself.
  void drop(std::string_view key);

  Table root();
  /// Refuses the first key nobody read.
  Result<void> finish() const;

 private:
  explicit Document(std::unique_ptr<Node> root);
  std::unique_ptr<Node> root_;
};

template <typename Enum>
Result<Enum> Table::choice(std::string_view key, std::span<const Choice<std::type_identity_t<Enum>>> choices) const {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.emplace_back(choice.name);
  return choices[TRY(choice_index(key, std::move(names)))].value;
}

}  // namespace tollgate::config
