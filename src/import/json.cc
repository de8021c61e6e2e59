#include "import/json.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>

#include "base/text.h"

namespace tollgate::import {
namespace {

using simdjson::error_code;
using simdjson::ondemand::json_type;
using Kind = JsonValue::Kind;

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "true or false";
    case Kind::number:
      return "a number";
    case Kind::text:
      return "a text";
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  return "";
}

/// Whether a text or a bracket is open at the end.
bool ends_open(std::string_view json) {
  bool in_text = false;
  int depth = 0;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_text && c == '\\')
      ++at;
    else if (c == '"')
      in_text = !in_text;
    else if (!in_text)
      depth += (c == '{' || c == '[') - (c == '}' || c == ']');
  }
  return in_text || depth > 0;
}

/// Walks a document once, from front to back, as the library wants it.
class Builder {
 public:
  Builder(std::string_view text, unsigned first_line) : padded_(text), line_(first_line) {}

  Result<JsonValue> build() {
    simdjson::ondemand::document document;
    if (const auto error = parser_.iterate(padded_).get(document)) return broken(error);
    JsonValue root;
    error_code error = simdjson::SUCCESS;
    // A document that is a single value has its own accessors; results of measurements are never one.
    simdjson::ondemand::value value;
    error = document.get_value().get(value);
    if (error == simdjson::SUCCESS) error = take(value, root);
    if (error != simdjson::SUCCESS) {
      const char* place = nullptr;
      if (document.current_location().get(place) == simdjson::SUCCESS) count_lines_to(place);
      return broken(error);
    }
    const char* place = nullptr;
    if (document.current_location().get(place) != simdjson::SUCCESS) return root;  // it is past the end
    count_lines_to(place);
    return fail("goes on after the end of the JSON document", {"", line_, 0});
  }

 private:
  tl::unexpected<Error> broken(error_code error) const {
    const std::string_view text(padded_), rest = text.substr(std::min(token_, text.size()));
    for (const std::string_view word : {"NaN", "nan", "-nan", "Inf", "inf", "-Inf", "-inf"})
      if (rest.starts_with(word)) return fail("is no JSON here: NaN and Infinity are no numbers", {"", line_, 0});
    const std::string_view after = rest.substr(std::min(rest.find('\n'), rest.size()));
    const std::string_view whole = trim(text);
    const bool at_the_end = trim(after).empty() || !(whole.ends_with('}') || whole.ends_with(']'));
    if (at_the_end && ends_open(whole))
      return fail("the JSON is truncated: it ends before its arrays, objects or texts do", {"", last_line(), 0});
    return fail(fmt::format("is no JSON here: {}", simdjson::error_message(error)), {"", line_, 0});
  }

  unsigned last_line() const {
    const std::string_view rest = std::string_view(padded_).substr(counted_);
    return line_ + static_cast<unsigned>(std::ranges::count(trim(rest), '\n'));
  }

  /// Places come in rising order, so lines are counted once.
  void count_lines_to(const char* place) {
    const std::string_view text(padded_);
    const auto to = std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(place - text.data(), 0)), text.size());
    for (; counted_ < to; ++counted_) line_ += text[counted_] == '\n';
  }

  error_code take(simdjson::ondemand::value value, JsonValue& out) {
    if (depth_ == kMostDepth) return simdjson::DEPTH_ERROR;
    const Deeper deeper(depth_);
    const char* token = value.raw_json_token().data();
    token_ = static_cast<std::size_t>(token - std::string_view(padded_).data());
    count_lines_to(token);
    out.line = line_;
    json_type type{};
    if (const auto error = value.type().get(type)) return error;
    switch (type) {
      case json_type::array:
        return take_array(value, out);
      case json_type::object:
        return take_object(value, out);
      case json_type::number:
        out.kind = Kind::number;
        out.text = trim(value.raw_json_token());
        return value.get_double().get(out.number);
      case json_type::string:
        return take_text(value, out);
      case json_type::boolean:
        out.kind = Kind::boolean;
        return value.get_bool().get(out.flag);
      case json_type::null:
        break;
    }
    bool null = false;
    const auto error = value.is_null().get(null);
    return error != simdjson::SUCCESS ? error : null ? simdjson::SUCCESS : simdjson::N_ATOM_ERROR;
  }

  static error_code take_text(simdjson::ondemand::value value, JsonValue& out) {
    out.kind = Kind::text;
    std::string_view text;
    const auto error = value.get_string().get(text);
    if (error == simdjson::SUCCESS) out.text = text;
    return error;
  }

  error_code take_array(simdjson::ondemand::value value, JsonValue& out) {
    out.kind = Kind::array;
    simdjson::ondemand::array array;
    if (const auto error = value.get_array().get(array)) return error;
    for (auto item : array) {
      simdjson::ondemand::value inner;
      if (const auto error = std::move(item).get(inner)) return error;
      if (const auto error = take(inner, out.items.emplace_back())) return error;
    }
    return simdjson::SUCCESS;
  }

  error_code take_object(simdjson::ondemand::value value, JsonValue& out) {
    out.kind = Kind::object;
    simdjson::ondemand::object object;
    if (const auto error = value.get_object().get(object)) return error;
    for (auto field : object) {
      std::string_view name;
      if (const auto error = field.unescaped_key().get(name)) return error;
      JsonMember& member = out.members.emplace_back();
      member.name = name;
      simdjson::ondemand::value inner;
      if (const auto error = std::move(field).value().get(inner)) return error;
      if (const auto error = take(inner, member.value)) return error;
    }
    return simdjson::SUCCESS;
  }

  struct Deeper {
    explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
    ~Deeper() { --depth_; }
    int& depth_;
  };
  static constexpr int kMostDepth = 64;  // results of measurements need five

  simdjson::padded_string padded_;
  simdjson::ondemand::parser parser_;
  unsigned line_;
  std::size_t counted_ = 0;  // bytes whose lines are counted
  std::size_t token_ = 0;    // where the last value begins
  int depth_ = 0;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
  const auto found = std::ranges::find(members, name, &JsonMember::name);
  return found == members.end() ? nullptr : &found->value;
}

Result<const JsonValue*> JsonValue::optional_member_at(std::string_view name, Kind wanted) const {
  const JsonValue* value = find(name);
  if (value == nullptr || value->is(Kind::null)) return nullptr;
  if (std::ranges::count(members, name, &JsonMember::name) > 1)
    return fail(fmt::format("'{}' is there twice", name), {"", value->line, 0});
  if (!value->is(wanted))
    return fail(fmt::format("'{}' is {}, not {}", name, name_of(value->kind), name_of(wanted)), {"", value->line, 0});
  return value;
}

Result<const JsonValue*> JsonValue::member_at(std::string_view name, Kind wanted) const {
  const JsonValue* value = TRY(optional_member_at(name, wanted));
  if (value == nullptr) return fail(fmt::format("'{}' is missing", name), {"", line, 0});
  return value;
}

Result<double> JsonValue::number_at(std::string_view name) const { return TRY(member_at(name, Kind::number))->number; }
Result<std::string> JsonValue::text_at(std::string_view name) const { return TRY(member_at(name, Kind::text))->text; }
Result<const std::vector<JsonValue>*> JsonValue::array_at(std::string_view name) const {
  return &TRY(member_at(name, Kind::array))->items;
}
Result<std::optional<double>> JsonValue::optional_number_at(std::string_view name) const {
  const JsonValue* value = TRY(optional_member_at(name, Kind::number));
  return value == nullptr ? std::nullopt : std::optional(value->number);
}
Result<std::optional<std::string>> JsonValue::optional_text_at(std::string_view name) const {
  const JsonValue* value = TRY(optional_member_at(name, Kind::text));
  return value == nullptr ? std::nullopt : std::optional(value->text);
}

Result<JsonValue> parse_json(std::string_view text, unsigned first_line) { return Builder(text, first_line).build(); }

}  // namespace tollgate::import
