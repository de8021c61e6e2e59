// For tests: the part of JSON Schema 2020-12 that the schemas under docs/schema use; every other keyword is refused.
#pragma once

#include <fmt/core.h>
#include <simdjson.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace tollgate::report::test {

using simdjson::dom::element;
using simdjson::dom::element_type;

/// A parsed document and the parser that owns it.
class Parsed {
 public:
  explicit Parsed(const std::string& json) {
    simdjson::padded_string padded(json);
    error_ = parser_->parse(padded).get(root_);
  }
  bool valid() const { return error_ == simdjson::SUCCESS; }
  element root() const { return root_; }

 private:
  std::unique_ptr<simdjson::dom::parser> parser_ = std::make_unique<simdjson::dom::parser>();
  element root_;
  simdjson::error_code error_ = simdjson::SUCCESS;
};

inline std::string file_text(const std::string& path) {
  std::ifstream file(std::string(TOLLGATE_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline bool is_number(element value) {
  return value.type() == element_type::DOUBLE || value.type() == element_type::INT64 ||
         value.type() == element_type::UINT64;
}
inline double number_of(element value) { return double(value); }

inline bool has_type(element value, std::string_view type) {
  if (type == "number") return is_number(value);
  if (type == "integer") return is_number(value) && value.type() != element_type::DOUBLE;
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  return type == "null" && value.is_null();
}

/// Checks values against a schema and collects what is wrong, each with its place ("/variants/0/name").
class SchemaChecker {
 public:
  std::vector<std::string> check(element value, element schema) {
    faults_.clear();
    schema_ = schema;
    walk(value, schema, "");
    return faults_;
  }

 private:
  void fault(const std::string& at, const std::string& what) { faults_.push_back(at + ": " + what); }

  void walk(element value, element schema, const std::string& at) {
    for (auto [keyword, rule] : simdjson::dom::object(schema)) {
      if (keyword == "type")
        check_type(value, rule, at);
      else if (keyword == "const" || keyword == "enum")
        check_listed(value, rule, at);
      else if (keyword == "minimum")
        check_minimum(value, rule, at);
      else if (keyword == "required")
        check_required(value, rule, at);
      else if (keyword == "minItems" || keyword == "maxItems")
        check_size(value, keyword, rule, at);
      else if (keyword == "items")
        walk_items(value, rule, at);
      else if (keyword == "properties")
        walk_members(value, schema, at);
      else if (keyword == "additionalProperties")
        check_additional(value, schema, rule, at);
      else if (keyword == "$ref")
        walk(value, schema_["$defs"][std::string_view(rule).substr(std::string_view("#/$defs/").size())], at);
      else if (keyword != "$schema" && keyword != "$id" && keyword != "$defs" && keyword != "title" &&
               keyword != "description")
        fault(at, "the checker does not know '" + std::string(keyword) + "'");
    }
  }

  void check_type(element value, element rule, const std::string& at) {
    bool fits = false;
    if (rule.is_string())
      fits = has_type(value, std::string_view(rule));
    else
      for (element type : simdjson::dom::array(rule)) fits = fits || has_type(value, std::string_view(type));
    if (!fits) fault(at, "wrong type");
  }

  void check_listed(element value, element rule, const std::string& at) {
    const std::string text = simdjson::minify(value);
    if (!rule.is_array()) {
      if (simdjson::minify(rule) != text) fault(at, "not the constant");
      return;
    }
    for (element allowed : simdjson::dom::array(rule))
      if (simdjson::minify(allowed) == text) return;
    fault(at, "not in the enumeration");
  }

  void check_minimum(element value, element rule, const std::string& at) {
    if (is_number(value) && number_of(value) < number_of(rule)) fault(at, "too small");
  }

  void check_size(element value, std::string_view keyword, element rule, const std::string& at) {
    if (!value.is_array()) return;
    const double size = double(simdjson::dom::array(value).size());
    if (keyword == "minItems" ? size < number_of(rule) : size > number_of(rule)) fault(at, "wrong length");
  }

  void check_required(element value, element rule, const std::string& at) {
    if (!value.is_object()) return;
    for (element name : simdjson::dom::array(rule)) {
      element member;
      if (value.at_key(std::string_view(name)).get(member)) fault(at, "misses " + std::string(std::string_view(name)));
    }
  }

  void walk_items(element value, element rule, const std::string& at) {
    if (!value.is_array()) return;
    std::size_t index = 0;
    for (element item : simdjson::dom::array(value)) walk(item, rule, fmt::format("{}/{}", at, index++));
  }

  void walk_members(element value, element schema, const std::string& at) {
    if (!value.is_object()) return;
    for (auto [name, member] : simdjson::dom::object(value)) {
      element rule;
      if (!schema["properties"].at_key(name).get(rule)) walk(member, rule, fmt::format("{}/{}", at, name));
    }
  }

  void check_additional(element value, element schema, element rule, const std::string& at) {
    if (!value.is_object()) return;
    for (auto [name, member] : simdjson::dom::object(value)) {
      element properties, known;
      if (!schema.at_key("properties").get(properties) && !properties.at_key(name).get(known)) continue;
      if (rule.is_bool())
        fault(at, "has an unknown field " + std::string(name));
      else
        walk(member, rule, fmt::format("{}/{}", at, name));
    }
  }

  std::vector<std::string> faults_;
  element schema_;
};

}  // namespace tollgate::report::test
