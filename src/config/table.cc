#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "config/document.h"
#include "config/figure_reader.h"
#include "config/node.h"

namespace tollgate::config {
namespace {

tl::unexpected<Error> wrong_type(const std::string& path, const Node& node, std::string_view wanted) {
  return fail(fmt::format("'{}' is {}, {} is wanted", path, to_text(node.kind), wanted), node.place);
}

/// A key of `table` that nobody has asked for and that may be meant to be `missing`.
std::string likely_slip(const Node& table, std::string_view missing) {
  std::vector<std::string> others;
  for (const Node& child : table.children)
    if (!table.asked.contains(child.key)) others.push_back(child.key);
  const std::string slip = nearest(missing, others);
  if (slip.empty()) return "";
  const unsigned line = table.child(slip)->key_place.line;
  return line == 0 ? fmt::format(" (is '{}' meant?)", slip) : fmt::format(" (is '{}' on line {} meant?)", slip, line);
}

Result<std::string> text_of(const Node& node, const std::string& path) {
  if (node.kind != Node::Kind::text) return wrong_type(path, node, "text");
  return node.text;
}

Result<std::int64_t> integer_of(const Node& node, const std::string& path, std::int64_t min, std::int64_t max) {
  if (node.kind != Node::Kind::integer) return wrong_type(path, node, "a whole number");
  if (node.integer < min || node.integer > max)
    return fail(fmt::format("'{}' is {}, it must be from {} to {}", path, node.integer, min, max), node.place);
  return node.integer;
}

}  // namespace

Node* Table::find(std::string_view key) const {
  node_->asked.emplace(key);
  return node_->child(key);
}

Result<Node*> Table::require(std::string_view key) const {
  Node* node = find(key);
  if (!node) return fail(fmt::format("missing key '{}'{}", path_of(key), likely_slip(*node_, key)), node_->place);
  node->read = true;
  return node;
}

bool Table::has(std::string_view key) const { return find(key) != nullptr; }

bool Table::has_table(std::string_view key) const {
  const Node* node = find(key);
  return node && node->kind == Node::Kind::table;
}

bool Table::has_text(std::string_view key) const {
  const Node* node = find(key);
  return node && node->kind == Node::Kind::text;
}

bool Table::has_number(std::string_view key) const {
  const Node* node = find(key);
  return node && (node->kind == Node::Kind::integer || node->kind == Node::Kind::number);
}

bool Table::was_set(std::string_view key) const {
  const Node* node = find(key);
  return node && node->origin == Node::Origin::setting;
}

std::vector<std::string> Table::keys() const {
  std::vector<std::string> keys;
  for (const Node& child : node_->children) keys.push_back(child.key);
  return keys;
}

std::string Table::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

SourcePlace Table::place() const { return node_->place; }

SourcePlace Table::place_of(std::string_view key) const {
  const Node* node = node_->child(key);
  return node ? node->place : node_->place;
}

Result<std::string> Table::text(std::string_view key) const { return text_of(*TRY(require(key)), path_of(key)); }

Result<std::int64_t> Table::integer(std::string_view key, std::int64_t min, std::int64_t max) const {
  return integer_of(*TRY(require(key)), path_of(key), min, max);
}

namespace {

Result<double> number_of(const Node& node, const std::string& path, double min, double max) {
  if (node.kind != Node::Kind::integer && node.kind != Node::Kind::number) return wrong_type(path, node, "a number");
  const double value = node.kind == Node::Kind::integer ? double(node.integer) : node.number;
  if (!std::isfinite(value)) return fail(fmt::format("'{}' is {}, a finite number is wanted", path, value), node.place);
  if (value < min || value > max) {
    const std::string wanted = max == std::numeric_limits<double>::max() ? fmt::format("at least {}", min)
                                                                         : fmt::format("from {} to {}", min, max);
    return fail(fmt::format("'{}' is {}, it must be {}", path, value, wanted), node.place);
  }
  return value;
}

}  // namespace

Result<double> Table::number(std::string_view key, double min, double max) const {
  return number_of(*TRY(require(key)), path_of(key), min, max);
}

Result<bool> Table::boolean(std::string_view key) const {
  const Node& node = *TRY(require(key));
  if (node.kind != Node::Kind::boolean) return wrong_type(path_of(key), node, "true or false");
  return node.boolean;
}

Result<std::vector<std::string>> Table::text_list(std::string_view key) const {
  const Node& node = *TRY(require(key));
  if (node.kind != Node::Kind::array) return wrong_type(path_of(key), node, "a list of texts");
  std::vector<std::string> list;
  for (const Node& element : node.children) list.push_back(TRY(text_of(element, path_of(key))));
  return list;
}

Result<std::vector<double>> Table::number_list(std::string_view key, double min, double max) const {
  const Node& node = *TRY(require(key));
  if (node.kind != Node::Kind::array) return wrong_type(path_of(key), node, "a list of numbers");
  std::vector<double> list;
  for (const Node& element : node.children) list.push_back(TRY(number_of(element, path_of(key), min, max)));
  return list;
}

Result<Table> Table::table(std::string_view key) const {
  Node* node = TRY(require(key));
  if (node->kind != Node::Kind::table) return wrong_type(path_of(key), *node, "a table");
  return Table(node, path_of(key));
}

Result<std::vector<Table>> Table::tables(std::string_view key) const {
  Node* node = TRY(require(key));
  if (node->kind != Node::Kind::array)
    return wrong_type(path_of(key), *node, fmt::format("a list of tables, [[{}]],", path_of(key)));
  if (node->children.empty()) return fail(fmt::format("'{}' is an empty list", path_of(key)), node->place);
  std::vector<Table> list;
  for (Node& element : node->children) {
    if (element.kind != Node::Kind::table) return wrong_type(path_of(key), element, "a table");
    element.read = true;
    const std::string name = element_name(element);
    list.push_back(Table(&element, name.empty() ? path_of(key) : fmt::format("{}.{}", path_of(key), name)));
  }
  return list;
}

Result<Figure> Table::figure(std::string_view key, Dimension dimension) const {
  return read_figure(*this, key, dimension);
}

Result<std::size_t> Table::choice_index(std::string_view key, std::vector<std::string> names) const {
  const Node& node = *TRY(require(key));
  const std::string value = TRY(text_of(node, path_of(key)));
  const auto found = std::find(names.begin(), names.end(), value);
  if (found != names.end()) return std::size_t(found - names.begin());
  return fail(fmt::format("'{}' cannot be '{}'{}", path_of(key), value, did_you_mean(value, names)), node.place);
}

Result<std::optional<std::string>> Table::optional_text(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return TRY(text(key));
}

Result<std::optional<std::int64_t>> Table::optional_integer(std::string_view key, std::int64_t min,
                                                            std::int64_t max) const {
  if (!has(key)) return std::nullopt;
  return TRY(integer(key, min, max));
}

Result<std::optional<double>> Table::optional_number(std::string_view key, double min, double max) const {
  if (!has(key)) return std::nullopt;
  return TRY(number(key, min, max));
}

Result<std::optional<bool>> Table::optional_boolean(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return TRY(boolean(key));
}

Result<std::optional<std::vector<std::string>>> Table::optional_text_list(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return TRY(text_list(key));
}

Result<std::optional<Table>> Table::optional_table(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return TRY(table(key));
}

Result<std::vector<Table>> Table::optional_tables(std::string_view key) const {
  if (!has(key)) return std::vector<Table>();
  return tables(key);
}

Result<std::optional<Figure>> Table::optional_figure(std::string_view key, Dimension dimension) const {
  if (!has(key)) return std::nullopt;
  return TRY(figure(key, dimension));
}

}  // namespace tollgate::config
