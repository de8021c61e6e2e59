// JSON (RFC 8259) as a tree whose values know their lines. The only place that knows the JSON library, which reads and
// checks; trees of result files are small.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tollgate::import {

struct JsonMember;

struct JsonValue {
  enum class Kind { null, boolean, number, text, array, object };
  Kind kind = Kind::null;
  unsigned line = 0;
  bool flag = false;
  double number = 0;
  std::string text;  // of a text; of a number, its digits
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;  // in the order of the file

  bool is(Kind wanted) const { return kind == wanted; }
  /// The first value of this name, or nullptr; nullptr too when this is no object.
  const JsonValue* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }

  // Values of an object by name. An error names the line, the key and what is wrong: absent, of another kind, twice
  // there. The optional forms are empty when the key is absent or its value is null.
  Result<double> number_at(std::string_view name) const;
  Result<std::string> text_at(std::string_view name) const;
  Result<const std::vector<JsonValue>*> array_at(std::string_view name) const;
  Result<std::optional<double>> optional_number_at(std::string_view name) const;
  Result<std::optional<std::string>> optional_text_at(std::string_view name) const;

 private:
  Result<const JsonValue*> member_at(std::string_view name, Kind wanted) const;
  Result<const JsonValue*> optional_member_at(std::string_view name, Kind wanted) const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

/// The value of `key`: a whole number with all its bits, which a double does not hold.
template <typename Whole>
Result<Whole> whole_at(const JsonValue& object, std::string_view key) {
  const JsonValue* number = object.find(key);
  const std::string digits = number && number->is(JsonValue::Kind::number) ? number->text : "";
  Whole value = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value);
  if (parsed.ec == std::errc() && parsed.ptr == end) return value;
  return fail("'" + std::string(key) + "' is no whole number", {"", object.line, 0});
}

/// One document and nothing after it. Lines are counted from `first_line`. Texts are UTF-8; NaN and Infinity are no
/// JSON numbers, though some tools print them, and are an error.
Result<JsonValue> parse_json(std::string_view text, unsigned first_line);

}  // namespace tollgate::import
