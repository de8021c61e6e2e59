#include "measure/expression.h"

#include <fmt/core.h>

#include <algorithm>

namespace tollgate::measure {

Result<Expression> Expression::compile(const std::string& text) {
  if (text.find("\\d") != std::string::npos) return fail("\\d is not known to POSIX extended expressions: write [0-9]");
  auto compiled = std::make_unique<regex_t>();
  if (const int error = regcomp(compiled.get(), text.c_str(), REG_EXTENDED | REG_NEWLINE); error != 0) {
    char message[200];
    regerror(error, compiled.get(), message, sizeof message);
    return fail(message);
  }
  Compiled owner(compiled.release(), [](regex_t* old) {
    regfree(old);
    delete old;
  });
  if (owner->re_nsub == 0) return fail("the number wants a group: regex:time=Time: ([0-9.]+)");
  return Expression(std::move(owner));
}

std::vector<std::optional<std::string>> Expression::groups_in(const std::string& text) const {
  std::vector<std::optional<std::string>> groups;
  regmatch_t found[2];
  const char* at = text.c_str();
  while (regexec(compiled_.get(), at, 2, found, at == text.c_str() || at[-1] == '\n' ? 0 : REG_NOTBOL) == 0) {
    const bool empty = found[0].rm_eo == found[0].rm_so;  // as (.*) finds one behind each line
    if (!empty && found[1].rm_so < 0)
      groups.emplace_back();
    else if (!empty)
      groups.emplace_back(std::string(at + found[1].rm_so, at + found[1].rm_eo));
    at += std::max(found[0].rm_eo, found[0].rm_so + 1);
    if (at >= text.c_str() + text.size()) break;
  }
  return groups;
}

}  // namespace tollgate::measure
