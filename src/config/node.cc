#include "config/node.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace tollgate::config {

Node* Node::child(std::string_view name) {
  const auto found = std::find_if(children.begin(), children.end(), [&](const Node& node) { return node.key == name; });
  return found == children.end() ? nullptr : &*found;
}

std::string_view to_text(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::table:
      return "a table";
    case Node::Kind::array:
      return "a list";
    case Node::Kind::text:
      return "text";
    case Node::Kind::integer:
      return "a whole number";
    case Node::Kind::number:
      return "a number with a fraction";
    case Node::Kind::boolean:
      return "true or false";
    case Node::Kind::date:
      return "a date or time";
  }
  return "?";
}

std::string element_name(const Node& element) {
  for (const char* key : {"name", "id"})
    if (const Node* name = element.child(key); name && name->kind == Node::Kind::text) return name->text;
  return "";
}

namespace {

bool is_table_array(const Node& node) {
  return node.kind == Node::Kind::array && !node.children.empty() &&
         std::all_of(node.children.begin(), node.children.end(),
                     [](const Node& child) { return child.kind == Node::Kind::table; });
}

/// Elements the child does not name come first, in the parent's order.
void merge_elements(Node& child, Node parent) {
  std::vector<Node> merged;
  for (Node& element : parent.children) {
    const std::string name = element_name(element);
    const bool replaced = std::any_of(child.children.begin(), child.children.end(),
                                      [&](const Node& own) { return !name.empty() && element_name(own) == name; });
    if (!replaced) merged.push_back(std::move(element));
  }
  for (Node& element : child.children) merged.push_back(std::move(element));
  child.children = std::move(merged);
}

}  // namespace

void merge_missing(Node& child, Node parent) {
  for (Node& inherited : parent.children) {
    Node* own = child.child(inherited.key);
    if (!own) {
      child.children.push_back(std::move(inherited));
    } else if (is_table_array(*own) && is_table_array(inherited)) {
      merge_elements(*own, std::move(inherited));
    } else if (own->kind == Node::Kind::table && inherited.kind == Node::Kind::table && !own->is_inline) {
      merge_missing(*own, std::move(inherited));
    }
  }
}

namespace {

/// Of the keys readers asked for, one that is missing is the likeliest; a key that is there may still be the one meant.
std::string likely_key(const Node& table, const std::string& unknown) {
  const std::vector<std::string> known(table.asked.begin(), table.asked.end());
  std::vector<std::string> missing;
  for (const auto& key : known)
    if (!table.child(key)) missing.push_back(key);
  return did_you_mean(unknown, nearest(unknown, missing).empty() ? known : missing);
}

/// "topology.sockets": where in the whole file readers asked for a key of this name, the first in file order.
std::string asked_elsewhere(const Node& table, const std::string& key, const std::string& path) {
  for (const Node& child : table.children) {
    if (child.kind != Node::Kind::table) continue;
    const std::string child_path = path.empty() ? child.key : path + "." + child.key;
    if (child.asked.contains(key)) return fmt::format("{}.{}", child_path, key);
    if (std::string found = asked_elsewhere(child, key, child_path); !found.empty()) return found;
  }
  return "";
}

}  // namespace

Result<void> refuse_unread(const Node& table, const std::string& path) {
  for (const Node& child : table.children) {
    if (!child.read) {
      const std::string where = path.empty() ? "" : fmt::format(" in [{}]", path);
      const std::string elsewhere = path.empty() ? asked_elsewhere(table, child.key, "") : "";
      return fail(fmt::format("unknown key '{}'{}{}", child.key, where,
                              elsewhere.empty() ? likely_key(table, child.key)
                                                : fmt::format(" (did you mean '{}'?)", elsewhere)),
                  child.key_place);
    }
    const std::string child_path = path.empty() ? child.key : path + "." + child.key;
    if (child.kind == Node::Kind::table) TRY(refuse_unread(child, child_path));
    if (!is_table_array(child)) continue;
    for (const Node& element : child.children)
      if (element.read) TRY(refuse_unread(element, child_path + "." + element_name(element)));
  }
  return {};
}

}  // namespace tollgate::config
