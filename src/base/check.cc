#include "base/check.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

namespace tollgate {

void check_failed(std::string_view condition, std::string_view why, std::source_location where) {
  fmt::print(stderr, "{}:{}: CHECK({}) failed: {}\n", where.file_name(), where.line(), condition, why);
  std::abort();
}

}  // namespace tollgate
