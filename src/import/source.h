// Source: a result file before anybody has understood it, as text, lines and, where it is JSON, as a tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "import/json.h"

namespace tollgate::import {

struct Line {
  std::string_view text;  // without its end
  unsigned number = 0;    // from 1
};

/// An error in this line of the file that is being read; who opened the file adds its name.
inline tl::unexpected<Error> fail_at(unsigned line, std::string message) {
  return fail(std::move(message), {"", line, 0});
}

/// The file's name without folders and ending.
std::string stem_of(std::string_view path);

class Source {
 public:
  /// `bytes` must outlive the source. Bytes that are empty, binary or no UTF-8 are an error that names the place.
  static Result<Source> open(std::string name, std::string_view bytes);

  const std::string& name() const { return name_; }
  /// A variant's name where the file says none.
  std::string stem() const { return stem_of(name_); }
  std::string_view text() const { return text_; }
  const std::vector<Line>& lines() const { return lines_; }
  /// How many runs a series has, as the user says.
  void tell_runs(std::optional<std::uint64_t> runs) { told_runs_ = runs; }
  std::optional<std::uint64_t> told_runs() const { return told_runs_; }
  /// The tree, or nullptr when the file is no (whole) JSON document.
  const JsonValue* json() const { return json_ ? &*json_ : nullptr; }
  /// Why a file that begins as JSON is none.
  const std::optional<Error>& json_error() const { return json_error_; }
  /// Lines before and after the JSON document: tools print warnings there, and text for people.
  unsigned lines_before_json() const { return lines_before_json_; }
  unsigned lines_after_json() const { return lines_after_json_; }

 private:
  void read_json();
  bool read_json_before_text(std::size_t first);

  std::string name_;
  std::string_view text_;
  std::vector<Line> lines_;
  std::optional<JsonValue> json_;
  std::optional<Error> json_error_;
  std::optional<std::uint64_t> told_runs_;
  unsigned lines_before_json_ = 0;
  unsigned lines_after_json_ = 0;
};

}  // namespace tollgate::import
