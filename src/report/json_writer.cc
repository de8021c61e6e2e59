#include "report/json_writer.h"

#include <fmt/core.h>

#include <cmath>

#include "base/check.h"
#include "base/text.h"

namespace tollgate::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

std::string escaped_ascii(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code == 0x7f ? fmt::format("\\u{:04x}", code) : std::string(1, c);
}

}  // namespace

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0)
      out += kReplacement;
    else if (length == 1)
      out += escaped_ascii(text[at]);
    else
      out += text.substr(at, length);
    at += length ? length : 1;
  }
  return out + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

JsonWriter& JsonWriter::begin_object() { return open(Inside::object, '{'); }
JsonWriter& JsonWriter::end_object() { return close(Inside::object, '}'); }
JsonWriter& JsonWriter::begin_array() { return open(Inside::array, '['); }
JsonWriter& JsonWriter::end_array() { return close(Inside::array, ']'); }

JsonWriter& JsonWriter::key(std::string_view name) {
  CHECK(!levels_.empty() && levels_.back().inside == Inside::object && !after_key_, "a key has no place here");
  begin_item();
  out_ += json_quoted(name) + ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) { return raw(json_quoted(value)); }
JsonWriter& JsonWriter::number(double value) { return raw(json_number(value)); }
JsonWriter& JsonWriter::number(const std::optional<double>& value) { return value ? number(*value) : null(); }
JsonWriter& JsonWriter::whole(std::uint64_t value) { return raw(fmt::format("{}", value)); }
JsonWriter& JsonWriter::flag(bool value) { return raw(value ? "true" : "false"); }
JsonWriter& JsonWriter::null() { return raw("null"); }

JsonWriter& JsonWriter::numbers(std::span<const double> values) {
  std::string line = "[";
  for (double value : values) line.append(line.size() == 1 ? "" : ", ").append(json_number(value));
  return raw(line += ']');
}

JsonWriter& JsonWriter::texts(std::span<const std::string> values) {
  begin_array();
  for (const auto& value : values) text(value);
  return end_array();
}

std::string JsonWriter::finish() && {
  CHECK(levels_.empty() && !out_.empty(), "the document is not complete");
  return std::move(out_) + "\n";
}

void JsonWriter::begin_value() {
  if (levels_.empty()) {
    CHECK(out_.empty(), "a document is one value");
  } else if (levels_.back().inside == Inside::object) {
    CHECK(after_key_, "a value in an object has a key");
  } else {
    begin_item();
  }
  after_key_ = false;
}

void JsonWriter::begin_item() {
  if (!levels_.back().empty) out_ += ',';
  levels_.back().empty = false;
  new_line();
}

void JsonWriter::new_line() { out_.append("\n").append(2 * levels_.size(), ' '); }

JsonWriter& JsonWriter::open(Inside inside, char bracket) {
  begin_value();
  out_ += bracket;
  levels_.push_back({inside});
  return *this;
}

JsonWriter& JsonWriter::close(Inside inside, char bracket) {
  CHECK(!levels_.empty() && levels_.back().inside == inside && !after_key_, "closes what is not open");
  const bool empty = levels_.back().empty;
  levels_.pop_back();
  if (!empty) new_line();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view value) {
  begin_value();
  out_ += value;
  return *this;
}

}  // namespace tollgate::report
