// JsonWriter: writes one JSON document (RFC 8259) in the order it is told, two spaces an indent, arrays of plain
// values on one line. Numbers are the shortest that read back to the same double; a number that is not finite becomes
// null; bytes that are not UTF-8 become U+FFFD. Methods are named by kind, since overloads would turn a literal into a
// bool.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate::report {

class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  /// The next value's name; only inside an object.
  JsonWriter& key(std::string_view name);

  JsonWriter& text(std::string_view value);
  JsonWriter& number(double value);
  JsonWriter& number(const std::optional<double>& value);  // null when absent
  JsonWriter& whole(std::uint64_t value);
  JsonWriter& flag(bool value);
  JsonWriter& null();
  /// A whole array on one line.
  JsonWriter& numbers(std::span<const double> values);
  /// A whole array, one text a line.
  JsonWriter& texts(std::span<const std::string> values);

  /// The document with its closing newline; every array and object must be closed.
  std::string finish() &&;

 private:
  enum class Inside { object, array };
  struct Level {
    Inside inside;
    bool empty = true;
  };

  void begin_value();
  void begin_item();
  void new_line();
  JsonWriter& open(Inside inside, char bracket);
  JsonWriter& close(Inside inside, char bracket);
  JsonWriter& raw(std::string_view value);

  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

/// `text` in quotes, escaped.
std::string json_quoted(std::string_view text);

/// A JSON number, or null when `value` is not finite.
std::string json_number(double value);

}  // namespace tollgate::report
