// A POSIX extended regular expression with one group, the C library's: no expression can stop the program, however long the
// text.
#pragma once

#include <regex.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tollgate::measure {

class Expression {
 public:
  /// It must hold a group; ^ and $ are those of lines.
  static Result<Expression> compile(const std::string& text);

  /// What the first group holds in each match; nothing where a match leaves it out.
  std::vector<std::optional<std::string>> groups_in(const std::string& text) const;

 private:
  using Compiled = std::unique_ptr<regex_t, void (*)(regex_t*)>;
  explicit Expression(Compiled compiled) : compiled_(std::move(compiled)) {}
  Compiled compiled_;
};

}  // namespace tollgate::measure
