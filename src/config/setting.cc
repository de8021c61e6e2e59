// Settings: "KEY=VALUE" written into a parsed tree before anybody reads it, so that a changed value passes the same checks
// as one from the file. Errors name the whole setting as their place.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "base/text.h"
#include "config/node.h"

namespace tollgate::config {
namespace {

constexpr std::size_t kMaxSegments = 32;

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Node scalar(std::string_view text, const SourcePlace& place) {
  Node node;
  node.origin = Node::Origin::setting;
  node.place = node.key_place = place;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), node.integer);
  if (error == std::errc() && end == text.data() + text.size()) {
    node.kind = Node::Kind::integer;
  } else if (const auto number = parse_number(text)) {
    node.kind = Node::Kind::number;
    node.number = *number;
  } else if (text == "true" || text == "false") {
    node.kind = Node::Kind::boolean;
    node.boolean = text == "true";
  } else {
    node.kind = Node::Kind::text;
    node.text = std::string(text);
  }
  return node;
}

Node text_node(std::string_view text, const SourcePlace& place) {
  Node node;
  node.kind = Node::Kind::text;
  node.origin = Node::Origin::setting;
  node.place = node.key_place = place;
  node.text = std::string(text);
  return node;
}

bool looks_like_figure(const Node& node) {
  return node.kind == Node::Kind::table && (node.child("typical") || (node.child("low") && node.child("high")));
}

void put(Node& table, std::string_view key, Node value) {
  value.key = std::string(key);
  if (Node* old = table.child(key)) {
    *old = std::move(value);
  } else {
    table.children.push_back(std::move(value));
  }
}

/// "5", "4..14" or "4,5,14": the low, typical and high it means.
Result<std::vector<double>> parse_range(std::string_view text, const SourcePlace& place) {
  const std::size_t dots = text.find("..");
  std::vector<std::string> parts = dots == std::string_view::npos ? split(text, ',')
                                                                  : std::vector{std::string(text.substr(0, dots)),
                                                                                std::string(text.substr(dots + 2))};
  std::vector<double> values;
  for (const auto& part : parts) {
    const auto value = parse_number(trim(part));
    if (!value) return fail("a figure takes a number, low..high or low,typical,high", place);
    values.push_back(*value);
  }
  if (values.size() == 1) return std::vector{values[0], values[0], values[0]};
  if (values.size() == 2 && dots != std::string_view::npos)
    return std::vector{values[0], values[0] + (values[1] - values[0]) / 2, values[1]};
  if (values.size() == 3 && dots == std::string_view::npos) return values;
  return fail("a figure takes a number, low..high or low,typical,high", place);
}

Result<void> set_figure(Node& figure, std::string_view text, const SourcePlace& place) {
  const std::vector<double> range = TRY(parse_range(text, place));
  const char* const keys[] = {"low", "typical", "high"};
  for (std::size_t i = 0; i < 3; ++i) {
    Node value = scalar("0", place);
    value.kind = Node::Kind::number;
    value.number = range[i];
    put(figure, keys[i], std::move(value));
  }
  put(figure, "source", text_node("--set", place));
  figure.place = place;
  figure.origin = Node::Origin::setting;
  return {};
}

Result<Node*> element_named(Node& array, std::string_view name, const std::string& path, const SourcePlace& place) {
  std::vector<std::string> names;
  for (Node& element : array.children) {
    names.push_back(element_name(element));
    if (names.back() == name) return &element;
  }
  return fail(fmt::format("no '{}' among the elements of '{}'{}", name, path, did_you_mean(name, names)), place);
}

/// The table a setting's last segment belongs to; tables on the way are made where the file has none.
Result<Node*> descend(Node& root, std::span<const std::string> segments, const SourcePlace& place) {
  Node* at = &root;
  std::string path;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    path += path.empty() ? segments[i] : "." + segments[i];
    Node* next = at->child(segments[i]);
    if (!next) {
      Node made;
      made.origin = Node::Origin::setting;
      made.key_place = made.place = place;
      put(*at, segments[i], std::move(made));
      next = at->child(segments[i]);
    }
    if (next->kind == Node::Kind::array) {
      if (++i == segments.size())
        return fail(fmt::format("'{}' is a list: name one of its elements and a key", path), place);
      next = TRY(element_named(*next, segments[i], path, place));
      path += "." + segments[i];
    }
    if (next->kind != Node::Kind::table)
      return fail(fmt::format("'{}' is {}, it has no keys", path, to_text(next->kind)), place);
    at = next;
  }
  return at;
}

Node list_of(std::string_view text, const SourcePlace& place) {
  Node list = text_node("", place);
  list.kind = Node::Kind::array;
  for (const auto& part : split(text, ',')) list.children.push_back(scalar(trim(part), place));
  return list;
}

Result<void> assign(Node& table, const std::string& key, const std::string& path, std::string_view text,
                    const SourcePlace& place) {
  Node* old = table.child(key);
  if (old && looks_like_figure(*old)) return set_figure(*old, text, place);
  if (old && old->kind == Node::Kind::table)
    return fail(fmt::format("'{}' is a table: name one of its keys", path), place);
  if (old && old->kind == Node::Kind::array && !old->children.empty() && old->children[0].kind == Node::Kind::table)
    return fail(fmt::format("'{}' is a list: name one of its elements and a key", path), place);
  Node value = scalar(text, place);
  if (old && old->kind == Node::Kind::array) value = list_of(text, place);
  if (old && old->kind == Node::Kind::text) value = text_node(text, place);
  put(table, key, std::move(value));
  if (looks_like_figure(table) && (key == "low" || key == "typical" || key == "high"))
    put(table, "source", text_node("--set", place));
  return {};
}

}  // namespace

Result<void> apply_setting(Node& root, const std::string& setting, std::string_view part) {
  const SourcePlace place{fmt::format("--set {}", setting), 0, 0};
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos) return fail("a setting is KEY=VALUE", place);
  std::string path(trim(std::string_view(setting).substr(0, equals)));
  if (!part.empty() && path.starts_with(std::string(part) + ".")) path.erase(0, part.size() + 1);
  const std::string_view value = trim(std::string_view(setting).substr(equals + 1));
  std::vector<std::string> segments = split(path, '.');
  if (segments.size() > kMaxSegments) return fail("a key has at most 32 parts", place);
  for (const auto& segment : segments)
    if (segment.empty()) return fail("a setting is KEY=VALUE, and a part of this KEY is empty", place);
  if (value.empty()) return fail("a setting is KEY=VALUE, and this VALUE is empty", place);
  for (const std::string_view told : {"name", "title"})
    if (!part.empty() && path == told)
      return fail(fmt::format("'{}' says which file this is, and cannot be set", path), place);
  const std::string key = segments.back();
  segments.pop_back();
  Node* table = TRY(descend(root, segments, place));
  return assign(*table, key, path, value, place);
}

}  // namespace tollgate::config
