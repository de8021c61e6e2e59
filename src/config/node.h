// Node: one value of a parsed file, in our own words: what it is, where it stands, and whether anybody has read it. Private
// to this folder; others see it through Table. Children of a table stand in file order.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tollgate::config {

struct Node {
  enum class Kind : std::uint8_t { table, array, text, integer, number, boolean, date };

  /// Where the value came from: settings may stand where a file would have to write a whole figure.
  enum class Origin : std::uint8_t { file, setting };

  Kind kind = Kind::table;
  Origin origin = Origin::file;
  bool is_inline = false;  // a table written { ... }: inheritance replaces it whole
  std::string key;
  SourcePlace key_place;
  SourcePlace place;

  std::string text;
  std::int64_t integer = 0;
  double number = 0;
  bool boolean = false;
  std::vector<Node> children;

  bool read = false;
  std::set<std::string> asked;  // keys that a reader asked this table for: the candidates of "did you mean"

  Node* child(std::string_view name);
  const Node* child(std::string_view name) const { return const_cast<Node*>(this)->child(name); }
};

/// "text", "a whole number", ...: how messages name a kind.
std::string_view to_text(Node::Kind kind);

/// The `name` or `id` of an element of an array of tables, by which settings and inheritance find it; "" without.
std::string element_name(const Node& element);

/// The tree of a TOML text. Refuses text that is not UTF-8 and nesting so deep that it could exhaust a stack.
Result<Node> read_toml(std::string_view text, const std::string& file);

/// Writes one setting "KEY=VALUE" into the tree; see Document::set.
Result<void> apply_setting(Node& root, const std::string& setting, std::string_view part);

/// Fills what `child` leaves out from `parent`; see Document::inherit.
void merge_missing(Node& child, Node parent);

/// The first key, in file order, that was never read.
Result<void> refuse_unread(const Node& table, const std::string& path);

}  // namespace tollgate::config
